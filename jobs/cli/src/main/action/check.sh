#!/usr/bin/env bash
#
# The step of action.yml: checks the histories that the inputs name, and ends with the exit code of the check.
# Inputs are NIGHTJAR_HISTORY, _LEVEL, _BASELINE, _LAKE, _ARTIFACTS and _OPTIONS; outputs go to $GITHUB_OUTPUT.

set -euo pipefail

launcher=${NIGHTJAR:-$GITHUB_ACTION_PATH/nightjar}

lines() { # appends each line of $2 that is not blank to the array named $1
    local -n to=$1
    local line
    while IFS= read -r line || [[ -n $line ]]; do
        line=${line#"${line%%[![:space:]]*}"}
        line=${line%"${line##*[![:space:]]}"}
        [[ -z $line ]] || to+=("$line")
    done <<<"$2"
}

histories=()
options=()
arguments=()
lines histories "$NIGHTJAR_HISTORY"
lines options "$NIGHTJAR_OPTIONS"
if ((${#histories[@]} == 0)); then
    echo "::error title=Nightjar::no history: input=history; name a file or a folder"
    exit 64
fi
for name in "${histories[@]}"; do # a name may begin as an option does
    [[ $name != -* ]] || name=./$name
    arguments+=("$name")
done
[[ -z $NIGHTJAR_BASELINE ]] || options+=(--baseline "$NIGHTJAR_BASELINE" --fail-on new)

code=0
"$launcher" check "${arguments[@]}" --level "$NIGHTJAR_LEVEL" --lake "$NIGHTJAR_LAKE" \
    --ci github,junit,sarif --artifacts "$NIGHTJAR_ARTIFACTS" "${options[@]}" || code=$?
# Known anomalies leave the exit code 0, so the verdict is that of the summary.
verdict=failed
if ((code <= 2)); then
    verdict=$(grep -m 1 -o '"verdict" : "[a-z]*"' "$NIGHTJAR_ARTIFACTS/summary.json") || verdict=failed
    verdict=${verdict#*: \"}
    verdict=${verdict%\"}
fi
{
    echo "verdict=$verdict"
    echo "exit-code=$code"
    echo "sarif=$NIGHTJAR_ARTIFACTS/results.sarif"
} >>"${GITHUB_OUTPUT:-/dev/null}"
exit "$code"
