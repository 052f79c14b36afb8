#!/usr/bin/env python3
"""Count the lines of Rust code under crates/, the crates, and the levels of their graph.

    python3 tests/size/count.py [--each] [FOLDER]

Left out are tests (folders `tests`, `benches` and `examples`, files `tests.rs`, and what stands behind `#[cfg(test)]`),
comments and blank lines. crates/python is a workspace of its own and not counted as a crate; its lines are.
"""

import argparse
import pathlib
import re
import tomllib

CHARACTER = re.compile(r"'(?:[^'\\\n]|\\(?:[nrt0'\"\\]|x[0-9a-fA-F]{2}|u\{[0-9a-fA-F_]+\}))'")
RAW = re.compile(r'b?r(#*)"')


def without_comments(text):
    """The text with comments removed and the contents of strings replaced, so that braces and slashes count as code."""
    out, at, size = [], 0, len(text)
    while at < size:
        if text.startswith("//", at):
            at = text.find("\n", at)
            at = size if at < 0 else at
        elif text.startswith("/*", at):
            depth, at = 1, at + 2
            while at < size and depth:
                if text.startswith("/*", at):
                    depth, at = depth + 1, at + 2
                elif text.startswith("*/", at):
                    depth, at = depth - 1, at + 2
                else:
                    out.append("\n" if text[at] == "\n" else "")
                    at += 1
        elif (raw := RAW.match(text, at)) and (at == 0 or not (text[at - 1].isalnum() or text[at - 1] == "_")):
            end = text.index('"' + raw.group(1), raw.end()) + 1 + len(raw.group(1))
            out.append("".join("\n" if c == "\n" else "s" for c in text[at:end]))
            at = end
        elif text[at] == '"':
            end = at + 1
            while text[end] != '"':
                end += 2 if text[end] == "\\" else 1
            out.append("".join("\n" if c == "\n" else "s" for c in text[at : end + 1]))
            at = end + 1
        elif (literal := CHARACTER.match(text, at)) is not None:
            out.append("c")
            at = literal.end()
        else:
            out.append(text[at])
            at += 1
    return "".join(out)


def without_tests(text):
    """The text without the items behind `#[cfg(test)]`."""
    while (found := re.search(r"#\[cfg\(test\)\]", text)) is not None:
        at, depth = found.end(), 0
        while at < len(text):
            if text[at] in "{([":
                depth += 1
            elif text[at] in "})]":
                depth -= 1
                if depth == 0 and text[at] == "}":
                    break
            elif text[at] == ";" and depth == 0:
                break
            at += 1
        text = text[: found.start()] + text[at + 1 :]
    return text


def code_lines(path):
    text = without_tests(without_comments(path.read_text()))
    return sum(bool(line.strip()) for line in text.splitlines())


def sources(crate):
    left_out = {"tests", "benches", "examples", "target"}
    for path in sorted(crate.rglob("*.rs")):
        inside = path.relative_to(crate)
        if not left_out.intersection(inside.parts) and path.name != "tests.rs":
            yield path


def level(name, needs, known):
    if name not in known:
        known[name] = 1 + max((level(other, needs, known) for other in needs[name]), default=0)
    return known[name]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[2])
    parser.add_argument("--each", action="store_true", help="list the crates")
    options = parser.parse_args()
    lines, manifests = {}, {}
    for manifest in sorted(options.folder.glob("crates/*/Cargo.toml")):
        crate = manifest.parent
        lines[crate.name] = sum(map(code_lines, sources(crate)))
        if crate.name != "python":
            described = tomllib.loads(manifest.read_text())
            manifests[described["package"]["name"]] = (crate.name, described.get("dependencies", {}))
    needs = {name: [other for other in wanted if other in manifests] for name, (_, wanted) in manifests.items()}
    levels = {}
    for name in needs:
        level(name, needs, levels)
    if options.each:
        for name, (folder, _) in sorted(manifests.items(), key=lambda item: (levels[item[0]], item[1][0])):
            print(f"{folder:12} level {levels[name]:2} {lines[folder]:6} lines")
        print(f"{'python':12}          {lines.get('python', 0):6} lines")
    macros = sum(
        len(re.findall(r"\bjson!", without_tests(without_comments(path.read_text()))))
        for crate in options.folder.glob("crates/*")
        for path in sources(crate)
    )
    print(
        f"{sum(lines.values())} lines of code, {lines.get('cli', 0)} of them in cli; {len(manifests)} crates, "
        f"{max(levels.values())} levels deep; json! {macros} times"
    )


if __name__ == "__main__":
    main()
