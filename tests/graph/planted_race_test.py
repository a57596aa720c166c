# SPDX-License-Identifier: Apache-2.0
"""ThreadSanitizer must report the races that planted_race plants, and nothing else of it.

    planted_race_test.py PROGRAM
"""
import os
import subprocess
import sys
import unittest

PROGRAM = None
REPORT = "WARNING: ThreadSanitizer: data race"


class PlantedRaceTest(unittest.TestCase):
    def run_kind(self, kind):
        options = os.environ.get("TSAN_OPTIONS", "") + ":halt_on_error=0:exitcode=66"
        done = subprocess.run([PROGRAM, kind], capture_output=True, text=True, timeout=300, check=False,
                              env={**os.environ, "TSAN_OPTIONS": options})
        self.assertIn("ran to the end", done.stdout, done.stderr)
        return done.returncode, done.stderr

    def test_marks_of_two_operators_meet(self):
        code, report = self.run_kind("two_nets")
        self.assertEqual(report.count(REPORT), 1, report)
        self.assertIn("mark_write", report)
        self.assertIn("mark_read", report)
        self.assertEqual(code, 66)

    def test_mark_meets_an_access_past_the_graph(self):
        code, report = self.run_kind("peek")
        self.assertEqual(report.count(REPORT), 1, report)
        self.assertIn("mark_write", report)
        self.assertIn("peek", report)
        self.assertEqual(code, 66)

    def test_an_edge_orders_the_operators(self):
        self.assertEqual(self.run_kind("edge"), (0, ""))

    def test_without_the_marks_nothing_would_be_seen(self):
        self.assertEqual(self.run_kind("unmarked"), (0, ""))


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
