"""From text to a verdict: problems stated, questions answered, claims judged, in a process."""
