"""What pictures of numbers are made of: values with a name, and the axes that they share."""

from dataclasses import dataclass

__all__ = ["Series", "SeriesPanel"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """What is drawn alike: one line, the bars of one kind, or the dots with one marker.

    Parameters
    ----------
    name : str
        What it is called in the legend [text].
    values : tuple of float
        One for each place, group or row; NaN where there is none [unit of the axis].
    """

    name: str
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesPanel:
    """One set of axes.

    Parameters
    ----------
    title : str
        Heading [text].
    series : tuple of Series
        What is drawn; all panels have the same names in the same order.
    """

    title: str
    series: tuple[Series, ...]
