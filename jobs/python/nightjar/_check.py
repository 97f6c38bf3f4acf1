"""Checks histories, and reads the tables of anomalies."""

import json
import os
import subprocess
import tempfile

from . import _history, _launcher

_LEVELS = ["level", "verdict", "evidence", "reason", "anomalies", "exact", "types"]
_ANOMALIES = ["id", "type", "pattern", "level", "transactions", "key", "explanation"]
_LINT = ["rule_id", "severity", "count", "message"]

# Tables of a lake, and the columns that order their rows.
_TABLES = {
    "runs": "started_at, run_id",
    "level_verdicts": "run_id, level",
    "anomalies": "run_id, anomaly_id",
    "anomaly_txns": "run_id, anomaly_id, txn_seq",
    "anomaly_edges": "run_id, anomaly_id, edge_seq",
}


def check(df_or_path, level=None, **options):
    """Decides isolation levels and returns a Result.

    :param df_or_path: a data frame (see ``history``), or the path or address of a history in any format
    :param level: names of levels, such as ``"si,ser"`` or ``["snapshot-isolation"]``; by default those of the command
    :param options: options of ``nightjar check`` with underscores: ``max_anomalies=10``, ``lake="none"``,
        ``cross_check=True``; a list is joined by commas
    :raises NightjarError: if the history was rejected, or the command failed
    """
    if level is not None:
        options["level"] = level
    arguments = ["check", "--json", *_arguments(options)]
    if hasattr(df_or_path, "columns"):
        # a file without a name: it is removed even if this process is killed
        with tempfile.TemporaryFile("w+", encoding="utf-8", newline="\n") as file:
            _history.write(df_or_path, file)
            file.flush()
            file.seek(0)
            return _result([*arguments, "--from", "jsonl", "-"], file)
    return _result([*arguments, "--", os.fspath(df_or_path)], subprocess.DEVNULL)


def _arguments(options):
    arguments = []
    for name, value in options.items():
        option = "--" + name.rstrip("_").replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            arguments.append(option)
        elif isinstance(value, (list, tuple)):
            arguments.append(f"{option}={','.join(map(str, value))}")
        else:
            arguments.append(f"{option}={value}")
    return arguments


def _result(arguments, stdin):
    code, out, err = _launcher.run(arguments, stdin)
    objects = [json.loads(line) for line in out.splitlines() if line.startswith('{"schema"')]
    if code not in (0, 1, 2) or len(objects) != 1:
        raise _launcher.error(code, err)
    return Result(objects[0], code)


class Result:
    """The verdict of a check. ``data`` is the JSON object that the command printed."""

    def __init__(self, data, exit_code):
        self.data = data
        self.exit_code = exit_code

    @property
    def verdict(self):
        """The worst verdict of the levels: ``holds``, ``violated`` or ``undecided``."""
        return self.data["verdict"]

    @property
    def run_id(self):
        """The run in the lake; None if no tables were written."""
        return self.data.get("run_id")

    @property
    def levels(self):
        """A data frame with a row for each level."""
        return _frame([{"level": name, **level} for name, level in self.data["levels"].items()], _LEVELS)

    @property
    def anomalies(self):
        """A data frame of the listed anomalies, at most ``max_anomalies``. ``levels`` counts all that were found."""
        return _frame(self.data["anomalies"], _ANOMALIES)

    @property
    def lint(self):
        """A data frame of the lint findings: suspicious facts of the history that are no anomalies."""
        return _frame(self.data.get("lint", []), _LINT)

    def __repr__(self):
        lines = [f"{self.data['history']}: {self.verdict}, {self.data['transactions']} transactions"]
        for name, level in self.data["levels"].items():
            line = f"  {name}: {level['verdict']}"
            if level["verdict"] == "violated":
                types = ", ".join(f"{count} {name}" for name, count in level["types"].items())
                line += f" ({types})" if level.get("exact", True) else f" (at least {types})"
            elif level.get("reason"):
                line += f" ({level['reason']})"
            lines.append(line)
        return "\n".join(lines)


def read_lake(path="nightjar-lake", run=None):
    """Returns the tables of a lake as a dict of data frames: runs, level_verdicts, anomalies, anomaly_txns, anomaly_edges.

    Integers have the type Int64, times are UTC.

    :param run: the ``run_id`` of one run; by default all complete runs
    """
    condition = "" if run is None else " WHERE run_id = '" + str(run).replace("'", "''") + "'"
    names = ", ".join(f"'{table}'" for table in _TABLES)
    queries = [
        "SELECT '' AS t, to_json({t: table_name, name: column_name, type: data_type}) AS j, ordinal_position AS k"
        f" FROM information_schema.columns WHERE table_name IN ({names})"
    ]
    for table, order in _TABLES.items():
        queries.append(f"SELECT '{table}', to_json(r), row_number() OVER (ORDER BY {order}) FROM {table} r{condition}")
    query = f"SELECT t, j FROM ({' UNION ALL '.join(queries)}) ORDER BY t, k"
    code, out, err = _launcher.run(["sql", "--json", f"--lake={os.fspath(path)}", query])
    if code != 0:
        raise _launcher.error(code, err)
    types = {table: {} for table in _TABLES}
    rows = {table: [] for table in _TABLES}
    for line in out.splitlines():
        row = json.loads(line)
        if row["t"]:
            rows[row["t"]].append(row["j"])
        else:
            types[row["j"]["t"]][row["j"]["name"]] = row["j"]["type"]
    return {table: _typed_frame(rows[table], types[table]) for table in _TABLES}


def _typed_frame(rows, types):
    pandas = _pandas()
    return pandas.DataFrame({name: _column(pandas, [row[name] for row in rows], kind) for name, kind in types.items()})


def _column(pandas, cells, kind):
    if kind in ("BIGINT", "INTEGER"):
        # large integers are strings in JSON
        return pandas.array([None if cell is None else int(cell) for cell in cells], dtype="Int64")
    if kind == "BOOLEAN":
        return pandas.array(cells, dtype="boolean")
    if kind == "DOUBLE":
        return pandas.Series(cells, dtype="float64")
    if kind.startswith("TIMESTAMP"):
        # each text is parsed separately: only some have fractions of a second
        return pandas.Series(pandas.to_datetime([pandas.Timestamp(cell) for cell in cells], utc=True))
    return pandas.Series(cells, dtype="object")


def _frame(rows, columns):
    return _pandas().DataFrame([[row.get(column) for column in columns] for row in rows], columns=columns)


def _pandas():
    try:
        import pandas
    except ImportError as cause:
        raise ImportError("data frames need pandas; install it with: pip install pandas") from cause
    return pandas
