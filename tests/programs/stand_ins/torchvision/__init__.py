"""A stand-in of ours for the parts of torchvision that the programs of these tests touch: synthetic data, and transforms of it.

torchvision's published build does not import beside the torch of this project. Nothing here is a model or an operator: what
a program trains is its own."""
