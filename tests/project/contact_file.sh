#!/bin/bash
# What contact_problem writes is read by the library of the layout, fclib, where that is installed:
# the same matrix and vectors, and a solution to which its own merit function agrees; and by itself.
set -euo pipefail

if [[ ! -e /usr/include/fclib.h ]]; then
    echo 'contact_file: fclib is not installed, nothing to compare with'
    exit 0
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# One contact in space, u = W r + q by hand: it sticks with r = -W^-1 q.
cat >"$folder/space.c" <<'END'
#include <fclib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    if (strcmp(argv[1], "write") == 0) {
        int p[] = {0, 3, 6, 9}, i[] = {0, 1, 2, 0, 1, 2, 0, 1, 2};
        double x[] = {2.0, 0.5, -0.3, 0.5, 3.0, 0.7, -0.3, 0.7, 1.9}, mu[] = {0.4};
        double q[] = {-4.4, -0.9, 0.2};
        struct fclib_matrix W = {9, 3, 3, p, i, x, -1, NULL};
        struct fclib_local problem = {&W, NULL, NULL, mu, q, NULL, 3, NULL};
        return fclib_write_local(&problem, argv[2]) != 1;
    }
    struct fclib_local *problem = fclib_read_local(argv[2]);
    struct fclib_solution *solution = fclib_read_solution(argv[2]);
    if (problem == NULL || solution == NULL || argc != 3) {
        return 1;
    }
    for (int k = 0; k < problem->W->nzmax; k++) {
        printf("%d %.17g\n", problem->W->i[k], problem->W->x[k]);
    }
    printf("q %.17g mu %.17g\n", problem->q[0], problem->mu[0]);
    printf("merit %d\n", fclib_merit_local(problem, MERIT_1, solution) < 1e-10);
    return 0;
}
END
gcc $(pkg-config --cflags "$(tools/find_hdf5.sh)") "$folder/space.c" -o "$folder/space" -lfclib \
    $(pkg-config --libs "$(tools/find_hdf5.sh)") -lhdf5_hl -lcxsparse -lm
"$folder/space" write "$folder/space.hdf5"
build/bin/contact_problem --quiet "$folder/space.hdf5" --output "$folder/solved.h5"
"$folder/space" read "$folder/solved.h5" >"$folder/read"
cat >"$folder/expected" <<'END'
0 2
1 0.5
2 -0.29999999999999999
0 0.5
1 3
2 0.69999999999999996
0 -0.29999999999999999
1 0.69999999999999996
2 1.8999999999999999
q -4.4000000000000004 mu 0.40000000000000002
merit 1
END
diff "$folder/expected" "$folder/read"

# A record is a problem again, and its solution the same.
build/bin/contact_problem --quiet "$folder/solved.h5" --output "$folder/again.h5"
cmp "$folder/solved.h5" "$folder/again.h5"

# The problems of a run's steps: files of the layout, solved, to which fclib agrees.
count=1
while read -r -a command; do
    program=${command[0]}
    steps=$folder/$program
    run=(build/bin/"$program" --quiet "${command[@]:1}" --dump-problems "$steps" --output "$folder/run.h5")
    "${run[@]}"
    files=("$steps"/*.hdf5)
    for file in "${files[@]:0:12}"; do
        build/bin/contact_problem --quiet "$file" --output "$folder/step.h5"
        "$folder/space" read "$folder/step.h5" | grep -qx 'merit 1' \
            || { echo "contact_file: fclib finds no solution in $file" >&2; exit 1; }
        count=$((count + 1))
    done
    # No file is written twice into a folder, nor one that is there harmed.
    ls -l --time-style=full-iso "$steps" >"$folder/before"
    status=0
    "${run[@]}" 2>"$folder/said" || status=$?
    ls -l --time-style=full-iso "$steps" | cmp - "$folder/before"
    ((status == 2)) && grep -q "^$program: folder .* is not empty" "$folder/said"
done <<'END'
bouncing_ball --scheme moreau-jean --duration 0.5 --step 0.005
rocking_block --scheme moreau-jean --duration 0.5 --step 0.005
vibrating_table --points 2 --scheme-points 1 --settling 10
newtons_cradle --scheme baseline --speeds 0 --solver exact
END
((count > 5))
echo "contact_file: $count problems, 0 failures"
