"""Tables 2 to 5 and the figures of altaf2017 as data, and devices from files like them."""
