# SPDX-License-Identifier: Apache-2.0
"""The layer check must accept the right direction and fail on planted mistakes."""
import contextlib
import io
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import check_layers  # noqa: E402


class CheckLayersTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.plant("src/lockstep/base/error.h", "#include <string>\n")
        self.plant("src/lockstep/tensor/tensor.h", '#include "lockstep/base/error.h"\n')
        self.plant("src/lockstep/graph/net.proto", "")
        self.plant("src/lockstep/ops/relu.cc", '#include "lockstep/graph/net.pb.h"\n')

    def plant(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def run_check(self):
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            code = check_layers.main(["--root", str(self.root)])
        return code, output.getvalue()

    def expect_problem(self, text):
        code, output = self.run_check()
        self.assertEqual(code, 1, output)
        self.assertIn(text, output)
        self.assertIn(", 1 problems", output)

    def test_accepts_the_right_direction(self):
        code, output = self.run_check()
        self.assertEqual((code, output), (0, "layers: 3 files, 0 problems\n"))

    def test_fails_on_an_upward_include(self):
        self.plant("src/lockstep/base/log.cc", '\n#include "lockstep/tensor/tensor.h"\n')
        self.expect_problem("src/lockstep/base/log.cc:2: base may not include tensor")

    def test_fails_on_a_sideways_include(self):
        self.plant("src/lockstep/eval/coco.cc", '#include "lockstep/data/roidb.h"\n')
        self.plant("src/lockstep/data/roidb.h", "")
        self.expect_problem("eval may not include data")

    def test_fails_where_the_library_includes_a_program(self):
        self.plant("src/lockstep/engine/trainer.cc", '#include "apps/lockstep/command.h"\n')
        self.plant("apps/lockstep/command.h", "")
        self.expect_problem('"apps/lockstep/command.h" is no path from src')

    def test_lets_programs_include_their_own_headers_but_no_operators(self):
        self.plant("apps/lockstep/command.h", "")
        self.plant("apps/lockstep/main.cc", '#include "command.h"\n')
        self.assertEqual(self.run_check()[0], 0)
        self.plant("src/lockstep/ops/relu.h", "")
        self.plant("apps/lockstep/train.cc", '#include "lockstep/ops/relu.h"\n')
        self.expect_problem("apps may not include ops")

    def test_fails_on_a_room_that_the_table_does_not_know(self):
        self.plant("src/lockstep/misc/helper.h", "")
        self.expect_problem("src/lockstep/misc/helper.h:1: stands in no known room")

    def test_fails_on_a_file_that_does_not_exist(self):
        self.plant("src/lockstep/tensor/view.cc", '#include "lockstep/base/gone.h"\n')
        self.expect_problem('"lockstep/base/gone.h" does not exist')

    def test_fails_on_a_relative_include(self):
        self.plant("src/lockstep/base/log.cc", '#include "error.h"\n')
        self.expect_problem('"error.h" is no path from src')

    def test_keeps_libraries_out_of_headers(self):
        self.plant("src/lockstep/config/yaml.cc", "#include <yaml-cpp/yaml.h>\n")
        self.assertEqual(self.run_check()[0], 0)
        self.plant("src/lockstep/config/yaml.h", "#include <yaml-cpp/yaml.h>\n")
        self.expect_problem("<yaml-cpp/yaml.h> must stay out of the headers of config")

    def test_fails_on_an_empty_tree(self):
        with tempfile.TemporaryDirectory() as folder:
            self.root = pathlib.Path(folder)
            self.assertEqual(self.run_check()[0], 1)

    def test_finds_two_way_pairs_in_a_table(self):
        self.assertEqual(check_layers.find_two_way_pairs(check_layers.ALLOWED), [])
        circle = {"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}
        self.assertIn(("a", "b"), check_layers.find_two_way_pairs(circle))


if __name__ == "__main__":
    unittest.main()
