"""Compiled loops of the likelihood: districts, their fits, their scores; tests compare them with slow twins."""
