#!/bin/sh
# run.sh TARGET CORPUS FOUND PARTS: fuzzes from the kept corpus for a PARTS-th of ROOKERY_FUZZ_SECONDS, puts new finds
# into FOUND, tells the coverage.
set -eu
target=$1 corpus=$2 found=$3
seconds=$((${ROOKERY_FUZZ_SECONDS:-5} / $4 + 1))
mkdir -p "$found"
log=$found.log
if ! "$target" -max_total_time="$seconds" -print_final_stats=1 -verbosity=1 \
    -artifact_prefix="$found/crash-" "$found" "$corpus" >"$log" 2>&1; then
    tail -n 60 "$log"
    exit 1
fi
# The last status line: cov is edges, ft features, corp inputs that add one.
grep -E 'cov: [0-9]+ ft: [0-9]+' "$log" | tail -n 1 |
    sed -E "s|.*cov: ([0-9]+) ft: ([0-9]+) corp: ([0-9]+).*|$(basename "$target"): \1 edges, \2 features, \3 inputs|"
