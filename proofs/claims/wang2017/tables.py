"""x"""

CLAIMS = ()
