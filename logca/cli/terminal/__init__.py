"""How verbs end and how they speak: exit codes and errors, tables, progress, files."""
