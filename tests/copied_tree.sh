# What the scripts of tests/project/ share that work in a copy of the built tree. To be sourced.

# copy_tree FOLDER EXPERIMENT...: with time stamps, so that nothing is built again; without the other
# experiments with their records, figures and sections, without tests and the other variants. Further
# parts of experiments stay: the library is archived anew where a source is gone.
copy_tree() {
    local file name record figure left_out=() kept=" ${*:2} "
    for file in experiments/*.c data/sweeps/*.txt figures/*.gp; do
        name=$(basename "${file%.*}")
        [[ $name != style ]] || continue
        for record in $(sed -n 's/^# records: *//p' "$file" | grep . || echo "$name"); do
            [[ $kept == *" $record "* ]] && continue
            left_out+=("./$file")
            for figure in $(sed -n 's/^# figures: *//p' "$file"); do
                left_out+=("./figures/$figure".{pdf,svg})
            done
            break
        done
        [[ $kept == *" $name "* ]] || left_out+=("./build/bin/$name" "./build/runs/$name.tsv" \
            "./data/results/$name.h5" "./data/published/$name.csv" "./paper/sections/$name.tex")
    done
    mkdir "$1"
    tar -c --exclude-from=<(printf '%s\n' "${left_out[@]}") \
        --exclude=./build/{sanitize,coverage,mpi,paper,check,tests,obj/tests,verify.txt,verification} --exclude=./.git --exclude='./tests/*.c' . | tar -x -C "$1"
}
