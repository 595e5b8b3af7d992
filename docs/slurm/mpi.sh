#!/bin/sh
#SBATCH --job-name=lifts-mpi
#SBATCH --ntasks=64
#SBATCH --time=01:00:00
#SBATCH --output=lifts-mpi.log
# One study over all processes: rank 0 hands out the cases and writes the table.
set -eu
srun --mpi=pmix davit sweep systems/lifting_cylinder.xml --stop '2 s' \
    --vary 'load.mass=8 t:1 t:12 t' --measure 'top=max(load.x)' -o lifts-mpi.csv --resume
