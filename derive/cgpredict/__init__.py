"""Equations of CGPredict (wang2017): execution time of GPU kernels."""
