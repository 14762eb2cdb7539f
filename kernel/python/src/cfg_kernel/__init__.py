"""The Jupyter kernel of `cfg`: the package contains the binary, Pygments lexers, and a translator for papermill."""

__version__ = "0.1.0"
