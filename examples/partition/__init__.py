"""The six programs of kenter2010, and one of a thousand blocks, as C."""
