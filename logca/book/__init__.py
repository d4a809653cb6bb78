"""The handbook: all derivations and the ledger as one document, in Markdown, LaTeX or HTML."""
