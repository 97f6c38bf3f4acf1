"""Runs the examples of docs/python.md and compares their output."""

import doctest
import os
import pathlib
import re
import tempfile
import unittest

PAGE = pathlib.Path(__file__).resolve().parents[3] / "docs" / "python.md"


class DocumentTest(unittest.TestCase):
    def test_examples_print_what_the_page_shows(self):
        page = PAGE.read_text(encoding="utf-8")
        examples = "\n".join(re.findall(r"```python\n(.*?)```", page, re.DOTALL))
        test = doctest.DocTestParser().get_doctest(examples, {}, PAGE.name, str(PAGE), 0)
        self.assertGreater(len(test.examples), 8)
        report = []
        before = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                results = doctest.DocTestRunner().run(test, out=report.append)
            finally:
                os.chdir(before)
        self.assertEqual(results.failed, 0, "".join(report))


if __name__ == "__main__":
    unittest.main()
