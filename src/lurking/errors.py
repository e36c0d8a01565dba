"""Every exception that lurking raises on purpose, to be caught by name.

The tree::

    Exception
    └── LurkingError                 catch this to catch them all
        ├── GraphError               (also a ValueError) a graph that cannot be, or not here
        │   ├── CycleError           directed edges that lead back to their start
        │   ├── GraphClassError      a graph outside the class that an operation needs
        │   └── UnknownVertexError   (also a KeyError) a name that is not in the graph
        ├── FormatError              (also a ValueError) text that is not in the format it claims
        ├── DataError                (also a ValueError) a table or covariance that cannot be used
        ├── ParameterError           (also a ValueError) an argument outside its range
        └── KnowledgeError           (also a ValueError) background knowledge that contradicts itself

Each message is one sentence that names the offending variables and says what to do.

>>> from lurking import ADMG
>>> from lurking.errors import CycleError, LurkingError
>>> try:
...     ADMG.parse("A -> B -> A")
... except CycleError as error:
...     print(isinstance(error, LurkingError), error.cycle)
True ('A', 'B', 'A')
"""

from lurking._errors import (
    CycleError,
    DataError,
    FormatError,
    GraphClassError,
    GraphError,
    KnowledgeError,
    LurkingError,
    ParameterError,
    UnknownVertexError,
)

__all__ = [
    "CycleError",
    "DataError",
    "FormatError",
    "GraphClassError",
    "GraphError",
    "KnowledgeError",
    "LurkingError",
    "ParameterError",
    "UnknownVertexError",
]
