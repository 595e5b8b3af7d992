#!/bin/sh
#SBATCH --job-name=lifts-collect
#SBATCH --time=00:10:00
# Joins the tables of the jobs. Fails where one of the 5 cases is missing.
set -eu
davit collect lifts-*.csv --cases 5 -o lifts.csv
