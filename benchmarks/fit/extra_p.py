"""Times by Extra-P's models, asked for and told as JSON: run by a Python that has extrap (PyPI)."""

import json
import sys

from extrap.entities.callpath import Callpath
from extrap.entities.coordinate import Coordinate
from extrap.entities.experiment import Experiment
from extrap.entities.measurement import Measurement
from extrap.entities.metric import Metric
from extrap.entities.parameter import Parameter
from extrap.modelers.model_generator import ModelGenerator


def modelled(sizes: list[float], times: list[float], size: float) -> float:
    """Time by the model that Extra-P makes of the sizes."""
    experiment, path, metric = Experiment(), Callpath("path"), Metric("time")
    experiment.add_parameter(Parameter("g"))
    experiment.add_callpath(path)
    experiment.add_metric(metric)
    for each, time in zip(sizes, times, strict=True):
        experiment.add_coordinate(Coordinate(each))
        experiment.add_measurement(Measurement(Coordinate(each), path, metric, [time]))
    generator = ModelGenerator(experiment)
    generator.model_all()
    return float(generator.models[path, metric].hypothesis.function.evaluate(size))


json.dump([modelled(**each) for each in json.load(sys.stdin)], sys.stdout)
