"""The Jupyter kernel of `cfg`: the binary comes with this package; here are its highlighting and what papermill asks."""

__version__ = "0.1.0"
