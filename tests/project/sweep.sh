#!/bin/bash
# sweep runs any program at each point of a grid: what it keeps is what single runs give, whatever the
# threads, and whoever ran them; a point that fails or crashes is data; whatever ends a sweep, nothing
# is left behind; what cannot be swept is refused before the first point.
# usage: tests/project/sweep.sh [PROGRAM_FOLDER]
set -uo pipefail

bin=$(realpath "${1:-build/bin}")
columns=$bin/carom_columns
sweep=$bin/sweep
[[ -x $sweep ]] || sweep=$(realpath build/bin/sweep) columns=$(realpath build/bin/carom_columns)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
unset TMPDIR
failures=0
fail() {
    echo "sweep: $1" >&2
    failures=$((failures + 1))
}
# is ACTUAL EXPECTED WHAT
is() {
    [[ $1 == "$2" ]] || fail "$3: $1 instead of $2"
}
# run ARGUMENT...: must succeed.
run() {
    "$sweep" "$@" >said 2>err || fail "exit $? of $*: $(cat err)"
}
ball=("$bin/bouncing_ball" --scheme moreau-jean --duration 0.6)
# shellcheck disable=SC2016
error='error[m]=mean(abs(/moreau_jean/gap[:,0] - /reference/gap[:,0]))'

# A grid has the numbers of single runs, in the order of its axes, with the program's units.
grid=(--over restitution=0.25:0.75:0.5 --over step=0.005,0.01,0.02 --keep "$error")
run --output grid.h5 "${grid[@]}" -- "${ball[@]}"
[[ $(awk 'length > 80' said) == '' ]] || fail "more than 80 columns: $(cat said)"
grep -Eq '^ *kept +least +restitution +step +most +restitution +step$' said || fail "no table of extremes: $(cat said)"
grep -Eq '^ *error ' said || fail "the table does not name what was kept: $(cat said)"
i=0
for restitution in 0.25 0.75; do
    j=0
    for step in 0.005 0.01 0.02; do
        "${ball[@]}" --quiet --output one.h5 --restitution "$restitution" --step "$step"
        is "$("$columns" grid.h5 "/error[$i,$j]")" "$("$columns" one.h5 "${error#*=}")" "error at $restitution, $step"
        j=$((j + 1))
    done
    i=$((i + 1))
done
is "$("$columns" --header grid.h5 /step)" "# /step (s)"$'\n'"0.0050000000000000001"$'\n'0.01$'\n'0.02 'axis'
is "$("$columns" grid.h5 /counts/failed)" 0 'points that failed'
ncdump -h grid.h5 >header
grep -q 'double error(restitution, step) ;' header || fail 'ncdump sees no grid'

# A program of one's own, which may fail or crash: each point for itself.
cat >own <<END
#!/bin/bash
for word; do
    [[ \$word != --step=0.01 ]] || { echo first >&2; echo "own: no step of 0.01 in \${*: -1}" >&2; exit 7; }
    [[ \$word != --step=0.02 ]] || kill -SEGV \$\$
    [[ \$word != --step=0.03 ]] || exit 0
    [[ \$word != --step=0.04 ]] || { for word; do [[ \$word != --output=* ]] || echo none >"\${word#*=}"; done; exit 0; }
done
exec ${ball[*]} "\$@"
END
chmod +x own
own=(--over step=0.005:0.04:0.005 --keep "$error" --keep "end[s]=/moreau_jean/time[-1]")
run --output own.h5 "${own[@]}" -- ./own
is "$("$columns" own.h5 /exit_code | paste -sd' ')" '0 7 0 139 0 0 0 0' 'how points ended'
is "$("$columns" own.h5 /counts/failed)" 4 'points that failed'
is "$("$columns" own.h5 /error | grep -c nan)" 4 'points that are NaN'
h5dump -d /failures/sentence own.h5 >sentences
for sentence in '"own: no step of 0.01 in --output=record"' '"ended by signal 11"' '"it left no record"' \
    '"its record is not an HDF5 file"'; do
    grep -qF "$sentence" sentences || fail "no sentence $sentence: $(cat sentences)"
done
grep -qF 'first failure, at step=0.01:' said || fail "the failure is not said: $(cat said)"

# The same bytes for any threads, from a set file, in $TMPDIR, and from records of a batch system.
for threads in 1 2 4; do
    run --threads "$threads" --output "own-$threads.h5" "${own[@]}" -- ./own
    cmp own.h5 "own-$threads.h5" || fail "other bytes with $threads threads"
done
printf 'over = step=0.005:0.04:0.005\nkeep = %s\nkeep = end[s]=/moreau_jean/time[-1]\ncommand = ./own\n' "$error" >own.txt
mkdir elsewhere
TMPDIR=$scratch/elsewhere run --set own.txt --output own-set.h5
cmp own.h5 own-set.h5 || fail 'other bytes from a set file'
mkdir "a folder"
"$sweep" --print-commands --records "a folder" "${own[@]}" -- ./own >commands || fail 'commands are not printed'
is "$(wc -l <commands)" 8 'commands'
head -n 7 commands | while read -r command; do sh -c "$command"; done 2>/dev/null
run --records "a folder" --output own-part.h5 "${own[@]}" -- ./own
h5dump -d /failures/sentence own-part.h5 >sentences
grep -q '"has not been run"' sentences || fail 'a point that was not run is not said'
sh -c "$(tail -n 1 commands)"
run --records "a folder" --output own-batch.h5 "${own[@]}" -- ./own
cmp own.h5 own-batch.h5 || fail 'other bytes from records of commands'

# Points in a file, drawn at random, and as a sequence.
printf 'step,restitution\n0.005,0.25\n0.02,0.75\n' >points.csv
run --points points.csv --keep "$error" --output points.h5 -- "${ball[@]}"
is "$("$columns" points.h5 /error | paste -sd' ')" \
    "$("$columns" grid.h5 '/error[0,0]') $("$columns" grid.h5 '/error[1,2]')" 'points of a file'
run --sobol 4 --over step=0.005:0.02:x --over restitution=0.25:0.75 --keep "$error" --output sobol.h5 -- "${ball[@]}"
is "$("$columns" sobol.h5 /restitution | paste -sd' ')" '0.25 0.5 0.625 0.375' "points of Sobol's sequence"
for seed in 3 3 4; do
    run --random 2 --seed "$seed" --over step=0.005:0.02 --keep "$error" --output "random.h5" -- "${ball[@]}"
    "$columns" random.h5 /step /error | paste -sd' '
done >drawn
is "$(sort -u drawn | wc -l)" 2 'draws of two seeds'

# A series, and words: a scheme is one more axis.
run --over scheme=moreau-jean,nonsmooth-galpha --over step=0.01,0.02 --keep 'times[s]=/reference/time[:3]' \
    --output words.h5 -- "$bin/bouncing_ball" --duration 0.6
ncdump -v scheme_words words.h5 >header
grep -q 'double times(scheme, step, times_entry) ;' header || fail 'a series is no axis'
grep -q 'scheme_words = "moreau-jean", "nonsmooth-galpha" ;' header || fail 'words are not kept'

# Whatever ends a sweep: no record, no folder, no program that goes on.
cat >slow <<END
#!/bin/bash
[[ \$1 == --help ]] && exec "$bin/bouncing_ball" --help
echo \$\$ >>started
exec sleep 600
END
chmod +x slow
for signal in INT TERM KILL; do
    : >started
    "$sweep" --quiet --output ended.h5 --threads 2 --over step=1:8:1 --keep /x -- ./slow 2>/dev/null &
    pid=$!
    for ((i = 0; i < 200; i++)); do
        [[ -s started ]] && break
        sleep 0.05
    done
    # A job in the background of a script does not see INT.
    kill "-${signal/INT/HUP}" "$pid"
    wait "$pid" 2>/dev/null && fail "$signal did not end it"
    for ((i = 0; i < 200; i++)); do
        [[ -n $(find . -name '.ended*' -o -name 'ended*') ]] || break
        sleep 0.05
    done
    while read -r child; do
        # One that has ended may wait for its parent to see it.
        [[ $(ps -o stat= -p "$child") != [!Z]* ]] || fail "after $signal a program goes on"
    done <started
    is "$(find . -name '.ended*.??????' -o -name 'ended*')" '' "after $signal"
    find . -name '.ended*' -delete
done
is "$(find . elsewhere -maxdepth 1 -name '.*.h5*' -o -maxdepth 1 -name 'sweep.*' | wc -l)" 0 'folders that are left'

# A point that hangs is data too, and the others go on; those that end before the limit are as without.
cat >hanging <<END
#!/bin/bash
for word; do
    [[ \$word != --step=0.01 ]] || exec sleep 600
done
exec ${ball[*]} "\$@"
END
chmod +x hanging
limited=(--over step=0.005:0.02:0.005 --keep "$error")
started=$SECONDS
run --limit 3 --output limited.h5 "${limited[@]}" -- ./hanging
((SECONDS - started < 60)) || fail "a limit of 3 s took $((SECONDS - started)) s"
is "$("$columns" limited.h5 /exit_code | paste -sd' ')" '0 137 0 0' 'how points within a limit ended'
h5dump -d /failures/sentence limited.h5 | grep -qF '"had not ended after 3 s"' || fail 'a limit is not said'
"${ball[@]}" --quiet --step 0.015 --output one.h5
is "$("$columns" limited.h5 '/error[2]')" "$("$columns" one.h5 "${error#*=}")" 'error within a limit'

# A program of ours is loaded once for each thread, and forks for every point: what it says is what
# single processes say, and it is asked by the sweep alone.
cat >plain <<END
#!/bin/bash
exec ${ball[*]} "\$@"
END
chmod +x plain
for program in "$bin/bouncing_ball" ./plain; do
    run --threads 2 --output served.h5 --over step=-1,0.01,0.02,0.03 --over restitution=0.25,2 --keep "$error" \
        --keep 'gap=max(/moreau_jean/gap[:,0])' --keep 'times[s]=time[:3] in /reference' -- "$program" "${ball[@]:1}"
    "$columns" served.h5 /exit_code /error /gap >"served-${program##*/}"
    h5dump -d /times -d /error -d /gap -d /restitution -d /failures/sentence served.h5 >>"served-${program##*/}"
done
cmp served-bouncing_ball served-plain || fail 'points of a program that is loaded once are others'
CAROM_POINTS="$$ $bin/bouncing_ball" "$bin/bouncing_ball" --help >help
is "$(grep -c -- --serve-points help)" 1 'a program called by a sweep'
for caller in "$$ ./plain" "1 $bin/bouncing_ball"; do
    CAROM_POINTS=$caller "$bin/bouncing_ball" --help >help
    is "$(grep -c -- --serve-points help)" 0 "a program called by $caller"
done

# A point that crashes, and one that hangs, are data; one whose server is killed is too.
long=(--over duration=0.6,20 --keep "$error" -- "$bin/bouncing_ball" --step 5e-6 --scheme moreau-jean --record-every 100)
for victim in point server; do
    "$sweep" --quiet --threads 1 --output "killed-$victim.h5" "${long[@]}" 2>err &
    pid=$!
    child=
    for ((i = 0; i < 400; i++)); do
        # The second one: the first is tried before all.
        server=$(pgrep -P "$pid" -f -- --serve-points)
        [[ -z $(compgen -G ".killed-$victim.h5.*/*000001*") || -z $server ]] || child=$(pgrep -P "$server")
        [[ -z $child ]] || break
        sleep 0.02
    done
    [[ -n $child ]] || fail 'no point of a server is seen'
    if [[ $victim == point ]]; then
        kill -SEGV "$child"
    else
        kill -KILL "$server"
    fi
    wait "$pid" || fail "exit $? after the end of a $victim: $(cat err)"
done
is "$("$columns" killed-point.h5 /exit_code | paste -sd' ')" '0 139' 'a point that crashed'
is "$("$columns" killed-server.h5 /exit_code | paste -sd' ')" '0 137' 'points of a server that was killed'
run --threads 1 --limit 2 --output hung.h5 --over step=1e-9,0.01 --keep "$error" -- "$bin/bouncing_ball" \
    --scheme moreau-jean --duration 0.6 --record-every 100000
is "$("$columns" hung.h5 /exit_code | paste -sd' ')" '137 0' 'a point of a server that hung'

# What a killed sweep had finished is not run again: the same bytes, and fewer runs than twice all.
cat >counted <<END
#!/bin/bash
[[ \${*: -1} == --help ]] && exec "$bin/bouncing_ball" --help
echo run >>runs
sleep 0.3
exec ${ball[*]} "\$@"
END
chmod +x counted
counted=(--threads 2 --over step=0.005:0.1:0.005 --keep "$error" -- ./counted)
run --output whole.h5 "${counted[@]}"
rm runs
"$sweep" --quiet --output resumed.h5 --checkpoint finished "${counted[@]}" 2>/dev/null &
pid=$!
for ((i = 0; i < 400; i++)); do
    (($(cat runs 2>/dev/null | wc -l) >= 12)) && break
    sleep 0.05
done
kill -KILL "$pid"
wait "$pid" 2>/dev/null
[[ ! -e resumed.h5 ]] || fail 'a killed sweep left a record'
run --output resumed.h5 --checkpoint finished "${counted[@]}"
cmp whole.h5 resumed.h5 || fail 'other bytes from a checkpoint'
(($(wc -l <runs) < 36)) || fail "$(wc -l <runs) runs of 20 points"

# A disk that is full is no answer of a point: the sweep says so, and goes on where there is room.
cat >crowded <<END
#!/bin/bash
[[ \${*: -1} == --help ]] && exec "$bin/bouncing_ball" --help
echo run >>runs
for word; do
    [[ \$word != --step=0.01 || -e freed ]] || { echo "own: no room: No space left on device" >&2; exit 1; }
done
exec ${ball[*]} "\$@"
END
chmod +x crowded
crowded=(--threads 2 --over step=0.005:0.03:0.005 --keep "$error" -- ./crowded)
: >runs
status=0
"$sweep" --quiet --output crowded.h5 --checkpoint finished "${crowded[@]}" 2>err || status=$?
((status == 1)) && [[ ! -e crowded.h5 ]] || fail "exit $status on a full disk"
grep -qF 'at step=0.01: own: no room: No space left on device' err || fail "a full disk is not told: $(cat err)"
touch freed
run --output crowded.h5 --checkpoint finished "${crowded[@]}"
(($(wc -l <runs) == 8)) || fail "$(wc -l <runs) runs of 6 points, of which one had no room and the first is run twice"
mv crowded.h5 resumed.h5
run --output crowded.h5 "${crowded[@]}"
cmp crowded.h5 resumed.h5 || fail 'other bytes after a full disk'

# refused STATUS WORDS ARGUMENT...: one line, and nothing is left.
refused() {
    local expected=$1 words=$2 status=0
    shift 2
    mkdir out
    "$sweep" --quiet --output out/r.h5 "$@" >said 2>err || status=$?
    ((status == expected)) || fail "exit $status instead of $expected: $*: $(cat err)"
    (($(wc -l <err) == 1)) && grep -qF -- "$words" err || fail "no \"$words\" of $*: $(cat err)"
    [[ -z $(ls -A out) ]] || fail "left $(ls -A out) after $*"
    rm -rf out
}
refused 2 'a program is needed behind --' --over step=1 --keep /x
refused 2 '--over NAME=VALUES or --points FILE is needed' --keep /x -- "${ball[@]}"
refused 2 '--keep PATH is needed' --over step=1 -- "${ball[@]}"
refused 2 'has no option --stepp, by its --help' --over stepp=1 --keep /x -- "${ball[@]}"
refused 2 '-- ./nothing cannot be run: No such file' --over step=1 --keep /x -- ./nothing
refused 2 '-- ./own.txt cannot be run: Permission denied' --over step=1 --keep /x -- ./own.txt
refused 2 '--keep /x: character 3: /x: the record has no such path' --over step=0.01 --keep /x -- "${ball[@]}"
refused 2 'a table of 61 x 1; accepted is a number, or a series as' --over step=0.01 --keep /moreau_jean/gap -- "${ball[@]}"
refused 2 '"b" is not a number; accepted is first:last:step' --over step=0:b:1 --keep /x -- "${ball[@]}"
refused 2 '1000 x 1000 = 1000000 points, more than --most-points' --over step=1:1000:1 --over mass=1:1000:1 --keep /x -- "${ball[@]}"
refused 2 'no value lies there' --over step=2:1:1 --keep /x -- "${ball[@]}"
refused 2 '--points none.csv cannot be read' --points none.csv --keep /x -- "${ball[@]}"
refused 2 '--random must be positive, got 0' --random 0 --over step=0:1 --keep /x -- "${ball[@]}"
refused 2 '--limit is for points that sweep runs itself' --limit 1 --records . --over step=1 --keep /x -- "${ball[@]}"
refused 2 '--print-commands needs --records DIR' --print-commands --over step=1 --keep /x -- "${ball[@]}"
refused 1 'no point succeeds of 2 that were tried; the first: bouncing_ball: --step must be positive, got -1' \
    --over step=-1,-2 --keep /x -- "${ball[@]}"
status=0
"$sweep" --output no/such/r.h5 --over step=0.01 --keep "$error" -- "${ball[@]}" 2>err || status=$?
((status == 2)) && grep -qF 'no/such/r.h5 cannot be written' err || fail "exit $status of an output that is none: $(cat err)"
status=0
TMPDIR=$scratch/no "$sweep" --output r.h5 --over step=0.01 --keep "$error" -- "${ball[@]}" 2>err || status=$?
((status == 1)) && grep -qF 'cannot be made, for the records of the points' err || fail "exit $status without a folder: $(cat err)"

# A cube for xarray, where it is.
if /usr/bin/python3 -c 'import xarray, h5netcdf' 2>/dev/null; then
    /usr/bin/python3 - <<'END' || fail 'xarray does not open it as a cube'
import xarray
cube = xarray.open_dataset("grid.h5", engine="h5netcdf")
assert cube.error.dims == ("restitution", "step") and cube.step.attrs["units"] == "s"
assert cube.error.sel(restitution=0.75, step=0.02) == cube.error[1, 2]
words = xarray.open_dataset("words.h5", engine="h5netcdf")
assert list(words.scheme_words.values) == ["moreau-jean", "nonsmooth-galpha"] and words.times.shape == (2, 2, 3)
END
fi
echo "sweep: $failures failures"
((failures == 0))
