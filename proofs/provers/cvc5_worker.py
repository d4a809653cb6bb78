"""cvc5 in a child process that can be killed: it does not always keep its own time limit."""

import atexit
import json
import subprocess
import sys
import threading
from typing import IO

__all__ = ["agrees", "close"]

_STEPS = "10000"
"""Resource limit, so that an answer does not depend on how busy the machine is [1]."""

_process: subprocess.Popen[str] | None = None


def agrees(problem: str, timeout: float) -> str:
    """What cvc5 says of an SMT-LIB 2 problem: "sat", "unsat" or "unknown"."""
    global _process
    if _process is None or _process.poll() is not None:
        _process = subprocess.Popen(
            [sys.executable, "-m", "logca.proofs.provers.cvc5_worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
    process = _process
    answer: list[str] = []

    def ask(stdin: IO[str], stdout: IO[str]) -> None:
        try:
            stdin.write(json.dumps(problem) + "\n")
            stdin.flush()
            answer.append(stdout.readline().strip())
        except (OSError, ValueError):
            answer.append("unknown")

    assert process.stdin is not None
    assert process.stdout is not None
    thread = threading.Thread(target=ask, args=(process.stdin, process.stdout), daemon=True)
    thread.start()
    thread.join(timeout)
    if thread.is_alive():
        process.kill()
        thread.join()
        close()
        return "unknown"
    return answer[0] or "unknown"


def close() -> None:
    """End the process, if there is one."""
    global _process
    if _process is not None:
        _process.kill()
        _process.wait()
        for pipe in (_process.stdin, _process.stdout):
            if pipe is not None:
                pipe.close()
        _process = None


atexit.register(close)


def _solve(text: str) -> str:
    import cvc5

    solver = cvc5.Solver()
    solver.setLogic("QF_NRA")
    solver.setOption("nl-cov", "true")
    solver.setOption("rlimit-per", _STEPS)
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "problem")
    symbols = parser.getSymbolManager()
    status = "unknown"
    while True:
        command = parser.nextCommand()
        if command.isNull():
            return status
        said = command.invoke(solver, symbols).strip()
        if said in ("sat", "unsat", "unknown"):
            status = said


def _serve() -> None:
    for line in sys.stdin:
        try:
            status = _solve(json.loads(line))
        except Exception as error:
            status = f"unknown {type(error).__name__}"
        print(status.split()[0], flush=True)


if __name__ == "__main__":
    try:
        _serve()
    except (KeyboardInterrupt, BrokenPipeError):
        sys.exit(130)
