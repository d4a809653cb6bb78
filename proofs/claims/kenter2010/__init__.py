"""Claims of Kenter, Platzner, Plessl and Kauschke: kenter2010, WARP."""
