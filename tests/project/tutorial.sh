#!/bin/bash
# docs/tutorial.md, followed to the letter in a home of its own: its files are written, its commands
# run by one shell in turn, and what they print stands below them. Its figure is the one that it shows.
# takes long
set -euo pipefail

tutorial=docs/tutorial.md
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unset MAKEFLAGS MFLAGS MAKELEVEL PKG_CONFIG_PATH LD_LIBRARY_PATH PYTHONPATH
python=0
/usr/bin/python3 -c 'import h5py, xarray' 2>/dev/null && python=1

# Blocks: of a console, commands (`$ `, continued by `> `) and what they print; else a file, whose
# first line names it.
awk -v python=$python -v script="$scratch/script" '
    function run() {
        if (command == "") return
        printf "cat <<\"END OF COMMAND\"\n$ %s\nEND OF COMMAND\n%s\n", command, command >script
        command = ""
    }
    /^```/ {
        if (inside && kind == "file") print "END OF FILE" >script
        if (inside) run()
        inside = !inside
        kind = $0 == "```console" ? "console" : "file"
        first = 1
        next
    }
    !inside { next }
    kind == "file" {
        if (first) {
            match($0, /[a-z]+\.[a-z]+:/)
            printf "cat >%s <<\"END OF FILE\"\n", substr($0, RSTART, RLENGTH - 1) >script
        }
        first = 0
        print >script
        next
    }
    /^[$] / {
        run()
        skipped = /python3/ && !python
        if (!skipped) command = substr($0, 3)
        if (!skipped) print
        next
    }
    skipped { next }
    /^> / && command != "" { command = command "\n" substr($0, 3); print substr($0, 3); next }
    { run(); print }
' "$tutorial" >"$scratch/expected"

HOME=$scratch bash "$scratch/script" >"$scratch/found" 2>&1 </dev/null || true

# Rounding and the width of columns are left out, and what is said of long work.
plain() {
    sed -E '/: at work for /d; s/-?[0-9.]+e-(1[2-9]|[2-9][0-9])/rounding/g; s/ +/ /g; s/ $//' "$1"
}
failed=0
diff <(plain "$scratch/expected") <(plain "$scratch/found") >"$scratch/log" || failed=1
((failed == 0)) || { echo 'tutorial: printed (>) is not what stands there (<):' >&2; head -n 30 "$scratch/log" >&2; }
for example in examples/*.c; do
    grep -q "^\$ cc .*$(basename "$example")" "$tutorial" || { echo "tutorial: $example is not run" >&2; failed=1; }
done

# The figure, but for the version of gnuplot in a comment.
if ! diff <(grep -v '^<!--\|Produced by' docs/topple.svg) <(grep -v '^<!--\|Produced by' "$scratch/crate/topple.svg") >"$scratch/log"; then
    echo 'tutorial: the figure is not docs/topple.svg:' >&2
    head -n 20 "$scratch/log" >&2
    failed=1
fi
exit "$failed"
