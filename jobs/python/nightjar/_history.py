"""Converts data frames to history files."""

import atexit
import json
import os
import pathlib
import shutil
import tempfile

# Names of columns in a data frame, and in JSON Lines.
_NUMBERS = {
    "txn_id": "txn",
    "session_id": "session",
    "session_seq": "seq",
    "start_ts": "start",
    "commit_ts": "commit",
    "invoke_ns": "invoke",
    "complete_ns": "complete",
}
_COLUMNS = {*_NUMBERS, "status", "ops", "extra"}
_OP_NUMBERS = {"version": "version", "writer_txn": "writer"}
_PREDICATE_FIELDS = {"predicate", "params", "rows", "read_ts"}
_OP_FIELDS = {"kind", "key", "value", "elements", *_OP_NUMBERS, *_PREDICATE_FIELDS}

_MAX_EXACT = 1 << 53  # larger integers are not exact in a float column


def history(df, path=None):
    """Writes a data frame as a history file in JSON Lines and returns its path.

    The columns are those of docs/history-format.md; ``session_id`` and ``ops`` are required. An operation is a dict of the
    documented fields, or a tuple as in JSON Lines: ``("w", "x", 1)``. Other columns become members of ``extra``.

    :param path: the file to write; without a path, a temporary file that is removed when Python ends
    """
    if path is None:
        folder = tempfile.mkdtemp(prefix="nightjar-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        path = os.path.join(folder, "history.jsonl")
    with open(path, "w", encoding="utf-8", newline="\n") as out:
        write(df, out)
    return pathlib.Path(path)


def write(df, out):
    """Writes a data frame in JSON Lines to an open text file."""
    columns = [str(column) for column in df.columns]
    missing = [name for name in ("session_id", "ops") if name not in columns]
    if missing:
        raise ValueError(f"the data frame has no column {' and '.join(missing)}: columns={','.join(columns)}")
    repeated = sorted({name for name in columns if columns.count(name) > 1})
    if repeated:
        raise ValueError(f"columns of the data frame are not unique: columns={','.join(repeated)}")
    lists = [df.iloc[:, index].tolist() for index in range(len(columns))]
    for row, cells in enumerate(zip(*lists), 1):
        try:
            out.write(_line(dict(zip(columns, cells))))
        except (TypeError, ValueError) as cause:
            raise ValueError(f"[row={row}] {cause}") from cause
    if not lists[0]:
        out.write("\n")  # a file without bytes would be rejected as incomplete


def _line(cells):
    line = {}
    for column, name in _NUMBERS.items():
        number = _integer(column, cells.get(column))
        if number is not None:
            line[name] = number
    status = cells.get("status")
    if not _is_null(status):
        line["status"] = status
    line["ops"] = _operations(cells["ops"])
    text = _json(line)
    extra = _extra(cells)
    return text[:-1] + f',"extra":{extra}}}\n' if extra else text + "\n"


def _extra(cells):
    """Returns the JSON object of a transaction's other facts; the text of the column ``extra`` is not rewritten."""
    members = {name: cell for name, cell in cells.items() if name not in _COLUMNS and not _is_null(cell)}
    others = _json(members) if members else ""
    extra = cells.get("extra")
    if _is_null(extra):
        return others
    if isinstance(extra, str):
        if not isinstance(json.loads(extra), dict):
            raise ValueError(f"extra is not a JSON object: extra={extra}")
        text = extra.strip().replace("\r", " ").replace("\n", " ")
    else:
        text = _json(dict(extra))
    return f"{others[:-1]},{text[1:]}" if others and json.loads(text) else others or text


def _operations(ops):
    if _is_null(ops):
        raise ValueError("ops is null; expected a list, which may be empty")
    ops = list(ops)
    written = []
    index = 0
    while index < len(ops):
        op = ops[index]
        index += 1
        if not isinstance(op, dict):
            written.append(list(op))
            continue
        unknown = [name for name, field in op.items() if name not in _OP_FIELDS and not _is_null(field)]
        if unknown:
            raise ValueError(f"unknown fields of an operation: fields={','.join(map(str, unknown))}")
        if op.get("kind") != "p":
            written.append(_operation(op))
            continue
        count = _integer("rows", op.get("rows"))
        if count is not None and not 0 <= count <= len(ops) - index:
            raise ValueError(f"a predicate read has fewer rows than stated: rows={count} operations={len(ops) - index}")
        rows = ops[index:index + count] if count is not None else None
        index += count or 0
        written.append(_predicate_read(op, rows))
    return written


def _operation(op):
    elements = op.get("elements")
    value = op.get("value") if _is_null(elements) else list(elements)
    written = [op.get("kind"), op.get("key"), value]
    attributes = _attributes(op)
    return written + [attributes] if attributes else written


def _predicate_read(op, rows):
    params = op.get("params")
    params = None if _is_null(params) else json.loads(params) if isinstance(params, str) else list(params)
    attributes = {} if _is_null(op.get("key")) else {"relation": op["key"]}
    read_ts = _integer("read_ts", op.get("read_ts"))
    if read_ts is not None:
        attributes["read_ts"] = read_ts
    if not _is_null(op.get("value")):
        attributes["value"] = op["value"]
    attributes.update(_attributes(op))
    written = ["p", op.get("predicate"), params, None if rows is None else _operations(rows)]
    return written + [attributes] if attributes else written


def _attributes(op):
    numbers = {name: _integer(field, op.get(field)) for field, name in _OP_NUMBERS.items()}
    return {name: number for name, number in numbers.items() if number is not None}


def _integer(column, cell):
    """Returns an integer, or None for null: pandas stores a column of integers with nulls as floats."""
    if _is_null(cell):
        return None
    if isinstance(cell, float):
        if cell.is_integer() and abs(cell) <= _MAX_EXACT:
            return int(cell)
        raise ValueError(f"{column} is not exact in a column of floats: {column}={cell!r}; use the type Int64")
    return cell


def _is_null(cell):
    """Returns whether a cell is None, NaN, NaT or pandas.NA; a list is not null."""
    if cell is None:
        return True
    if isinstance(cell, (str, int, list, tuple, dict)):
        return False
    return type(cell).__name__ in ("NAType", "NaTType") or (isinstance(cell, float) and cell != cell)


def _json(tree):
    return json.dumps(_plain(tree), ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _plain(tree):
    """Returns a tree of dicts, lists and scalars that JSON has; numpy's types and nulls of pandas are converted."""
    if _is_null(tree):
        return None
    if isinstance(tree, dict):
        return {str(name): _plain(member) for name, member in tree.items()}
    if isinstance(tree, (list, tuple)):
        return [_plain(member) for member in tree]
    if isinstance(tree, (str, int, float)):
        return tree
    if hasattr(tree, "tolist"):  # arrays and scalars of numpy
        plain = tree.tolist()
        if isinstance(plain, (list, str, int, float)):
            return _plain(plain)
    raise TypeError(f"no such type in a history: type={type(tree).__name__} value={tree}; use int, str, float or bool")
