"""Compiled loops of the searches; each is compared with a slow twin in tests/oracles or with all small graphs."""
