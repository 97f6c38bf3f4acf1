#!/usr/bin/env bash
#
# Measures all that bench/results/README.md is made from, and writes that page. Takes about half an
# hour on a quiet machine of two cores; kernels are measured only when they are asked for, since they take twenty minutes more.
#
#   bench/measure.sh                 whole processes, then the page
#   bench/measure.sh --kernels       kernels first
#   bench/measure.sh headline lists  some plans; the others keep their results
#   bench/measure.sh kernels         kernels alone
#
# Stopped or killed, it goes on where it was when it is called again at the same commit.

set -euo pipefail
unset CDPATH
home=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
results=$home/bench/results
commit=$(git -C "$home" rev-parse --short=9 HEAD)
made=$home/nightjar-bench/measured-$commit # kept until all is measured: it goes on where it was stopped
mkdir -p "$made"
SIZED='ForcedOrder|OrderChecker|WeakLevels|Antichain|Dependency' # these kernels say themselves how large a history is
PLANS=(headline from-values lists engines threads threads-weak disorder faults emme-item-only emme-predicates aion-disorder watch-speed)

# The plan, and the rest of its command line: sizes and rounds that fit into that time.
measure() {
    echo "+ nightjar bench $*" >&2
    local code=0
    "$home/nightjar" bench "$@" --out "$made/$1" --cache "$home/nightjar-bench/histories" >&2 || code=$?
    case $code in
        0) ;;
        1) bad=yes ;; # a run that gave no verdict or a wrong one; the page shows it
        *) exit "$code" ;;
    esac
}

# Class by class, each to a file of its own. Many short rounds: what is measured takes milliseconds, and the error shrinks with their number.
kernels() {
    local class sizes list=$made/classes
    mkdir -p "$made/kernels"
    "$home/bench/micro.sh" -l >"$list"
    sed -n 's/^.*\.\([A-Za-z]*\)\.[A-Za-z]*$/\1/p' "$list" | sort -u | while read -r class; do
        [[ ! -f $made/kernels/$class.json ]] || continue
        sizes=(-p transactions=100000)
        ! [[ $class =~ $SIZED ]] || sizes=()
        "${JAVA_HOME:+$JAVA_HOME/bin/}java" -jar "$home/bench/target/nightjar-bench.jar" "\\.$class\\." "${sizes[@]}" \
            -f 1 -wi 5 -w 500ms -i 20 -r 300ms -foe true -prof gc -rf json -rff "$made/kernels/part" </dev/null >&2
        mv "$made/kernels/part" "$made/kernels/$class.json"
    done
    { # arrays of JSON become one
        local between='['
        for each in "$made"/kernels/*.json; do
            printf '%s' "$between"
            sed '/^[][]$/d' "$each" # without the brackets around
            between=,
        done
        echo ']'
    } >"$made/kernels.json"
    echo "Commit \`$commit\`, load $(uptime | sed 's/.*average: *//') when it was over. Five rounds to warm up and twenty that count, of 0.3 s or of one call." >"$made/kernels.md"
}

plan() {
    case $1 in
        headline | lists) measure "$1" ;;
        from-values | threads | threads-weak | disorder | faults | emme-item-only | emme-predicates | watch-speed) measure "$1" --runs 2 ;;
        engines) measure engines --scale 0.1 --runs 2 ;;
        aion-disorder) measure aion-disorder --scale 0.4 --runs 1 ;;
        kernels | --kernels) kernels ;;
        *)
            echo "unknown plan: plan=$1 known=${PLANS[*]} kernels --kernels" >&2
            exit 64
            ;;
    esac
}

begun=$SECONDS
bad=
for each in "$@"; do
    plan "$each"
done
if [[ $# == 0 || "$*" == --kernels ]]; then
    for each in "${PLANS[@]}"; do
        plan "$each"
    done
fi

# Nothing is changed before all is measured: results name the commit, and whether it was changed.
for each in "$made"/*/; do
    [[ -f $each/results.jsonl ]] || continue
    to=$results/$(basename "$each")
    rm -rf "$to"
    mkdir -p "$to"
    cp "$each/results.jsonl" "$to/"
    find "$each" -maxdepth 1 -name '*.svg' -exec cp {} "$to/" \;
done
[[ ! -f $made/kernels.md ]] || cp "$made"/kernels.{json,md} "$results/"
cd "$home"
./nightjar bench page bench/results >"$made/page.md"
cp "$made/page.md" bench/results/README.md
rm -rf "$made"
echo "measured in $((SECONDS - begun)) s; bench/results/README.md is made anew; docs/performance.md quotes it${bad:+, and has a run with a wrong verdict or none}" >&2
[[ -z $bad ]]
