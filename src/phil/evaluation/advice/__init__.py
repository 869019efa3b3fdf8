"""Which search to use on a graph, and from which cost of an expansion on learning pays."""

from phil.evaluation.advice.advise import Advice, advise
from phil.evaluation.advice.fitting import Fitting, fitting_methods
from phil.evaluation.advice.measure import Measured

__all__ = ["Advice", "Fitting", "Measured", "advise", "fitting_methods"]
