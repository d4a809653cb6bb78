"""`logca regions`: which parameter is worth improving at which size."""

from logca.cli.options.accelerators import Chosen, with_accelerator
from logca.cli.options.ranges import Shared, window
from logca.cli.terminal.files import OutputOption
from logca.cli.terminal.output import show_answer, show_json, show_latex

__all__ = ["regions"]


@with_accelerator
def regions(
    improvement: Shared.improvement = None,
    gain: Shared.gain = None,
    sizes: Shared.any_sizes = None,
    as_json: OutputOption.as_json = False,
    markup: OutputOption.table = None,
    *,
    accelerator: Chosen,
) -> None:
    """List optimization regions: which parameters are worth improving at which sizes.

    Cut-off granularities hold for all sizes, also outside --sizes.

    **Examples**

        logca regions --device ultrasparc-t2 --kernel aes

        logca regions --device apu --kernel gemm --improvement 2 --gain 1.1

        logca regions --fit fit.json

        logca regions --o 435 --L 500 --C 32 --A 12 --sizes 1B:1GiB --json

        logca regions --device ultrasparc-t2 --kernel aes --as latex    tables for a paper
    """
    from logca.show.regions import cutoff_table, region_table, regions_answer, regions_data

    named = accelerator.accelerator()
    asked = {"improvement": improvement, "gain": gain}
    given = {name: value for name, value in asked.items() if value is not None}
    found = named.regions(**given, **(window(sizes) if sizes else {}))
    answer = regions_answer(found, accelerator.basis(), accelerator.name())
    if markup is not None:
        show_latex([region_table(found), cutoff_table(found)], as_json=as_json)
    elif as_json:
        show_json({"answer": answer, "accelerator": named.name, **regions_data(found)})
    else:
        show_answer(answer, region_table(found), "", cutoff_table(found))
