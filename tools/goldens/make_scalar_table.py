#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes tests/config/goldens/scalars.txt: what PyYAML and Python make of a value in a config file.

    /usr/bin/python3 tools/goldens/make_scalar_table.py

Needs python3-yaml. Every line has four columns with tabs between them:
  1. the value as a file states it after `KEY: `;
  2. what yaml.safe_load makes of it;
  3. what a text then becomes through ast.literal_eval (Detectron2's configs read texts so); other values stay;
  4. the types that this fits without a loss: b truth value, i whole number of 64 bits, f number (whole numbers up to
     2**53 are exact), s text (column 2 is one), l list of whole numbers, t list of texts.
Values are written as None, True, False, 12, float %.17g, date ..., other ..., "text", [items] and {"key": value}.
"""
import ast
import datetime
import pathlib

import yaml

SCALARS = """
~ null Null NULL nULL None none
yes Yes YES yEs no No NO on On ON off Off OFF y Y n N true True TRUE tRue false False FALSE t f
0 1 -1 +1 -0 +0 00 007 010 -010 +010 08 09 019 0o10 0O17 0o8 0_1 1_000 1__000 1_ _1 -1_0 +1_0 12345678901
0x1F 0X1F 0xg -0x10 +0xff 0x_f 0x 0b1 0b101 -0b11 0b2 0B1 0b_1
9223372036854775807 -9223372036854775808 9007199254740993 9223372036854775808 -9223372036854775809
1:30 190:20:30 -1:30 +1:30 0:30 1:60 1:59 1:5 1:30.5 -1:30.25 1:30. 01:30 1:30:75 1_0:30
0. 1. -1. .02 -.02 +.02 .5e1 0.02 00.5 1.5 -2.5 +2.5 1_0.5 1._5 1.5_0 ._5 . -. +. .. 1.2.3
1e3 1E3 1e-3 1e+3 +1e3 -1e3 1.e3 1.e+3 1.0e3 1.0e+3 1.0E+3 1.0e-3 1.0e 1e 1e+ e3 1.0e-400 1.0e+400 .1e-3 .1e+3 .1e3
1_0e3 1.5e+1_0 4.9e-324 0.1 1.7976931348623157e+308 2.5e-05
.inf .Inf .INF -.inf +.inf .iNf inf -inf Infinity .nan .NaN .NAN .nAn nan -.nan
2001-12-14 2001-1-1 2001-12-14T21:59:43.10Z 2001-12-14x 12-14
(1,) (1) () (1,2) (60000,80000) (1,2,) (1,,2) (,) (-1,+2) (1.5,2) (1e3,) (True,False) (None,) (0x10,0b1,0o7)
(010,) ((1,2),(3,4)) ("a",) ('a','b') (a,b) ("a" (1 1) 1,2 1,
1+1 -(1) --1 +-1 1-1 2**3 1if x.y x() 1j 1+2j lambda abs
res2 FrozenBN coco_2017_train ./output /a/b a:b http://x/y a#b detectron2://x.pkl <<x == a=b $x ${HOME}
"""

SPACED = [
    "", "''", '""', "'None'", "'True'", "'1'", '"1e-3"', "'1.5'", "'yes'", "'010'", "'0x1F'", "'(1, 2)'", "'[1, 2]'",
    "'it''s'", '"\\t"', '"\\x41"', '"\\u00e9"', "'\\t'", '"\'res2\'"', "'\"res2\"'", "'\"a\" \"b\"'", '"r\'\\\\n\'"',
    "\"u'a'\"", "\"b'a'\"", "\"f'a'\"", '"\'\\\\n\'"', "'{1: 2}'", "'{1}'", "'{}'", "'[]'", "'1 2'", "' 1'", "'1 '",
    "'1 # 2'", "'# 1'", "' '", '"1\\n"', '"\\n1"', '"(1,\\n2)"', "'1;2'", "'- 1'", "'-1_0'", "'1__0'", "'1_'", "'00'",
    "'0_0'", "'.5'", "'5.'", "'.'", "'1e400'", "'-1e400'", "'1e-400'", "'0e99999999999999999999'",
    "'1e-99999999999999999999'", "'-1e99999999999999999999'", "'99999999999999999999'", "'0o17'", "'0b12'", "'0x_f'",
    "'0_1'", "'1_0.5_0'", "'1e1_0'", "'1._5'", "'None '", "'NaN'", "'inf'", "'...'", "'not True'", "(60000, 80000)",
    '("coco_2017_train",)', "('a', \"b\")", "(1, (2, 3))", "( 1 , )", "(1, 2", "1, 2", "a b", "a  b", "1 2",
    "True False", "[]", "[1, 2]", "[1, 2.5]", "[1, '2']", "[yes, no]", "[a, b]", "['a', 1]", "[[1], [2, 3]]", "[~]",
    "[(1, 2), (3,)]", "[0x10, 010, 1_0]", "['0x10']", "[1e3, 1.5]", "[True]", "[2001-12-14]", "{}", "{a: 1}",
    "0 # a comment", "yes # a comment", "a# no comment", "!!str 1", "!!str yes", "!!str", "! 1", "|\n  1\n",
    "|-\n  1\n", ">-\n  a\n  b\n", "\n  a\n  b\n", "\n  - 1\n  - 2\n",
]


def literal(value):
    if not isinstance(value, str):
        return value
    try:
        return ast.literal_eval(value)
    except (ValueError, SyntaxError, MemoryError):
        return value


def canonical(value):
    if value is None or isinstance(value, (bool, int)):
        return repr(value)
    if isinstance(value, float):
        return "float %.17g" % value
    if isinstance(value, str):
        text = value.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t").replace('"', '\\"')
        return f'"{text}"'
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(canonical(item) for item in value) + "]"
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        return "{" + ", ".join(f"{canonical(key)}: {canonical(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (datetime.date, datetime.datetime)):
        return "date " + str(value)
    return "other " + repr(value)


def is_whole(value):
    value = literal(value)
    if isinstance(value, float):
        return value.is_integer() and abs(value) <= 2.0**53
    return isinstance(value, int) and not isinstance(value, bool) and -(2**63) <= value < 2**63


def is_number(value):
    value = literal(value)
    return isinstance(value, float) or is_whole(value) and abs(value) <= 2**53


def fits(value):
    decoded = literal(value)
    items = decoded if isinstance(decoded, (list, tuple)) else None
    rules = {
        "b": isinstance(decoded, bool),
        "i": is_whole(value),
        "f": is_number(value),
        "s": isinstance(value, str),
        "l": items is not None and all(is_whole(item) for item in items),
        "t": items is not None and all(isinstance(item, str) for item in items),
    }
    return "".join(letter for letter, holds in rules.items() if holds) or "-"


def main():
    lines = []
    for text in SCALARS.split() + SPACED:
        value = yaml.safe_load("KEY: " + text)["KEY"]
        shown = text.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t")
        lines.append("\t".join([shown, canonical(value), canonical(literal(value)), fits(value)]))
    root = pathlib.Path(__file__).resolve().parents[2]
    target = root / "tests" / "config" / "goldens" / "scalars.txt"
    target.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{target.relative_to(root)}: {len(lines)} values")


if __name__ == "__main__":
    main()
