#!/usr/bin/env bash
#
# Measures both engines side by side, as whole processes: the same history, checked in turn by the local engine and by Flink
# inside the process, so that what else the machine does meets all alike. Every run's verdict is compared with what must come
# out before its time counts; a wrong one ends the script.
#
#   bench/flink.sh [options] [PART...]
#
#   PART                 timestamps tenants components; default: all
#   --dir DIR            where histories and results go; default: ${TMPDIR:-/tmp}/nightjar-bench
#   --runs N             rounds, default 3
#   --transactions N     the largest history of timestamps, default 10000000
#   --parallelism N,...  default 1,2
#
# Results: markdown tables on stdout, and every single run in DIR/runs.jsonl. Histories in DIR are used again.
# Needs bash 4.3, coreutils, grep and sed; uses GNU time where it is installed, and /proc otherwise.

set -euo pipefail
unset CDPATH
program=flink
trap 'echo "$program: failed at line $LINENO" >&2' ERR

nightjar=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)/nightjar
home=${nightjar%/nightjar}
source "$home/bench/measuring.sh"
all_parts=(timestamps tenants components)

parts=()
runs=3
transactions=10000000
parallelisms=1,2
dir=${TMPDIR:-/tmp}/nightjar-bench

usage() { sed -n '3,/^$/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; }

while (($#)); do
    case $1 in
        --runs) runs=$(number "$1" "${2-}") && shift ;;
        --transactions) transactions=$(number "$1" "${2-}") && shift ;;
        --parallelism) parallelisms=${2:?} && shift ;;
        --dir) dir=${2:?} && shift ;;
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

mkdir -p "$dir"
cd -P -- "$dir"
mkdir -p spill
export NIGHTJAR_JAVA_OPTS="-Djava.io.tmpdir=$PWD/spill ${NIGHTJAR_JAVA_OPTS:-}"
export LC_ALL=C
"$nightjar" --version >/dev/null # builds, if that was never done

# side_by_side TITLE FILE COUNT OPTIONS...: both engines in turn, then a row for each; the ratio is of medians of CPU.
side_by_side() {
    local title=$1 file=$2 count=$3 engine name run
    local -A walls=() cpus=() peaks=()
    shift 3
    local engines=(local)
    for name in ${parallelisms//,/ }; do
        engines+=("flink --parallelism $name")
    done
    for ((run = 1; run <= runs; run++)); do
        for engine in "${engines[@]}"; do
            case="$title, $engine"
            measure "$nightjar" check "$file" --json --lake none "$@" --engine $engine
            expect_holds "$count"
            walls[$engine]+=" $wall_ms" cpus[$engine]+=" $cpu_ms" peaks[$engine]+=" $peak_kb"
            printf '{"case":"%s","transactions":%d,"run":%d,"wall_ms":%d,"cpu_ms":%d,"peak_rss_kb":%d,"result":"%s"}\n' \
                "$case" "$count" "$run" "$wall_ms" "$cpu_ms" "$peak_kb" "$result" >>runs.jsonl
            say "$case run $run of $runs: wall $(seconds "$wall_ms") s, CPU $(seconds "$cpu_ms") s, peak $((peak_kb / 1024)) MB"
        done
    done
    local base
    base=$(median ${cpus[local]})
    for engine in "${engines[@]}"; do
        local ratio=$(($(median ${cpus[$engine]}) * 100 / base)) sorted
        sorted=($(printf '%s\n' ${peaks[$engine]} | sort -n))
        printf '| %s | %s | %s | %s | %d.%02d | %d |\n' "$title" "$engine" "$(spread ${walls[$engine]})" \
            "$(spread ${cpus[$engine]})" $((ratio / 100)) $((ratio % 100)) "$((sorted[-1] / 1024))" | tee -a table.md
    done
}

heading() {
    printf '\n| history | engine | wall s | CPU s | CPU, of local | peak RSS MB |\n|---|---|---|---|---|---|\n' | tee -a table.md
}

timestamps() {
    local count
    for count in $((transactions / 10)) $((transactions / 3)) "$transactions"; do
        prepare "uniform-$count.parquet" "$nightjar" generate "uniform-$count.parquet" --transactions "$count" --keys 1000000
        side_by_side "$count x 15, SI by timestamps" "uniform-$count.parquet" "$count" --level si --memory 4g
    done
}

tenants() {
    prepare tenants.parquet "$nightjar" generate tenants.parquet --workload tenants --transactions 1000000 --sessions 40000 \
        --keys 500000 --store ser --concurrency 64
    side_by_side "10,000 tenants x 100 x 15, SER by values" tenants.parquet 1000000 --level ser --evidence values --memory 4g
}

# A history as dbcop's file and back: ids are positions, rows come session after session, so that no order suggests itself. The initial state is 0 there.
hide_order() { # FROM TO
    "$nightjar" convert "$1" hidden.bincode && "$nightjar" convert hidden.bincode "$2"
    rm -f hidden.bincode
}

# One session that touches what each tenant touches makes one group of all, with a component for each tenant.
components() {
    if [[ ! -e bridged.parquet ]]; then
        "$nightjar" generate shared.jsonl --workload tenants --transactions 400000 --sessions 16 --keys 400 --store ser 2>/dev/null
        for ((tenant = 0; tenant < 4; tenant++)); do
            printf '{"txn":%d,"session":999,"seq":%d,"start":%d,"commit":%d,"ops":[["w",%d,%d]]}\n' $((500000 + tenant)) "$tenant" \
                $((900000000 + tenant * 20)) $((900000010 + tenant * 20)) $((tenant * 100)) $((900000000 + tenant))
        done >>shared.jsonl
        prepare bridged.parquet hide_order shared.jsonl bridged.parquet
        rm shared.jsonl
    fi
    side_by_side "4 components of one group, 400,000 x 15, SER by values" bridged.parquet "$(count_of bridged.parquet)" --level ser \
        --evidence values --initial-value 0 --memory 4g
}

# Aborted transactions are no part of dbcop's file.
count_of() {
    "$nightjar" inspect --json "$1" 2>/dev/null | grep -o '"transactions":[0-9]*' | head -n 1 | cut -d : -f 2
}

describe_machine | tee -a table.md
heading
for part in "${parts[@]}"; do
    "$part"
done
