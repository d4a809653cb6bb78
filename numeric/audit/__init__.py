"""Settings that programs have: what a present threshold costs, and what a knob is to be set to."""
