"""Checks and lakes, by the launcher that NIGHTJAR names."""

import os
import signal
import stat
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from unittest import mock

import nightjar
import pandas
from nightjar import _launcher

BIG = (1 << 60) + 1  # a float or a JavaScript number would round it


def skewed():
    return pandas.DataFrame([
        {"txn_id": BIG, "session_id": 1, "ops": [("w", "x", 1), ("w", "y", 1)]},
        {"txn_id": 2, "session_id": 2, "ops": [("r", "x", 1), ("r", "y", 1), ("w", "x", 2)]},
        {"txn_id": 3, "session_id": 3, "ops": [("r", "x", 1), ("r", "y", 1), ("w", "y", 3)]}])


class FolderTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def script(self, text, name="nightjar"):
        file = self.folder / name
        file.write_text("#!/bin/sh\n" + text)
        file.chmod(file.stat().st_mode | stat.S_IXUSR)
        return str(file)


class CheckTest(FolderTest):
    def test_data_frame_file_and_lake_agree(self):
        lake = self.folder / "lake"
        result = nightjar.check(skewed(), level=["si", "serializable"], lake=lake)
        of_file = nightjar.check(nightjar.history(skewed()), level="si,ser", lake="none")
        self.assertEqual((result.verdict, result.exit_code), ("violated", 1))
        self.assertEqual(of_file.levels.to_dict("records"), result.levels.to_dict("records"))
        self.assertEqual(set(of_file.anomalies.id), set(result.anomalies.id))
        self.assertIn("serializable: violated", repr(result))

        tables = nightjar.read_lake(lake)
        self.assertEqual(tables["runs"].run_id.tolist(), [result.run_id])
        self.assertRegex(str(tables["runs"].started_at.dtype), r"datetime64\[.s, UTC]")
        self.assertEqual(tables["level_verdicts"].set_index("level").verdict.to_dict(),
                         {"snapshot-isolation": "holds", "serializable": "violated"})
        self.assertEqual(set(tables["anomalies"].anomaly_id), set(result.anomalies.id))
        self.assertIn(BIG, tables["anomaly_txns"].txn_id.tolist())
        self.assertEqual(str(tables["anomaly_txns"].commit_ts.dtype), "Int64")
        self.assertGreater(len(tables["anomaly_edges"]), 1)
        self.assertEqual(len(nightjar.read_lake(lake, run="r'none")["runs"]), 0)

    def test_mixed_types_are_distinct(self):
        df = pandas.DataFrame({"session_id": [1, 2], "ops": [[("w", 1, "a"), ("w", "1", 2)], [("r", 1, 2)]]})
        self.assertEqual(nightjar.check(df, lake="none").anomalies.type.unique().tolist(), ["garbage-read"])

    def test_empty_data_frame_holds_with_lint(self):
        result = nightjar.check(skewed()[:0], lake="none")
        self.assertEqual((result.verdict, result.exit_code), ("holds", 0))
        self.assertEqual(result.lint.rule_id.tolist(), ["L17"])
        self.assertEqual(result.anomalies.columns.tolist()[:2], ["id", "type"])

    def test_undecided_level_has_its_reason(self):
        result = nightjar.check(skewed(), level="si", evidence="timestamps", lake="none")
        self.assertEqual((result.verdict, result.exit_code), ("undecided", 2))
        self.assertTrue(result.levels.reason[0])
        self.assertIn(result.levels.reason[0], repr(result))

    def test_failures_have_message_and_code(self):
        bad = self.folder / "-bad.jsonl"
        bad.write_text('{"session":1,"ops":[["w","x"')
        with self.assertRaisesRegex(nightjar.NightjarError, r"^\[.*bad.jsonl line=1\] unexpected text") as rejected:
            nightjar.check(bad, lake="none")
        self.assertEqual(rejected.exception.code, 3)
        with self.assertRaisesRegex(nightjar.NightjarError, "Unknown option: '--levels") as wrong:
            nightjar.check(bad, levels="si")
        self.assertEqual(wrong.exception.code, 64)
        with self.assertRaises(nightjar.NightjarError) as missing:
            nightjar.read_lake(self.folder / "none")
        self.assertIn(missing.exception.code, (3, 64))


class LauncherTest(FolderTest):
    def test_environment_precedes_path(self):
        on_path = self.script("exit 0")
        other = self.script("exit 0", "other")
        with mock.patch.dict(os.environ, {"PATH": str(self.folder), "NIGHTJAR": "", "NIGHTJAR_HOME": ""}):
            self.assertEqual(_launcher.find_launcher(), on_path)
            os.environ["NIGHTJAR"] = other
            self.assertEqual(_launcher.find_launcher(), other)
            os.environ["NIGHTJAR"] = ""
            os.environ["NIGHTJAR_HOME"] = str(self.folder / "nowhere")
            with self.assertRaisesRegex(FileNotFoundError, "no launcher in NIGHTJAR_HOME"):
                _launcher.find_launcher()

    def test_launcher_of_checkout_is_found(self):
        with mock.patch.dict(os.environ, {"PATH": "", "NIGHTJAR": "", "NIGHTJAR_HOME": ""}):
            self.assertEqual(Path(_launcher.find_launcher()), Path(__file__).resolve().parents[3] / "nightjar")
            with mock.patch.object(_launcher, "__file__", str(self.folder / "nightjar/_launcher.py")):
                with self.assertRaisesRegex(FileNotFoundError, "nightjar command is not installed: install"):
                    nightjar.check("h.jsonl")

    def test_launcher_of_wheel_needs_no_permission(self):
        (self.folder / "home").mkdir()
        (self.folder / "home/nightjar").write_text("echo 'nightjar: of the wheel' >&2; exit 70")
        with mock.patch.dict(os.environ, {"NIGHTJAR": "", "NIGHTJAR_HOME": ""}), \
                mock.patch("shutil.which", return_value=None), \
                mock.patch.object(_launcher, "__file__", str(self.folder / "_launcher.py")):
            with self.assertRaisesRegex(nightjar.NightjarError, "of the wheel"):
                nightjar.check("h.jsonl")

    def test_crash_is_no_verdict(self):
        cases = [("exit 1", 1), ("echo 'nightjar: a fault' >&2; exit 70", 70), ("kill -9 $$", -signal.SIGKILL)]
        for text, code in cases:
            with self.subTest(text), mock.patch.dict(os.environ, {"NIGHTJAR": self.script(text)}):
                with self.assertRaises(nightjar.NightjarError) as failure:
                    nightjar.check("h.jsonl")
                self.assertEqual(failure.exception.code, code)

    def test_interrupt_ends_the_command(self):
        pid = self.folder / "pid"
        launcher = self.script(f"echo $$ > '{pid}.new'; mv '{pid}.new' '{pid}'; exec sleep 600")
        process = subprocess.Popen([sys.executable, "-c", "import nightjar; nightjar.check('h.jsonl')"],
                                   env={**os.environ, "NIGHTJAR": launcher}, stderr=subprocess.PIPE, text=True)
        deadline = time.monotonic() + 60
        while not pid.exists() and time.monotonic() < deadline:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        self.assertIn("KeyboardInterrupt", err)
        with self.assertRaises(ProcessLookupError):
            os.kill(int(pid.read_text()), 0)

    def test_missing_pandas_is_named(self):
        result = nightjar.Result({"verdict": "holds", "levels": {}, "anomalies": []}, 0)
        with mock.patch.dict(sys.modules, {"pandas": None}):
            self.assertEqual(result.verdict, "holds")
            with self.assertRaisesRegex(ImportError, "data frames need pandas; install it"):
                result.levels


if __name__ == "__main__":
    unittest.main()
