#!/bin/sh
# Times a package of pgmc, and Jayes if its classes are given, on the same evidence in one run.
#
#	docs/peers/run.sh PGMC MODEL [JAYES_CLASSES]
#
# PGMC is the command pgmc, MODEL a model file with discrete variables, JAYES_CLASSES the folder of
# the compiled classes of Jayes (github.com/kutschkem/Jayes), which that project says how to make. It
# needs go, and javac and java for Jayes. WORK is the folder to build in (a temporary one),
# SECONDS_EACH the time for which each engine is measured (5).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
pgmc=$1 model=$2 jayes=${3:-} seconds=${SECONDS_EACH:-5}
work=${WORK:-$(mktemp -d)}
mkdir -p "$work/m" "$work/classes"

"$pgmc" convert "$model" "$work/model.uai" --quiet
"$pgmc" sample "$work/model.uai" -n 20 --seed 1 -o "$work/rows.csv" --quiet
"$pgmc" compile "$work/model.uai" -o "$work/m" --pkg m --quiet
cp "$here/pgmc.go.txt" "$work/main.go"
printf 'module peers\n\ngo 1.24\n' >"$work/go.mod"
(cd "$work" && go build -o package .)

if [ -n "$jayes" ]; then
	javac -nowarn -cp "$jayes" -d "$work/classes" "$here/Jayes.java"
	java -XX:+UseSerialGC -cp "$work/classes:$jayes" Jayes "$work/model.uai" "$work/rows.csv" "$seconds" "$work/jayes.txt"
fi
"$work/package" "$work/rows.csv" "$seconds" "$work/jayes.txt"
