"""Questions of your own."""

import math
from collections.abc import Iterable

from logca.proofs import process
from logca.proofs.answer import Answer
from logca.proofs.tree import ClaimSyntaxError

__all__ = ["prove"]


def prove(claim: str, given: str | Iterable[str] = (), timeout: float = 10) -> Answer:
    """Prove a claim, or find a counterexample to it.

    Quantities that the claim mentions are taken to exist; `assuming` of the answer names those
    whose existence the hypotheses do not imply.

    Parameters
    ----------
    claim : str
        A statement over symbols and quantities, such as ``"g1 < gA2"`` [text].
    given : str or iterable of str
        Hypotheses, such as ``["A > 2", "beta > 1"]``; ``"latency == constant"`` or
        ``"latency == linear"`` fixes the form of latency, otherwise both are asked for [text].
    timeout : float
        Time for the answer [s].

    Returns
    -------
    Answer
        With `verdict` ("proved", "refuted" or "undecided"), `counterexample` (exact rationals,
        with `latency`), `used` (hypotheses that were needed), `methods` and `assuming`.

    Raises
    ------
    ClaimSyntaxError
        If a text is not in the claim language; nothing is ever evaluated as code.
    TypeError, ValueError
        If the hypotheses are no texts, or the time limit is no positive number.
    MissingSolversError
        If the extra ``prove`` is not installed.

    Examples
    --------
    >>> answer = prove("g1 < gA2", given="beta == 1")
    >>> answer.verdict, answer.latency
    ('refuted', 'constant')
    >>> answer.counterexample["A"] <= 2
    True
    """
    if isinstance(timeout, bool) or not isinstance(timeout, int | float):
        raise TypeError(f"the time limit is a number of seconds, not {type(timeout).__name__}")
    if not (timeout > 0 and math.isfinite(timeout)):
        raise ValueError(f"the time limit must be a positive number of seconds, not {timeout}")
    if not isinstance(given, Iterable):
        raise TypeError(f"hypotheses are a text or several texts, not {type(given).__name__}")
    texts = (given,) if isinstance(given, str) else tuple(given)
    for kind, text in (("claim", claim), *(("hypothesis", text) for text in texts)):
        if not isinstance(text, str):
            raise ClaimSyntaxError(f"a {kind} is text, not {type(text).__name__}")
    return process.ask(claim, texts, timeout)
