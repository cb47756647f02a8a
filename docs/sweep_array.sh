#!/bin/bash
#SBATCH --job-name=sweep
#SBATCH --cpus-per-task=1
#SBATCH --time=01:00:00
# The file `commands`, by `sweep --print-commands`, over the tasks of a Slurm array 0-N: task i runs each
# command whose number leaves i when divided by the number of tasks.
# usage: sbatch --array=0-63 docs/sweep_array.sh
set -euo pipefail

awk -v tasks="$SLURM_ARRAY_TASK_COUNT" -v task="$SLURM_ARRAY_TASK_ID" 'NR % tasks == task' commands | sh
