"""Tables 2 to 5 of altaf2017 as TOML; read by the modules beside this folder."""
