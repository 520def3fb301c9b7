"""The rules, one module a family. A module names its rules and has the functions that ask them."""
