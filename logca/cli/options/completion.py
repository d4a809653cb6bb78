"""Completions of options while they are typed: formulas, claims, devices, figures ..."""

import typer

__all__ = [
    "complete_claims",
    "complete_designs",
    "complete_devices",
    "complete_devices_and_gpus",
    "complete_equations",
    "complete_figures",
    "complete_formulas",
    "complete_gpu_models",
    "complete_gpus",
    "complete_kernels",
    "complete_links",
    "complete_platform_keys",
    "complete_platforms",
    "complete_quantities",
]


def complete_formulas(incomplete: str) -> list[str]:
    """Names of formulas that begin so."""
    from logca.derive.core.catalogue import PAPER_NAMES, names

    return [name for name in (*names(), *PAPER_NAMES) if name.startswith(incomplete)]


def complete_equations(incomplete: str) -> list[str]:
    """Names of formulas, and numbers of equations of papers, that begin so."""
    from logca.api.paper_equations import equation_rows

    numbers = (row["name"] for row in equation_rows())
    return [
        *complete_formulas(incomplete),
        *(name for name in numbers if name.startswith(incomplete)),
    ]


def complete_claims(incomplete: str) -> list[tuple[str, str]]:
    """Ids of claims that begin so, with their statements."""
    from logca.proofs.claims.catalogue import all_claims

    return [
        (claim.id, claim.statement) for claim in all_claims() if claim.id.startswith(incomplete)
    ]


def complete_quantities(incomplete: str) -> list[str]:
    """Quantities that there is code of, after a comma too."""
    from logca.numeric.generate.codegen.source_program import offered

    before, comma, last = incomplete.rpartition(",")
    return [f"{before}{comma}{name}" for name in offered() if name.startswith(last)]


def complete_devices(incomplete: str) -> list[tuple[str, str]]:
    """Devices of the paper, with their titles."""
    from logca.numeric.paper.devices import devices as entries

    titles = {entry.device: entry.device_title for entry in entries()}
    return [(name, title) for name, title in titles.items() if name.startswith(incomplete)]


def complete_devices_and_gpus(incomplete: str) -> list[tuple[str, str]]:
    """Devices of the paper and GPUs, with their titles."""
    from logca.gpu.devices.parameters import device

    gpus = [(name, device(name).title) for name in complete_gpus(incomplete)]
    return complete_devices(incomplete) + gpus


def complete_kernels(context: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """Kernels of the device that is named before."""
    from logca.numeric.paper.devices import devices as entries

    return [
        (entry.kernel, entry.kernel_title)
        for entry in entries()
        if entry.device == context.params.get("device") and entry.kernel.startswith(incomplete)
    ]


def complete_figures(incomplete: str) -> list[tuple[str, str]]:
    """Figures that can be redrawn, with their titles."""
    from logca.plots.paper import FIGURES

    return [(name, made().title) for name, made in FIGURES.items() if name.startswith(incomplete)]


def complete_gpus(incomplete: str) -> list[str]:
    """GPUs that come with the package."""
    from logca.gpu.devices.parameters import devices

    return [name for name in devices() if name.startswith(incomplete)]


def complete_gpu_models(incomplete: str) -> list[str]:
    """Models that predict a GPU's time."""
    from logca.gpu.stages.models import MODELS

    return [name for name in MODELS if name.startswith(incomplete)]


def complete_platforms(incomplete: str) -> list[str]:
    """Platforms that come with the package."""
    from logca.numeric.partition.problem.platform import platforms

    return [name for name in platforms() if name.startswith(incomplete)]


def complete_platform_keys(incomplete: str) -> list[str]:
    """Parameters of a platform that can be set."""
    from logca.numeric.partition.problem.platform import KEYS

    return [f"{name}=" for name in KEYS if name.startswith(incomplete)]


def complete_designs(incomplete: str) -> list[str]:
    """Ways to attach an accelerator to the memory."""
    from logca.numeric.partition.memory.designs import DESIGNS

    return [name for name in DESIGNS if name.startswith(incomplete)]


def complete_links(incomplete: str) -> list[str]:
    """Links between CPU and accelerator."""
    from logca.numeric.partition.problem.links import links

    return [name for name in links() if name.startswith(incomplete)]
