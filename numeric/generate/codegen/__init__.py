"""From quantities of the model to programs in no particular language."""
