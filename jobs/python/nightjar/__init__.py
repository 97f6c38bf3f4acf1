"""Checks transaction histories for isolation anomalies with the nightjar command."""

from ._check import Result, check, read_lake
from ._history import history
from ._launcher import NightjarError

__all__ = ["NightjarError", "Result", "check", "history", "read_lake"]
__version__ = "0.1.0"
