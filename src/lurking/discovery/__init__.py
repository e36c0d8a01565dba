"""The button: :class:`ADMGDiscovery` takes a table and leaves a graph; :func:`bootstrap` tells how stable it is."""

from lurking.discovery.audit import Finding
from lurking.discovery.bootstrap import BootstrapResult, bootstrap
from lurking.discovery.estimator import ADMGDiscovery
from lurking.discovery.knowledge import Knowledge
from lurking.discovery.knowledge_files import read_knowledge
from lurking.discovery.knowledge_marks import informed_pag

__all__ = ["ADMGDiscovery", "BootstrapResult", "Finding", "Knowledge", "bootstrap", "informed_pag", "read_knowledge"]
