"""Conversion of data frames to JSON Lines."""

import json
import tempfile
import unittest
from pathlib import Path

import nightjar
import numpy
import pandas


def lines(df):
    with tempfile.TemporaryDirectory() as folder:
        path = nightjar.history(df, Path(folder) / "h.jsonl")
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


class HistoryTest(unittest.TestCase):
    def test_columns_have_the_names_of_json_lines(self):
        df = pandas.DataFrame([{
            "txn_id": 7, "session_id": 1, "session_seq": 0, "status": "unknown", "start_ts": 10, "commit_ts": 12,
            "invoke_ns": 1 << 62, "complete_ns": (1 << 62) + 1,
            "ops": [{"kind": "w", "key": "x", "value": 1, "version": 4, "elements": None},
                    {"kind": "r", "key": "l", "value": None, "elements": numpy.array([3, 7]), "writer_txn": 2.0},
                    ("r", "y", None)]}])
        self.assertEqual(lines(df), [{
            "txn": 7, "session": 1, "seq": 0, "status": "unknown", "start": 10, "commit": 12,
            "invoke": 1 << 62, "complete": (1 << 62) + 1,
            "ops": [["w", "x", 1, {"version": 4}], ["r", "l", [3, 7], {"writer": 2}], ["r", "y", None]]}])

    def test_nulls_are_omitted(self):
        df = pandas.DataFrame({
            "session_id": [1, 2], "status": ["committed", None], "start_ts": [5, None], "node": [None, "n1"],
            "commit_ts": pandas.array([None, (1 << 62) + 1], dtype="Int64"), "ops": [[], [("r", "x", float("nan"))]]})
        self.assertEqual(lines(df), [
            {"session": 1, "status": "committed", "start": 5, "ops": []},
            {"session": 2, "commit": (1 << 62) + 1, "ops": [["r", "x", None]], "extra": {"node": "n1"}}])

    def test_keys_and_values_keep_their_types(self):
        ops = [["w", 1, "1"], ["w", "1", 1], ["w", True, 1.5], ["w", numpy.int64(3), numpy.str_("é")]]
        self.assertEqual(lines(pandas.DataFrame({"session_id": [1], "ops": [ops]}))[0]["ops"],
                         [["w", 1, "1"], ["w", "1", 1], ["w", True, 1.5], ["w", 3, "é"]])

    def test_rows_of_predicate_reads_are_nested(self):
        ops = [{"kind": "p", "key": "t", "predicate": "c1 <= ?", "params": "[10]", "rows": 2, "read_ts": 812},
               {"kind": "r", "key": "t/2", "value": '{"c1":5}', "version": 7, "writer_txn": 3},
               {"kind": "v", "key": "t/9"},
               {"kind": "p", "key": None, "predicate": "TRUE", "params": None, "rows": None, "value": 3},
               {"kind": "d", "key": "t/1"}]
        self.assertEqual(lines(pandas.DataFrame({"session_id": [1], "ops": [ops]}))[0]["ops"], [
            ["p", "c1 <= ?", [10], [["r", "t/2", '{"c1":5}', {"version": 7, "writer": 3}], ["v", "t/9", None]],
             {"relation": "t", "read_ts": 812}],
            ["p", "TRUE", None, None, {"value": 3}],
            ["d", "t/1", None]])

    def test_extra_contains_other_columns(self):
        df = pandas.DataFrame({"session_id": [1, 1, 1], "ops": [[], [], []], "start": ["a", "b", None],
                               "extra": ['{"n":1.10,\n"s":"é"}', "{}", {"n": 2}]})
        self.assertEqual([line["extra"] for line in lines(df)], [{"start": "a", "n": 1.1, "s": "é"}, {"start": "b"}, {"n": 2}])

    def test_errors_name_row_and_cause(self):
        cases = [
            ({"session_id": [1]}, "no column ops"),
            ({"session_id": [1], "ops": [None]}, r"\[row=1\] ops is null"),
            ({"session_id": [1], "ops": [[]], "start_ts": [2.5]}, "start_ts is not exact"),
            ({"session_id": [1, 2], "ops": [[], []], "start_ts": [2.0**60, None]}, "use the type Int64"),
            ({"session_id": [1], "ops": [[("w", "x", object())]]}, "no such type in a history: type=object"),
            ({"session_id": [1], "ops": [[("w", "x", float("inf"))]]}, r"\[row=1\]"),
            ({"session_id": [1], "ops": [[{"kind": "w", "key": "x", "val": 1}]]}, "unknown fields of an operation: fields=val"),
            ({"session_id": [1], "ops": [[{"kind": "p", "rows": 1}]]}, "fewer rows than stated"),
            ({"session_id": [1], "ops": [[]], "extra": ["[]"]}, "extra is not a JSON object"),
        ]
        for columns, message in cases:
            with self.subTest(message), self.assertRaisesRegex(ValueError, message):
                lines(pandas.DataFrame(columns))

    def test_temporary_file_is_removed_when_python_ends(self):
        import subprocess
        import sys
        code = ("import nightjar, pandas; p = nightjar.history(pandas.DataFrame({'session_id': [1], 'ops': [[]]}));"
                "assert p.read_text() == '{\"session\":1,\"ops\":[]}\\n'; print(p)")
        path = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.strip()
        self.assertTrue(path.endswith("history.jsonl"))
        self.assertFalse(Path(path).parent.exists())


if __name__ == "__main__":
    unittest.main()
