#!/bin/sh
#SBATCH --job-name=lifts
#SBATCH --cpus-per-task=2
#SBATCH --time=01:00:00
#SBATCH --output=lifts-%a.log
# Runs each n-th case of a sweep: n is the number of jobs in the array. A job that is started again continues.
set -eu
davit sweep systems/lifting_cylinder.xml --stop '2 s' \
    --vary 'load.mass=8 t:1 t:12 t' --measure 'top=max(load.x)' \
    --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" -j "$SLURM_CPUS_PER_TASK" \
    -o "lifts-$SLURM_ARRAY_TASK_ID.csv" --resume
