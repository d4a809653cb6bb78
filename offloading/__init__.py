"""From C source to the decision whether to offload: host times, GPU times, copies, break-even.

Folders, lowest first: links. The files beside them stand on these.
"""
