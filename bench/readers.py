#!/usr/bin/env python3
"""Opens every table of a lake with the readers of Python that are installed, and compares rows and columns.

    python3 -m venv venv && venv/bin/pip install pyarrow pandas polars fastparquet duckdb
    venv/bin/python bench/readers.py nightjar-lake
"""

import glob
import importlib
import os
import sys


def shape_of_files(folder):
    """What is there: rows of all files, and the columns of one."""
    import pyarrow.parquet

    files = glob.glob(folder + "/*/*/part-*.parquet")
    rows = sum(pyarrow.parquet.read_metadata(file).num_rows for file in files)
    return rows, sorted(pyarrow.parquet.read_schema(files[0]).names)


READERS = {
    "pyarrow": lambda module, folder: module.parquet.read_table(folder).to_pandas(),
    "pandas": lambda module, folder: module.read_parquet(folder),
    "fastparquet": lambda module, folder: module.ParquetFile(folder).to_pandas(),
    "polars": lambda module, folder: module.read_parquet(folder).to_pandas(),
    "duckdb": lambda module, folder: module.sql(f"FROM '{folder}/*/*/*.parquet'").df(),
}


def main(lake):
    failed = 0
    tables = sorted(os.path.basename(name) for name in glob.glob(lake + "/[a-z]*"))
    for name, read in READERS.items():
        try:
            module = importlib.import_module("pyarrow.parquet" if name == "pyarrow" else name)
            module = importlib.import_module(name)
        except ImportError:
            print(f"{name}: not installed")
            continue
        for table in tables:
            folder = os.path.join(lake, table)
            wanted = shape_of_files(folder)
            try:
                frame = read(module, folder)
                found = (len(frame), sorted(frame.columns))
                problem = None if found == wanted else f"found {found}, wanted {wanted}"
            except Exception as failure:  # whatever it is, the others are tried too
                problem = f"{type(failure).__name__}: {failure}"
            failed += problem is not None
            print(f"{name} {module.__version__} {table}: {problem or 'ok'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
