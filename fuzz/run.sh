#!/bin/sh
# Runs every fuzz target, two at a time: run.sh FOLDER-OF-PROGRAMS FOLDER-FOR-RESULTS SECONDS
# Files that people wrote are the first inputs.
programs=$1 results=$2 seconds=$3
export programs results seconds
mkdir -p "$results/found"

targets='spec:specs golden:golden tree: curve: container: simulate:specs/simulate results:fuzz/seeds/results
	grid:specs/readings reading:specs/readings target:golden pathology:specs/pathology play:specs/play
	game_log:fuzz/seeds/game_log'

# shellcheck disable=SC2016,SC2086 # the inner shell expands its own words
printf '%s\n' $targets | xargs -P 2 -n 1 sh -c '
	name=${1%%:*}
	mkdir -p "$results/corpus/$name"
	if "$programs/$name" "$results/corpus/$name" ${1#*:} -max_total_time="$seconds" -artifact_prefix="$results/found/" \
		> "$results/$name.log" 2>&1; then
		echo "fuzz: $name, $seconds s: $(tail -n 1 "$results/$name.log")"
	else
		cat "$results/$name.log"
		exit 255
	fi' sh
