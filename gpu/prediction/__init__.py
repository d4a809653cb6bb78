"""From C source to GPU time: the request, the nests as traced, what is said of each kernel."""
