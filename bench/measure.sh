#!/usr/bin/env bash
#
# Measures all that docs/performance.md is made from, and writes that page and README's sentence. Takes about twenty minutes
# on a quiet machine of two cores; kernels are measured only when they are asked for, since they take as long again.
#
#   bench/measure.sh                 whole processes, then the page
#   bench/measure.sh --kernels       kernels first
#   bench/measure.sh headline lists  some plans; the others keep their results

set -euo pipefail
unset CDPATH
home=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
results=$home/bench/results
commit=$(git -C "$home" rev-parse --short=9 HEAD)
made=$home/nightjar-bench/measured-$commit # kept until all is measured: it goes on where it was stopped
mkdir -p "$made"
SIZED='ForcedOrder|OrderChecker|WeakLevels|Antichain|Dependency|ChoosingStore' # these kernels say themselves how large a history is

# The plan, and the rest of its command line: sizes and rounds that fit into that time.
measure() {
    echo "+ nightjar bench $*" >&2
    "$home/nightjar" bench "$@" --out "$made/$1" --cache "$home/nightjar-bench/histories" >&2 ||
        bad=yes # a run that gave no verdict or a wrong one; the page shows it
}

# JMH's results go to the first argument. One round of a few seconds each: an error says how far to trust it.
kernels() {
    "$home/bench/micro.sh" "${@:2}" -f 1 -wi 2 -w 1 -i 5 -r 1 -foe true -prof gc -rf json -rff "$made/$1.json" >&2
}

plan() {
    case $1 in
        headline) measure headline ;;
        from-values) measure from-values --runs 2 ;;
        lists) measure lists ;;
        engines) measure engines --scale 0.1 --runs 2 ;;
        threads) measure threads --runs 2 ;;
        threads-weak) measure threads-weak --runs 2 ;;
        --kernels)
            kernels kernels -e "$SIZED" -p transactions=100000
            kernels kernels-sized "$SIZED"
            echo "Commit \`$commit\`, load $(uptime | sed 's/.*average: *//') when it was over." >"$made/kernels.md"
            ;;
        *)
            echo "unknown plan: plan=$1 known=headline, from-values, lists, engines, threads, threads-weak, --kernels" >&2
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
    for each in headline from-values lists engines threads threads-weak; do
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
[[ ! -f $made/kernels.md ]] || cp "$made"/kernels* "$results/"
cd "$home"
./nightjar bench page bench/results >"$made/page.md"
cp "$made/page.md" docs/performance.md
said=$(awk -F'|' '/^\| zipfian on 1,000 keys, Parquet / { # halves go up, as in the test that compares the two
    split($4, wall, " "); split($5, cpu, " "); split($6, peak, " ")
    printf "%.1f seconds (%.1f s of CPU, %s MB)", wall[1] + 1e-9, cpu[1] + 1e-9, peak[1]; exit }' docs/performance.md)
sed -E "s/[0-9.]+ seconds \([0-9.]+ s of CPU, [0-9]+ MB\)/$said/" README.md >"$made/README.md"
cp "$made/README.md" README.md
rm -rf "$made"
echo "measured in $((SECONDS - begun)) s; docs/performance.md is made anew${bad:+, and has a run with a wrong verdict or none}" >&2
[[ -z $bad ]]
