"""The commands of the `ofclab` program, one file a noun."""
