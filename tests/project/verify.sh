#!/bin/bash
# The tools that stand between records and document catch what they must: a wrong published value, a
# missing record, a stale mark, a malformed file; and they let right ones pass. The record is made by
# ncgen, a program that knows nothing of ours.
# usage: tests/project/verify.sh [PROGRAM_FOLDER]
set -uo pipefail

bin=${1:-build/bin}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0
fail() {
    failures=$((failures + 1))
    echo "verify: $1" >&2
    sed 's/^/    /' "$scratch/out" "$scratch/err" >&2
}

# expect STATUS WORD COMMAND...: WORD (a fixed text, or nothing) must occur in what it prints.
expect() {
    local expected=$1 word=$2 status=0
    shift 2
    "$@" >"$scratch/out" 2>"$scratch/err" || status=$?
    ((status == expected)) || fail "exit $status instead of $expected: $*"
    [[ -z $word ]] || grep -qF -- "$word" "$scratch/out" "$scratch/err" || fail "does not say \"$word\": $*"
}

# complains WORD COMMAND...: exit 1 and exactly one sentence, on stderr, that says WORD.
complains() {
    expect 1 "$@"
    [[ $(wc -l <"$scratch/err") == 1 && ! -s $scratch/out ]] || fail "not one sentence: ${*:2}"
}

# ------------------------------------------------------------------------------------ the records
mkdir "$scratch/results" "$scratch/tex"
cat >"$scratch/ball.cdl" <<'CDL'
netcdf ball {
group: ball {
  dimensions: time = 5 ; contact = 2 ;
  variables:
    double time(time) ; time:units = "s" ;
    double gap(time, contact) ; gap:units = "m" ;
  data:
    time = 0, 0.25, 0.5, 0.75, 1 ;
    gap = 1, -1, 2, -2, 3, -3, 4.125, NaN, 5, -5.5 ;
}
group: claims {
  variables: int holds ; int broken ; int count ; double period ;
  data: holds = 1 ; broken = 0 ; count = 7 ; period = 3.60221 ;
}
}
CDL
ncgen -k nc4 -o "$scratch/results/ball.h5" "$scratch/ball.cdl" || fail 'ncgen cannot make a record (netcdf-bin)'
cp "$scratch/results/ball.h5" "$scratch/results/other.h5"

header=id,paper,location,quantity,kind,published,tolerance,unit,expression,verdict,note
# published ROW...: the rows of ball.csv, the only published file.
published() {
    rm -rf "$scratch/published"
    mkdir "$scratch/published"
    printf '%s\n' "$header" "$@" >"$scratch/published/ball.csv"
}
short=("$bin/verify" --published "$scratch/published" --results "$scratch/results")
verify=("${short[@]}" --wide)
period='a,key,Fig. 1,period,printed,3.6022,digits,s,/claims/period,,'

# ------------------------------------------------------------------------------------- verify
published "$period" \
    'b,key,"Table 2, left",last gap,stated,,,m,"/ball/gap[-1,0] <= 5.5",,' \
    'c,key,Table 2,first gap,printed,1,exact,m,"other:/ball/gap[0,0]",,"the ""other"" one"' \
    'd,key,Sec. 3,impacts,derived,7,exact,1,/claims/count,conditioned,with these springs' \
    'e,key,Sec. 3,it holds,stated,,,1,/claims/holds,,' \
    'f,key,Sec. 3,it is so,stated,,,1,/claims/count < 3,differs 7 +- 0,a counterexample is recorded' \
    'g,key,Eq. 4,period & 100 %,printed,3.7,0.05 drawn,s,/claims/period,differs 3.6022 +- 1e-4,misprint of 3.6' \
    'h,key,Eq. 5,mass,printed,3.7,digits,kg,,not reproducible,no data' \
    'i,key,Eq. 6,speed,stated,,,1,/claims/period < 4,inconclusive 3.602 +- 0.001,too few'
expect 0 '4 agree, 2 differ, 1 conditioned, 2 open, 0 fail' "${verify[@]}"
[[ $(tail -n 1 "$scratch/out") == '4 agree, 2 differ, 1 conditioned, 2 open, 0 fail' ]] || fail 'the totals are not the last line'
grep -q '^g .* differs  *misprint of 3.6$' "$scratch/out" || fail 'the reason of a difference is not shown'
expect 0 '2 agree, 1 differ, 0 conditioned, 1 open, 0 fail' "${short[@]}" --kind printed --only 'agrees,differs,not reproducible' --paper key

# fails WORD ROW...: exactly one row fails, beside a right one, for the reason given.
fails() {
    published "$period" "${@:2}"
    expect 1 '1 agree, 0 differ, 0 conditioned, 0 open, 1 fail' "${verify[@]}"
    grep -q "^x .* fails  .*$1" "$scratch/out" || fail "row x does not fail for \"$1\""
}
fails 'outside' 'x,key,l,period,printed,3.6023,digits,s,/claims/period,,'
fails 'outside' 'x,key,l,period,printed,-3.6022,digits,s,/claims/period,,'
fails 'does not hold' 'x,key,l,gap,stated,,,m,"/ball/gap[-1,0] <= 4.95",,'
fails 'outside' 'x,key,l,impacts,printed,8,exact,1,/claims/count,,'
fails 'does not hold' 'x,key,l,it is so,stated,,,1,/claims/broken,,'
fails 'neither 0 nor 1' 'x,key,l,it is so,stated,,,1,/claims/count,,'
fails 'stale' 'x,key,l,period,printed,3.6022,digits,s,/claims/period,differs 3.6022 +- 1e-4,we think so'
fails 'not what the row says' 'x,key,l,period,printed,3.7,digits,s,/claims/period,differs 3.61 +- 1e-4,we think so'
fails 'not what the row says' 'x,key,l,period,printed,3.7,digits,s,/claims/period,not reproducible 3.61 +- 1e-4,no data'
fails 'without what ours is' 'x,key,l,period,stated,,,s,/claims/period < 3,differs,we think so'
fails 'missing' 'x,key,l,period,printed,3.6022,digits,s,none:/claims/period,,'
fails 'missing' 'x,key,l,period,printed,3.6022,digits,s,none:/claims/period,differs 1 +- 0,we think so'
fails 'no such path' 'x,key,l,period,printed,3.6022,digits,s,/claims/none,,'
fails 'where one number is expected' 'x,key,l,time,printed,1,digits,s,/ball/time,,'
fails 'ends too early' 'x,key,l,time,printed,1,digits,s,1 +,,'
fails 'the index 5 is outside 5 entries' 'x,key,l,time,printed,1,digits,s,/ball/time[5],,'
fails 'it is nan' 'x,key,l,gap,printed,9,digits,m,"/ball/gap[3,1]",,'
fails 'NaN is compared' 'x,key,l,gap,stated,,,1,"all(/ball/gap < 9)",,'
fails 'does not hold' 'x,key,l,gap,stated,,,1,"max(gap[:,0]) < 2 * 2 in /ball",,'

# What a truth hangs on is shown.
published "$period" 'x,key,l,gap,stated,,,1,"max(gap[:,0]) < 2 * 3 & rows(time) == 5 in /ball",,'
expect 0 '5 < 6, 5 == 5  17 % ' "${verify[@]}"

published "$period" "$period"
expect 1 '0 agree, 0 differ, 0 conditioned, 0 open, 2 fail' "${verify[@]}"
published "$period"
cp "$scratch/published/ball.csv" "$scratch/published/other.csv"
expect 1 'used twice' "${verify[@]}"
rm "$scratch/results/other.h5"
published "$period"
mv "$scratch/published/ball.csv" "$scratch/published/other.csv"
expect 1 'missing' "${verify[@]}"

published 'x,key,l,period,printed,3.6022,,s,/claims/period,,'
expect 1 'ball.csv:2: tolerance is not' "${verify[@]}"
published "$period" 'x,key,l,"period,printed,3.6022,digits,s,/claims/period,,'
expect 1 'ball.csv:3: an unclosed quote' "${verify[@]}"
printf '%s\n' "id,$header" >"$scratch/published/ball.csv"
expect 1 'ball.csv:1: the header' "${verify[@]}"
published
expect 1 'nothing to verify' "${verify[@]}"
rm "$scratch/published/ball.csv"
expect 1 'nothing to verify' "${verify[@]}"
complains 'cannot be read' "$bin/verify" --published "$scratch/none" --results "$scratch/results"
complains 'of agrees, differs' "${short[@]}" --only agrees,wrong
complains 'of printed, stated' "${short[@]}" --kind printed,
complains 'no choice' "${short[@]}" --only agrees --latex "$scratch"

# The terminal: a summary with what fails, chosen items, at most 80 columns.
published "$period" 'x,other,Fig. 2,"a quantity whose name is long enough to need more than one line of a terminal of eighty columns",printed,3.6000,digits,s,/claims/period,,' \
    'g,key,Eq. 4,period,printed,3.7,digits,s,/claims/period,differs 3.6022 +- 1e-4,misprint of 3.6'
cp "$scratch/published/ball.csv" "$scratch/published/second.csv"
sed -i 's/^\([agx]\),/\12,/' "$scratch/published/second.csv"
cp "$scratch/results/ball.h5" "$scratch/results/second.h5"
expect 1 '2 agree, 2 differ, 0 conditioned, 0 open, 2 fail' "${short[@]}"
grep -Eq '^key +4 +2 +2 +0 +0 +0$' "$scratch/out" || fail 'the sums of a paper are wrong'
grep -Eq '^ +second +2 +1 +1 +0 +0 +0$' "$scratch/out" || fail 'the counts of an experiment are wrong'
grep -Eq '^all papers +printed +6 +2 +2 +0 +0 +2$' "$scratch/out" || fail 'the counts of a kind are wrong'
[[ $(grep -c '^fails  *x2*$' "$scratch/out") == 2 ]] || fail 'what fails is not shown'
awk 'length > 80 { exit 1 }' "$scratch/out" || fail 'more than 80 columns'
expect 1 '0 agree, 0 differ, 0 conditioned, 0 open, 1 fail' "${short[@]}" --paper other --experiment second
[[ $(grep -c '^[a-z]*  *[agx]2*$' "$scratch/out") == 1 ]] || fail 'other items than the chosen one'
awk 'length > 80 { exit 1 }' "$scratch/out" || fail 'more than 80 columns'
expect 0 '0 agree, 2 differ, 0 conditioned, 0 open, 0 fail' "${short[@]}" --only differs
expect 0 'misprint of 3.6' "${short[@]}" --only differs
expect 1 '0 agree, 2 differ, 0 conditioned, 0 open, 2 fail' "${short[@]}" --only differs,fails
expect 1 'nothing to verify' "${short[@]}" --experiment none
rm "$scratch/published/second.csv" "$scratch/results/second.h5"
complains 'unknown' "$bin/verify" --publish "$scratch/published"

# ------------------------------------------------------------------------- tables of the document
published "$period" 'g,key,Eq. 4,$x^2$ & 100 %,printed,3.7,0.05 drawn,s,/claims/period,differs 3.6022 +- 1e-4,x_1' \
    'h,key,Eq. 4,it holds,stated,,,1,/claims/period < 3.7,,'
expect 0 '1 differ' "${verify[@]}" --latex "$scratch/tex"
expect 0 '\newcommand{\VerifyPrintedDifferCount}{1}' cat "$scratch/tex/verify-totals.tex"
expect 0 '\newcommand{\VerifyPrintedCount}{2}' cat "$scratch/tex/verify-totals.tex"
expect 0 '$x^2$ \& 100 \% (s) & \num{3.7} $\pm$ \num{0.05} & \num{3.60} & differs' cat "$scratch/tex/verify-ball.tex"
expect 0 'x\_1' cat "$scratch/tex/verify-ball.tex"
expect 0 'period \textless{} 3.7' cat "$scratch/tex/verify-ball.tex"
expect 0 'ball & printed & 2 & 1 & 1 & 0 & 0 & 0' cat "$scratch/tex/verify-key.tex"
expect 0 '\verificationtable{ball}' cat "$scratch/tex/verify-tables.tex"
before=$(stat -c '%i %y' "$scratch"/tex/*)
expect 0 '1 differ' "${verify[@]}" --latex "$scratch/tex"
[[ $(stat -c '%i %y' "$scratch"/tex/*) == "$before" ]] || fail 'unchanged tables were rewritten'
[[ $(ls "$scratch/tex") == $'verify-ball.tex\nverify-key.tex\nverify-tables.tex\nverify-totals.tex' ]] || fail 'other files beside the tables'
expect 1 'cannot be' "${verify[@]}" --latex "$scratch/none"

# ------------------------------------------------------------------------------------- numbers
section=$scratch/ball.tex
numbers=("$bin/numbers" --section "$section" --record "$scratch/results/ball.h5" --output "$scratch/numbers.tex")
cp "$scratch/results/ball.h5" "$scratch/results/other.h5"
cat >"$section" <<'TEX'
Text with 100 \% of its meaning.
% number \BallPeriod /claims/period %.4f \second
  %  number \BallGap  other:/ball/gap[-1,1]  %.2e  1
% numbers like these are no declaration
TEX
expect 0 '' "${numbers[@]}"
diff - "$scratch/numbers.tex" <<'TEX' || fail 'other numbers'
% Numbers of ball.tex, made from the records: do not edit.
\newcommand{\BallPeriod}{\qty{3.6022}{\second}}
\newcommand{\BallGap}{\num{-5.50e0}}
TEX
before=$(stat -c '%i %y' "$scratch/numbers.tex")
expect 0 '' "${numbers[@]}"
[[ $(stat -c '%i %y' "$scratch/numbers.tex") == "$before" ]] || fail 'unchanged numbers were rewritten'
rm "$scratch/numbers.tex"

# refuses WORD LINE: the line is refused, and no file is written.
refuses() {
    printf '%s\n' '% number \Fine /claims/period %.4f \second' "$2" >"$section"
    complains "ball.tex:2: " "${numbers[@]}"
    grep -qF -- "$1" "$scratch/err" || fail "does not say \"$1\": $2"
    [[ ! -e $scratch/numbers.tex ]] || fail "wrote a file: $2"
}
refuses 'no such path' '% number \Gone /claims/none %.4f \second'
refuses 'missing' '% number \Gone none:/claims/period %.4f \second'
refuses 'it is nan' '% number \Gone /ball/gap[3,1] %.4f \metre'
refuses 'is \MacroName EXPRESSION' '% number \Short /claims/period %.4f'
refuses 'siunitx unit' '% number \Long /claims/period %.4f \second more'
refuses 'letters' '% number \Ball2 /claims/period %.4f \second'
refuses 'letters' '% number Ball /claims/period %.4f \second'
refuses 'format' '% number \Ball /claims/period %d \second'
refuses 'format' '% number \Ball /claims/period %.4f%s \second'
for unit in 'm$' '\one' - '\metre\one' '\metres' 'm' '\second\tothe{x}' '\tothe{2' '\metre1' '1\metre'; do
    refuses 'unit' "% number \\Ball /claims/period %.4f $unit"
done
refuses 'twice' '% number \Fine /claims/period %.3f \second'
complains 'needed' "$bin/numbers" --section "$section"

# ------------------------------------------------------------------------------------- columns
columns=("$bin/carom_columns" "$scratch/results/ball.h5")
# prints LINES ARGUMENT...: exactly these lines.
prints() {
    expect 0 '' "${columns[@]}" "${@:2}"
    [[ $(cat "$scratch/out") == "$1" ]] || fail "other columns: ${*:2}"
}
prints $'0\t1\t-1\n0.25\t2\t-2\n0.5\t3\t-3\n0.75\t4.125\tnan\n1\t5\t-5.5' /ball/time /ball/gap
prints $'0\t-1\n0.5\t-3\n1\t-5.5' --every 2 /ball/time '/ball/gap[:,1]'
prints $'0\n0.75\n1' --every 3 /ball/time
prints $'0.25\n0.75' --every 2 /ball/time --where /ball/time 0.25 0.75
prints $'1\n2\n3' '/ball/gap[:,0]' --where '/ball/gap[:,0]' -inf 3
prints $'5\n-5.5' '/ball/gap[-1,:]'
prints $'7\t3.6022099999999999' /claims/count /claims/period
prints $'# /ball/time (s)\t/ball/gap (m)\t/ball/gap (m)\t2 * /ball/time\n0\t1\t-1\t0\n1\t5\t-5.5\t2' \
    --every 4 --header /ball/time /ball/gap '2 * /ball/time'
prints $'/ball/contact [2]\n/ball/gap [5,2] m\n/ball/time [5] s\n/claims/broken\n/claims/count\n/claims/holds\n/claims/period'
complains '5 rows' "${columns[@]}" /ball/time /claims/count
complains 'no such path' "${columns[@]}" /ball/none
complains 'outside' "${columns[@]}" '/ball/gap[:,2]'
complains 'two indices' "${columns[@]}" '/ball/gap[0]'
complains 'not one column' "${columns[@]}" /ball/time --where /ball/gap 0 1
complains '--every' "${columns[@]}" --every 0 /ball/time
complains '--where' "${columns[@]}" /ball/time --where /ball/time 0
complains 'unknown option' "${columns[@]}" --all /ball/time
complains 'needed' "$bin/carom_columns"
complains 'cannot be read' "$bin/carom_columns" "$scratch/none.h5" /ball/time
complains 'not an HDF5 file' "$bin/carom_columns" "$section" /ball/time

version=$(sed -n 's/^VERSION := //p' Makefile)
for tool in carom_columns numbers verify; do
    expect 0 'Usage:' "$bin/$tool" --help
    expect 0 "$tool (carom) $version" "$bin/$tool" --version
done

((failures == 0)) || { echo "verify: $failures failures" >&2; exit 1; }
