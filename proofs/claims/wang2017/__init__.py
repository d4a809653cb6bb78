"""Claims of CGPredict: wang2017, ACM TECS."""
