"""Run the claims and tabulate the verdicts."""

import sys

from logca.proofs.claims import all_claims
from logca.proofs.judge import judge

__all__: list[str] = []


def _main() -> None:
    wanted = sys.argv[1:]
    for claim in all_claims():
        if wanted and not any(claim.id.startswith(prefix) for prefix in wanted):
            continue
        result = judge(claim)
        methods = ", ".join(f"{m.name} [{m.scope}]" for m in result.methods)
        print(f"{result.seconds:6.2f} s  {result.verdict.name:9} {claim.id}  {methods}  {result.counterexample or ''} {result.failing}")


if __name__ == "__main__":
    _main()
