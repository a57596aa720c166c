# SPDX-License-Identifier: Apache-2.0
"""The repository check must accept a clean tree and fail on each planted mistake."""
import contextlib
import io
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import check_repo  # noqa: E402

LICENCE = "// SPDX-License-Identifier: Apache-2.0\n"


class CheckRepoTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.plant("Makefile", "# SPDX-License-Identifier: Apache-2.0\ntest:\n\ttrue\n")
        self.plant("src/a.h", LICENCE + "#pragma once\n")
        self.plant("README.md", "See [a](src/a.h) and `src/a.h`.\n\n```\nmake test\n```\n")

    def plant(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def run_check(self, *arguments):
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            code = check_repo.main(["--root", str(self.root), *arguments])
        return code, output.getvalue()

    def expect_problem(self, text):
        code, output = self.run_check()
        self.assertEqual(code, 1, output)
        self.assertIn(text, output)
        self.assertIn(", 1 problems", output)

    def test_accepts_a_clean_tree(self):
        self.assertEqual(self.run_check(), (0, "repository: 3 files, 0 problems\n"))

    def test_limits_the_length_of_a_file(self):
        self.plant("src/b.cc", LICENCE + "\n" * (check_repo.MAX_LINES - 1))
        self.assertEqual(self.run_check()[0], 0)
        self.plant("src/b.cc", LICENCE + "\n" * check_repo.MAX_LINES)
        self.expect_problem("src/b.cc:801: 801 lines, 800 allowed")

    def test_wants_a_licence_line(self):
        self.plant("tools/run", "#!/bin/sh\ntrue\n")
        self.expect_problem("tools/run:1: the first line must be the licence line")

    def test_refuses_using_namespace_in_headers(self):
        self.plant("src/b.h", LICENCE + "#pragma once\nusing namespace std;\n")
        self.expect_problem("src/b.h:3: no `using namespace`")

    def test_refuses_build_flags_in_headers(self):
        self.plant("src/b.h", LICENCE + "#pragma once\n#ifdef WITH_CUDA\n#endif\n")
        self.expect_problem("src/b.h:3: no conditional compilation")

    def test_wants_pragma_once(self):
        self.plant("src/b.h", LICENCE)
        self.expect_problem("src/b.h:1: a header needs #pragma once")

    def test_refuses_leftover_marks(self):
        mark = "TO" + "DO"
        self.plant("src/b.cc", LICENCE + f"// {mark}: later\n")
        self.expect_problem(f"src/b.cc:2: `{mark}` left over")

    def test_refuses_home_directories(self):
        self.plant("docs/a.md", "Look into /home" + "/somebody/data.\n")
        self.expect_problem("docs/a.md:1: names a home directory")

    def test_follows_links_and_paths_of_documents(self):
        self.plant("docs/a.md", "[up](../README.md) [out](https://example.org) `src/a.h` `src/<room>/x.cc`\n")
        self.assertEqual(self.run_check()[0], 0)
        self.plant("docs/a.md", "[up](README.md)\n")
        self.expect_problem("docs/a.md:1: the link README.md leads nowhere")
        self.plant("docs/a.md", "Run `tools/gone --check`.\n")
        self.expect_problem("docs/a.md:1: names tools/gone")
        self.plant("docs/a.md", "```\nlockstep train --config-file configs/gone.yaml\n```\n")
        self.expect_problem("docs/a.md:2: names configs/gone.yaml")

    def test_follows_documents_that_code_names(self):
        self.plant("src/b.cc", LICENCE + "// See docs/" + "gone.md.\n")
        self.expect_problem("src/b.cc:2: names docs/" + "gone.md")

    def test_knows_the_make_targets(self):
        self.plant("docs/a.md", "Type `make tests`.\n")
        self.expect_problem("docs/a.md:1: `make tests` is no target")

    def test_judges_commit_subjects(self):
        for subject in ("graph: add operator schemas", "config, data: read the catalog", "docs: say why B >= W"):
            self.assertIsNone(check_repo.check_subject(subject), subject)
        for subject in ("Add operator schemas", "graph: Add schemas", "graph: added schemas", "graph: add schemas.",
                        "graph:add", "graph: " + "x" * 72):
            self.assertIsNotNone(check_repo.check_subject(subject), subject)

    def test_reads_commits_from_git(self):
        git = ["git", "-C", str(self.root), "-c", "user.name=a", "-c", "user.email=a@example.org"]
        subprocess.run([*git, "init", "-q"], check=True)
        for subject in ("base: add a thing", "Second thing"):
            subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", subject], check=True)
        code, output = self.run_check("--commits", "HEAD")
        self.assertEqual(code, 1)
        self.assertIn("`Second thing`: wanted `room: imperative text`", output)
        self.assertIn("2 commits, 1 problems", output)


if __name__ == "__main__":
    unittest.main()
