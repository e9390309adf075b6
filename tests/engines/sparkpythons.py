"""The program that forks Spark's Pythons (``spark.python.daemon.module``), with cheaper collections of garbage. Spark
collects the garbage after each task. If each Python has imported pandas and PyArrow by itself, that takes 30 ms, more
than the tests' tasks. What is imported and frozen before the fork is left out."""

import gc
import runpy

import pandas as pd  # noqa: F401
import pyarrow.compute  # noqa: F401
import pyspark.worker  # noqa: F401

gc.freeze()
runpy.run_module("pyspark.daemon", run_name="__main__", alter_sys=True)
