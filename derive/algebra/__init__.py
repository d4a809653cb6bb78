"""Algebra with symbolic exponents: identities, limits, trinomial roots, units, derivations."""
