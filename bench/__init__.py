"""Speed of fasturl beside its peers. ``python -m bench`` prints the table; see bench/README.md."""
