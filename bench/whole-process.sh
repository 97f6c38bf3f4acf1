#!/usr/bin/env bash
#
# Measures Nightjar as a user meets it: whole processes, from the command to its exit. Histories are generated, so nothing
# is downloaded. Every run's verdict is compared with what must come out before its time counts; a wrong one ends the script.
#
#   bench/whole-process.sh [options] [DIR]
#
#   DIR                  where histories, spilled lanes and results go; default: ${TMPDIR:-/tmp}/nightjar-bench
#   --runs N             runs of each case, default 5
#   --transactions N     size of the large histories, default 1000000
#   --small N            number of small histories, default 10000
#   --memory SIZE        what the spilled run may use, default 512m
#   --only CASE,...      some cases only; --list names them
#   --billion            only the one-off: 100 million transactions of 10 operations on a million keys, --memory 4g, one run
#   --billion-transactions N   the same with fewer transactions, where the disk is short
#
# Results: a markdown table on stdout, and every single run in DIR/runs.jsonl. Histories in DIR are used again.
# Needs bash, coreutils, grep and sed; uses GNU time where it is installed, and /proc otherwise.

set -euo pipefail
unset CDPATH
program=whole-process
trap 'echo "$program: failed at line $LINENO" >&2' ERR

nightjar=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)/nightjar
home=${nightjar%/nightjar}
source "$home/bench/measuring.sh"
cases=(parquet-zipfian parquet-uniform timekiller-zipfian generate-zipfian generate-uniform spilled faults-in-memory faults-in-tables small-jsonl small-parquet
    start-version start-tiny)

runs=5
transactions=1000000
small=10000
spill_memory=512m
billion=
billion_transactions=100000000
only=
dir=${TMPDIR:-/tmp}/nightjar-bench

usage() { sed -n '3,/^$/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; }

# ---- arguments ----------------------------------------------------------------------------------------------------

while (($#)); do
    case $1 in
        --runs) runs=$(number "$1" "${2-}") && shift ;;
        --transactions) transactions=$(number "$1" "${2-}") && shift ;;
        --small) small=$(number "$1" "${2-}") && shift ;;
        --memory) spill_memory=${2-} && shift ;;
        --only) only=,${2-}, && shift ;;
        --billion) billion=yes ;;
        --billion-transactions) billion=yes billion_transactions=$(number "$1" "${2-}") && shift ;;
        --list)
            printf '%s\n' "${cases[@]}"
            exit
            ;;
        -h | --help)
            usage
            exit
            ;;
        -*) give_up "unknown option: $1; see --help" ;;
        *) dir=$1 ;;
    esac
    shift
done
for name in ${only//,/ }; do
    [[ " ${cases[*]} " == *" $name "* ]] || give_up "unknown case: case=$name known=${cases[*]}"
done

mkdir -p "$dir"
cd -P -- "$dir"
mkdir -p spill
export NIGHTJAR_JAVA_OPTS="-Djava.io.tmpdir=$PWD/spill ${NIGHTJAR_JAVA_OPTS:-}"
export LC_ALL=C
"$nightjar" --version >/dev/null # builds, if that was never done

# ---- what must come out -------------------------------------------------------------------------------------------

# Compares the counts of all types with those of the side file.
expect_planted() {
    local type planted total=0
    expect_code 1
    expect_text '"verdict":"violated"'
    for type in SESSION INT EXT NOCONFLICT TIMESTAMP-ORDER; do
        planted=$({ grep -o "\"type\":\"$type\",\"level\":\"snapshot-isolation\"" "$1.faults.jsonl" || true; } | wc -l)
        ((planted == 0)) || expect_text "\"$type\":$planted"
        total=$((total + planted))
    done
    expect_text "\"anomalies\":$total,"
    result="violated, all $total anomalies as planted"
}

expect_all_hold() {
    local held
    expect_code 0
    held=$(grep -cF '"verdict":"holds","transactions"' out || true)
    ((held == small)) || wrong "held=$held expected=$small"
    result="$small hold"
}

wanted() { [[ -z $only || $only == *",$1,"* ]]; }

# ---- histories ----------------------------------------------------------------------------------------------------

# Committed transactions only, since TimeKiller's format knows no others: of 1.6 times as many, a third was aborted.
prepare_committed() {
    [[ -e zipfian-$n.jsonl ]] && return
    say "preparing zipfian-$n.jsonl"
    "$nightjar" generate zipfian-all.jsonl --transactions $((transactions * 8 / 5 + 1000)) --keys 1000 --distribution zipfian 2>/dev/null
    { grep -v '"status":"aborted"' zipfian-all.jsonl || true; } | sed "${transactions}q" >zipfian-next
    rm zipfian-all.jsonl
    (($(wc -l <zipfian-next) == transactions)) || give_up "too few committed transactions: transactions=$transactions"
    mv zipfian-next "zipfian-$n.jsonl"
}

zipfian() {
    [[ -e zipfian-$n.parquet ]] || prepare_committed
    prepare "zipfian-$n.parquet" "$nightjar" convert "zipfian-$n.jsonl" "zipfian-$n.parquet"
}

timekiller() {
    zipfian
    prepare "zipfian-$n.json" "$nightjar" convert "zipfian-$n.parquet" "zipfian-$n.json" --to timekiller
}

uniform() {
    prepare "uniform-$n.parquet" "$nightjar" generate "uniform-$n.parquet" --transactions "$transactions" --keys 1000000
}

# A hundredth of the rows is at fault, and five kinds of fault.
faulty() {
    local share=$((transactions / 100))
    ((share >= 10)) || share=10
    prepare "faulty-$n.parquet" "$nightjar" generate "faulty-$n.parquet" --transactions "$transactions" --keys 1000 --distribution zipfian \
        --fault "stale-read=$((share * 4 / 10)),garbage-value=$((share * 2 / 10)),lost-update=$((share * 2 / 10)),session-break=$((share / 10)),clock-skew=$((share / 10))"
}

# Eight histories of 50 transactions, in turn.
small_histories() { # EXTENSION
    local folder=small-$small.$1 seed copies at
    [[ -d $folder ]] && return
    say "preparing $folder"
    rm -rf small-next
    mkdir small-next
    for ((seed = 0; seed < 8; seed++)); do
        "$nightjar" generate "small-seed.$1" --transactions 50 --ops 8 --sessions 5 --keys 20 --seed "$((seed + 1))" 2>/dev/null
        copies=()
        for ((at = seed; at < small; at += 8)); do
            copies+=("small-next/h$at.$1")
        done
        ((${#copies[@]} == 0)) || tee "${copies[@]}" <"small-seed.$1" >/dev/null
        rm "small-seed.$1"
    done
    mv small-next "$folder"
}

tiny() {
    printf '%s\n' 's1 T1 [10,12]: w(x,1) r(y,_)' 's2 T2 [13,15]: r(x,1) w(y,2)' >tiny.txt
}

# ---- cases --------------------------------------------------------------------------------------------------------

si=(check --level si --json)
n=$transactions

check_in() { # FOLDER: all its files in one call
    cd "$1"
    exec "$nightjar" "${si[@]}" --lake none -- *
}

generate_again() {
    rm -f generated.parquet
    exec "$nightjar" generate generated.parquet --transactions "$n" "$@"
}
expect_generated() {
    expect_code 0
    result="$(($(stat -c %s generated.parquet) / 1000000)) MB"
}

check_spilled() { exec "$nightjar" "${si[@]}" --lake none --memory "$spill_memory" "zipfian-$n.parquet"; }
expect_spilled() {
    grep -q spilling err || wrong "it was not spilled: memory=$spill_memory; give --memory a smaller one"
    expect_holds "$n"
}

check_with_lake() {
    rm -rf lake
    exec "$nightjar" "${si[@]}" --lake lake "faulty-$n.parquet"
}

expect_version() {
    expect_code 0
    result="$(<out)"
    result=${result%% (*}
}

# A function with its arguments as a script for bash -c. It ends in exec, so that what is timed is one process all the way.
in_shell() {
    printf '%s' "$(declare -p nightjar si n spill_memory); $(declare -f "$1"); "
    printf '%q ' "$@"
}

run_cases() {
    describe_machine
    printf '\n%s transactions of 15 operations, %s runs each. Seconds: median (least to most). Peak: of all runs.\n\n' "$n" "$runs"
    : >table.md
    row case "wall s" "CPU s (user + system)" "peak RSS MB" "result (verified)"
    row --- --- --- --- ---
    if wanted parquet-zipfian; then
        zipfian
        repeat parquet-zipfian "check, zipfian on 1,000 keys, Parquet" "expect_holds $n" \
            "$nightjar" "${si[@]}" --lake none "zipfian-$n.parquet"
    fi
    if wanted parquet-uniform; then
        uniform
        repeat parquet-uniform "check, uniform on 1,000,000 keys, Parquet" "expect_holds $n" \
            "$nightjar" "${si[@]}" --lake none "uniform-$n.parquet"
    fi
    if wanted timekiller-zipfian; then
        timekiller
        repeat timekiller-zipfian "check, the zipfian one as TimeKiller's JSON" "expect_holds $n" \
            "$nightjar" "${si[@]}" --lake none "zipfian-$n.json"
    fi
    if wanted spilled; then
        zipfian
        repeat spilled "check, the zipfian one spilled, --memory $spill_memory" expect_spilled \
            bash -c "$(in_shell check_spilled)"
    fi
    if wanted faults-in-memory; then
        faulty
        repeat faults-in-memory "check, one row in a hundred at fault, no tables" "expect_planted faulty-$n.parquet" \
            "$nightjar" "${si[@]}" --lake none "faulty-$n.parquet"
    fi
    if wanted faults-in-tables; then
        faulty
        repeat faults-in-tables "check, the same, every finding verified and written" "expect_planted faulty-$n.parquet" \
            bash -c "$(in_shell check_with_lake)"
        stages >stages.md
    fi
    if wanted generate-zipfian; then
        repeat generate-zipfian "generate, zipfian on 1,000 keys, Parquet" expect_generated \
            bash -c "$(in_shell generate_again --keys 1000 --distribution zipfian)"
    fi
    if wanted generate-uniform; then
        repeat generate-uniform "generate, uniform on 1,000,000 keys, Parquet" expect_generated \
            bash -c "$(in_shell generate_again --keys 1000000)"
    fi
    for format in jsonl parquet; do
        if wanted "small-$format"; then
            small_histories "$format"
            repeat "small-$format" "check, $small histories of 50 transactions in one call, .$format" expect_all_hold \
                bash -c "$(in_shell check_in "small-$small.$format")"
        fi
    done
    if wanted start-version; then
        repeat start-version "\`nightjar --version\`" expect_version "$nightjar" --version
    fi
    if wanted start-tiny; then
        tiny
        repeat start-tiny "check of two transactions, notation" "expect_holds 2" \
            "$nightjar" "${si[@]}" --lake none tiny.txt
    fi
    if [[ -s stages.md ]]; then
        printf '\nStages of the run whose findings were verified and written:\n\n'
        cat stages.md
    fi
    rm -rf generated.parquet lake stages.md out err time peak
}

stages() {
    "$nightjar" sql --lake lake --markdown "SELECT stage, round(seconds, 2) AS seconds, records_in, records_out,
        bytes_read, bytes_spilled FROM stages ORDER BY run_id, stage" 2>/dev/null
}

# ---- the billion --------------------------------------------------------------------------------------------------

megabytes() { printf '%d' $(($1 / 1000000)); }

run_billion() {
    local file=billion-$billion_transactions.parquet sample=1000000 per_sample parquet spilled free
    describe_machine
    n=$billion_transactions runs=1 transactions=$billion_transactions
    [[ -e $file ]] || {
        ((sample <= n)) || sample=$n
        "$nightjar" generate sample.parquet --transactions "$sample" --ops 10 --keys 1000000 2>/dev/null
        per_sample=$(stat -c %s sample.parquet)
        rm sample.parquet
        parquet=$((per_sample * (n / sample) * 11 / 10))
    }
    parquet=${parquet:-0}
    spilled=$((n * 10 * 17))
    free=$(($(df --output=avail -k . | tail -n 1) * 1024))
    printf '\nDisk: about %d MB for the history (0 if it is there already), at most %d MB for spilled lanes, %d MB free.\n\n' \
        "$(megabytes "$parquet")" "$(megabytes "$spilled")" "$(megabytes "$free")"
    ((parquet + spilled < free)) || give_up "not enough disk: take another DIR, or --billion-transactions 30000000 and extrapolate"
    : >table.md
    row case "wall s" "CPU s (user + system)" "peak RSS MB" "result (verified)"
    row --- --- --- --- ---
    if [[ ! -e $file ]]; then
        repeat billion-generate "generate, $n transactions of 10 operations, uniform on 1,000,000 keys" expect_billion \
            "$nightjar" generate billion-next.parquet --transactions "$n" --ops 10 --keys 1000000
        mv billion-next.parquet "$file"
    fi
    rm -rf lake
    repeat billion-check "check --level si --memory 4g" "expect_holds $n" \
        "$nightjar" "${si[@]}" --memory 4g --lake lake "$file"
    printf '\n'
    stages
    rm -rf lake out err time peak
}

expect_billion() {
    expect_code 0
    result="$(megabytes "$(stat -c %s billion-next.parquet)") MB"
}

if [[ -n $billion ]]; then
    run_billion
else
    run_cases
fi
