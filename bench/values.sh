#!/usr/bin/env bash
#
# Measures checks that trust values only, as whole processes. Histories are generated (but for those of Biswas and Enea, which
# are skipped where they are not), without timestamps and session after session, so that no order of theirs gives the answer
# away. Every run's verdicts are compared with what must come out before its time counts; a wrong one ends the script.
#
#   bench/values.sh [options] [PART...]
#
#   PART                 weak grids stores hard sessions lists; default: all
#   --dir DIR            where histories and results go; default: ${TMPDIR:-/tmp}/nightjar-bench
#   --cases DIR          published histories, with be19-si/ and be19-ser/ in it; default: ../shared/cases beside the repository
#   --runs N             runs of each case, default 3
#   SCALE=PERCENT        in the environment: sizes of the histories in percent, default 100
#
# Results: a markdown table on stdout, and every single run in DIR/runs.jsonl. Histories in DIR are used again.
# Needs bash, coreutils, grep and sed; uses GNU time where it is installed, and /proc otherwise.

set -euo pipefail
unset CDPATH
program=values
trap 'echo "$program: failed at line $LINENO" >&2' ERR

nightjar=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)/nightjar
home=${nightjar%/nightjar}
source "$home/bench/measuring.sh"
all_parts=(weak grids stores hard sessions lists)

parts=()
runs=3
dir=${TMPDIR:-/tmp}/nightjar-bench
cases=$home/../shared/cases
scale=${SCALE:-100}

usage() { sed -n '3,/^$/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; }

while (($#)); do
    case $1 in
        --runs) runs=$(number "$1" "${2-}") && shift ;;
        --dir) dir=${2:?} && shift ;;
        --cases) cases=${2:?} && shift ;;
        -h | --help)
            usage
            exit
            ;;
        -*) give_up "unknown option: $1; see --help" ;;
        *)
            [[ " ${all_parts[*]} " == *" $1 "* ]] || give_up "unknown part: part=$1 known=${all_parts[*]}"
            parts+=("$1")
            ;;
    esac
    shift
done
((${#parts[@]})) || parts=("${all_parts[@]}")
scale=$(number SCALE "$scale")
[[ ! -d $cases ]] || cases=$(cd -P -- "$cases" && pwd)

mkdir -p "$dir"
cd -P -- "$dir"
mkdir -p spill values
export NIGHTJAR_JAVA_OPTS="-Djava.io.tmpdir=$PWD/spill ${NIGHTJAR_JAVA_OPTS:-}"
export LC_ALL=C
"$nightjar" --version >/dev/null # builds, if that was never done

# ---- histories ----------------------------------------------------------------------------------------------------

scaled() { # TRANSACTIONS
    local count=$(($1 * scale / 100))
    ((count >= 60)) || count=60
    printf '%d' "$count"
}

# As clients saw it, for lines of JSON: no timestamps, session after session; committed transactions only, so many of them.
as_seen() { # TRANSACTIONS
    { grep -v '"status":"aborted"' || true; } |
        sed -En -e 's/"(start|commit|invoke|complete)":-?[0-9]+,//g' -e "1,${1}p" |
        sort -t: -k3,3n -k4,4n
}

generate_seen() { # FILE.jsonl TRANSACTIONS OPTIONS...
    local file=$1 count=$2
    shift 2
    "$nightjar" generate "$file.all.jsonl" --transactions $((count * 2 + 1000)) "$@"
    as_seen "$count" <"$file.all.jsonl" >"$file.next"
    rm "$file.all.jsonl"
    (($(wc -l <"$file.next") == count)) || give_up "too few committed transactions: file=$file transactions=$count"
    mv "$file.next" "$file"
}

# A history in Parquet; sets file.
seen() { # NAME TRANSACTIONS OPTIONS...
    local name=$1 count=$2
    shift 2
    file=values/$name-$count.parquet
    [[ -e $file ]] && return
    prepare "values/$name-$count.jsonl" generate_seen "values/$name-$count.jsonl" "$count" "$@"
    prepare "$file" "$nightjar" convert "values/$name-$count.jsonl" "$file"
    rm "values/$name-$count.jsonl"
}

# ---- what must come out -------------------------------------------------------------------------------------------

# Each argument LEVEL=VERDICT; the verdict "decided" is any but undecided.
expect_levels() {
    local level verdict found
    ((code == 0 || code == 1)) || wrong "exit-code=$code"
    result=
    for level in "$@"; do
        verdict=${level#*=} level=${level%=*}
        found=$({ grep -oE "\"$level\":\{\"verdict\":\"[a-z]+\"" out || true; } | cut -d '"' -f 6)
        [[ $verdict == "$found" || ($verdict == decided && -n $found && $found != undecided) ]] ||
            wrong "level=$level verdict=$found expected=$verdict"
        result+="${result:+, }$level $found"
    done
}

expect_anomalies() {
    expect_code 1
    result="violated, $(grep -oE '"anomalies":[0-9]+' out | head -n 1 | cut -d : -f 2) anomalies"
}

# Every one of so many histories is decided. The first few are left out of the slowest, since a cold JVM is no algorithm.
expect_decided() { # HISTORIES
    local lines held slowest
    lines=$(wc -l <out)
    ((lines == $1)) || wrong "histories=$lines expected=$1"
    ! grep -qE '"verdict":"(undecided|rejected)"' out || wrong "$(grep -m 1 -E '"verdict":"(undecided|rejected)"' out | head -c 600)"
    held=$(grep -cF '"verdict":"holds","transactions"' out || true)
    slowest=$(grep -oE '"seconds":[0-9.]+' out | sed 1,3d | cut -d : -f 2 | sort -n | tail -n 1)
    result="$held of $lines hold, the slowest took $slowest s"
}

# ---- cases --------------------------------------------------------------------------------------------------------

values=(check --evidence values --json --lake none --max-anomalies 1)
transactions=0

check_seen() { # CASE TITLE LEVELS MEMORY EXPECTED...
    local case=$1 title=$2 levels=$3 memory=$4
    shift 4
    repeat "$case" "$title" "expect_levels $*" "$nightjar" "${values[@]}" --level "$levels" --memory "$memory" "$file"
}

run_weak() {
    local large
    transactions=$(scaled 100000)
    seen wide "$transactions" --sessions 50 --ops 15 --keys 10000
    check_seen weak-rc "rc, 50 sessions, 10,000 keys, $transactions transactions" rc 4g read-committed=holds
    check_seen weak-ra "ra, the same" ra 4g read-atomic=holds
    check_seen weak-cc "cc, the same" cc 4g causal=holds
    transactions=$(scaled 1000000)
    seen wide "$transactions" --sessions 50 --ops 15 --keys 10000
    check_seen weak-cc-large "cc, $transactions transactions, --memory 4g" cc 4g causal=holds
}

run_grids() {
    local files count keys reads distribution
    if [[ -d $cases/be19-si && -d $cases/be19-ser ]]; then
        files=("$cases"/be19-si/* "$cases"/be19-ser/*)
        transactions=0
        repeat grid-be19 "si and ser, ${#files[@]} histories of Biswas and Enea in one call" "expect_decided ${#files[@]}" \
            "$nightjar" "${values[@]}" --level si,ser "${files[@]}"
    else
        say "skipped: no published histories in cases=$cases"
    fi
    files=()
    for count in 2000 5000; do
        transactions=$(scaled "$count")
        for keys in 1000 10000; do
            for reads in 0 0.25 0.5 0.75 1; do
                for distribution in uniform zipfian hotspot; do
                    file=values/polysi-$keys-$reads-$distribution-$transactions.jsonl
                    prepare "$file" generate_seen "$file" "$transactions" --sessions 20 --ops 15 --keys "$keys" \
                        --reads "$reads" --distribution "$distribution"
                    files+=("$file")
                done
            done
        done
    done
    repeat grid-polysi-si "si, ${#files[@]} histories like PolySI's grid in one call" "expect_decided ${#files[@]}" \
        "$nightjar" "${values[@]}" --level si "${files[@]}"
    repeat grid-polysi-ser "ser, the same" "expect_decided ${#files[@]}" \
        "$nightjar" "${values[@]}" --level ser "${files[@]}"
    transactions=$(scaled 9600)
    seen cobra "$transactions" --sessions 24 --ops 8 --keys 10000 --store ser
    check_seen grid-cobra-ser "ser, like Cobra's grid, $transactions transactions" ser 4g serializable=holds
    check_seen grid-cobra-si "si, the same" si 4g snapshot-isolation=holds
}

run_stores() {
    transactions=$(scaled 100000)
    seen wide "$transactions" --sessions 50 --ops 15 --keys 10000
    check_seen store-si "si, store with snapshot isolation, $transactions transactions" si 6g snapshot-isolation=holds
    check_seen store-ser "ser, the same" ser 6g serializable=violated
    transactions=$(scaled 1000000)
    seen wide "$transactions" --sessions 50 --ops 15 --keys 10000
    check_seen store-si-large "si, $transactions transactions, --memory 6g" si 6g snapshot-isolation=holds
}

run_hard() {
    local store
    for store in ser si; do
        transactions=$(scaled 1500)
        seen "few-reads-$store" "$transactions" --sessions 15 --ops 15 --keys 900 --reads 0.2 --store "$store"
        check_seen "hard-15-$store" "si and ser, 15 sessions, 20 % reads, 900 keys, $store store" si,ser 4g \
            snapshot-isolation=holds serializable=decided
        transactions=$(scaled 1000)
        seen "fewer-reads-$store" "$transactions" --sessions 10 --ops 15 --keys 60 --reads 0.05 --store "$store"
        check_seen "hard-10-$store" "si and ser, 10 sessions, 5 % reads, 60 keys, $store store" si,ser 4g \
            snapshot-isolation=holds serializable=decided
    done
    transactions=$(scaled 30000)
    skewed "$transactions"
    check_seen hard-skew "si and ser, 15 sessions, 90 keys, $transactions transactions and one write skew" si,ser 4g \
        snapshot-isolation=holds serializable=violated
}

# A serial history of few keys at whose end two sessions read two more keys and write one of them each; sets file.
skewed() { # TRANSACTIONS
    file=values/skew-$1.jsonl
    [[ -e $file ]] && return
    prepare "values/serial-$1.jsonl" generate_seen "values/serial-$1.jsonl" "$1" --sessions 15 --ops 8 --keys 90 --store ser
    {
        cat "values/serial-$1.jsonl"
        printf '{"txn":%d,"session":%d,"seq":999999999,"ops":[["r",9001,null],["r",9002,null],["w",%d,1]]}\n' \
            900000001 1 9001 900000002 2 9002
    } >"$file.next"
    mv "$file.next" "$file"
    rm "values/serial-$1.jsonl"
}

run_sessions() {
    transactions=$(scaled 200000)
    seen sessions "$transactions" --sessions $((transactions / 2)) --ops 8 --keys 100000 --store ser
    check_seen sessions-all "all six, about $((transactions / 2)) sessions of few transactions" all 4g \
        read-committed=holds read-atomic=holds causal=holds prefix=holds snapshot-isolation=holds serializable=holds
}

lists=(check --evidence values --level strict-serializable --json --lake none --max-anomalies 100)

run_lists() {
    transactions=$(scaled 100000)
    local small=values/lists-$transactions large faulty share
    prepare "$small.parquet" "$nightjar" generate "$small.parquet" --model list --store ser --transactions "$transactions"
    prepare "$small.edn" "$nightjar" convert "$small.parquet" "$small.edn"
    repeat lists-edn "strict-serializable, lists, $transactions transactions, EDN of $(($(stat -c %s "$small.edn") / 1000000)) MB" \
        "expect_levels strict-serializable=holds" "$nightjar" "${lists[@]}" "$small.edn"
    repeat lists-parquet "the same from Parquet" \
        "expect_levels strict-serializable=holds" "$nightjar" "${lists[@]}" "$small.parquet"
    transactions=$(scaled 1000000)
    large=values/lists-$transactions.parquet faulty=values/lists-faulty-$transactions.parquet
    prepare "$large" "$nightjar" generate "$large" --model list --store ser --transactions "$transactions"
    repeat lists-large "strict-serializable, lists, $transactions transactions, Parquet, --memory 4g" \
        "expect_levels strict-serializable=holds" "$nightjar" "${lists[@]}" --memory 4g "$large"
    share=$((transactions / 100))
    prepare "$faulty" "$nightjar" generate "$faulty" --model list --store ser --transactions "$transactions" \
        --fault "stale-read=$((share / 2)),garbage-value=$((share / 4)),aborted-read=$((share / 4))"
    repeat lists-faulty "the same with $((share / 2 + share / 4 + share / 4)) planted faults" \
        expect_anomalies "$nightjar" "${lists[@]}" --memory 4g "$faulty"
}

describe_machine
printf '\nSizes at %s %%, %s runs each. Seconds: median (least to most). Peak: of all runs.\n\n' "$scale" "$runs"
: >table.md
row case "wall s" "CPU s (user + system)" "peak RSS MB" "result (verified)"
row --- --- --- --- ---
for part in "${parts[@]}"; do
    "run_$part"
done
rm -f out err time peak
