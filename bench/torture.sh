#!/usr/bin/env bash
#
# Tries to break Nightjar as a whole: kills it, fills its disk, feeds it damaged files, holds it to its memory, compares it
# with brute force. The first wrong result ends the script with the command that shows it again.
#
#   bench/torture.sh [options] [PART...]
#
#   PART                 kills watches disk mutations memory shapes bruteforce predicates mocks; default: all that DIR has no figures of yet
#   --dir DIR            where histories, damaged files and figures go; default: ${TMPDIR:-/tmp}/nightjar-torture
#   --seed N             default 1: the same seed does the same damage
#   --kills N            processes killed, default 250
#   --victims NAME,..    which, default generate,convert,local,flink,watch
#   --watch-kills N      watches killed, default 300: half of them local, half on Flink
#   --minutes N          no more watches are killed after so many, default 60
#   --disks N            runs against disks that fill, default 60
#   --mutations N        damaged files, shared among the formats, default 30000
#   --transactions N,..  sizes of the histories of "memory", default 1000000,3000000
#   --memory SIZE,...    its bounds, default 256m,512m,1g,2g
#   --operations N       "shapes": operations of each history, default 1000000
#   --shapes NAME,..     which, default all
#   --scale N            "bruteforce", "predicates" and "mocks": times the seeds of .ci/run, default 20
#   --archives N         "mocks": archives of workloads over real drivers, default 1008
#
# Results: figures as markdown on stdout and in DIR/figures/PART.md; what was wrong stays in DIR/wrong. A part that has
# figures is run again when it is named. Needs bash, coreutils, grep, sed, GNU time and a JDK; "disk" mounts a small tmpfs
# where it may, and limits the size of files otherwise.

set -euo pipefail
unset CDPATH
program=torture
trap 'echo "$program: failed at line $LINENO" >&2' ERR

home=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
nightjar=${NIGHTJAR:-$home/nightjar}
source "$home/bench/measuring.sh"
parts=(kills watches disk mutations memory shapes bruteforce predicates mocks)

dir=${TMPDIR:-/tmp}/nightjar-torture
seed=1 victims=20000 kills=250 watch_kills=300 minutes=60 disks=60 mutations=30000 sizes=1000000,3000000 bounds=256m,512m,1g,2g scale=20 archives=1008 operations=1000000
names=(generate convert local flink watch)
shapes=()
wanted=()

usage() { sed -n '3,/^$/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; }

while (($#)); do
    case $1 in
        --dir) dir=${2-} && shift ;;
        --seed) seed=$(number "$1" "${2-}") && shift ;;
        --kills) kills=$(number "$1" "${2-}") && shift ;;
        --watch-kills) watch_kills=$(number "$1" "${2-}") && shift ;;
        --minutes) minutes=$(number "$1" "${2-}") && shift ;;
        --victims) IFS=, read -ra names <<<"${2-}" && shift ;;
        --disks) disks=$(number "$1" "${2-}") && shift ;;
        --mutations) mutations=$(number "$1" "${2-}") && shift ;;
        --transactions) sizes=${2-} && shift ;;
        --memory) bounds=${2-} && shift ;;
        --operations) operations=$(number "$1" "${2-}") && shift ;;
        --shapes) IFS=, read -ra shapes <<<"${2-}" && shift ;;
        --scale) scale=$(number "$1" "${2-}") && shift ;;
        --archives) archives=$(number "$1" "${2-}") && shift ;;
        -h | --help) usage && exit ;;
        -*) give_up "unknown option: $1; see --help" ;;
        *)
            [[ " ${parts[*]} " == *" $1 "* ]] || give_up "unknown part: $1; expected=${parts[*]}"
            wanted+=("$1")
            ;;
    esac
    shift
done

mkdir -p "$dir"/{figures,wrong,base}
cd "$dir"
dir=$PWD

# ---- what is wrong ------------------------------------------------------------------------------------------------

# broken WHAT COMMAND...: ends the script with a way to see it again.
broken() {
    local what=$1
    shift
    {
        say "WRONG in part $part: $what"
        say "  again: $(printf '%q ' "$@")"
        say "  the part from its start: bench/torture.sh --seed $seed $part"
        [[ -s err ]] && sed 's/^/  err: /' err | head -20 >&2
    }
    exit 1
}

# again FILE: keeps what showed it.
kept() {
    cp -r "$1" "$dir/wrong/" && printf '%s' "$dir/wrong/${1##*/}"
}

leftovers() { find "$1" -name '.*.part*' -o -name '*.tmp' 2>/dev/null | head -3; }

# ---- kills --------------------------------------------------------------------------------------------------------

# Each command runs once undisturbed. Then it is killed after a part of that time, again and again; what it left may not
# be seen by anyone, and the same command must then succeed in the same place.
part_kills() {
    local name i delay whole at victim left=0 early=0 killed=0
    prepare base/kills.parquet "$nightjar" generate base/kills.parquet --transactions $victims --sessions 20 --seed "$seed" --fault stale-read=3
    prepare base/kills.jsonl "$nightjar" convert base/kills.parquet base/kills.jsonl
    declare -A ms
    for name in "${names[@]}"; do
        rm -rf "undisturbed-$name" "counts-$name"
        mkdir "undisturbed-$name"
        run_victim "$name" "undisturbed-$name"
        ms[$name]=$wall_ms
        expect_victim "$name" "undisturbed-$name"
        say "kills: $name takes $(seconds "$wall_ms") s undisturbed"
    done
    RANDOM=$((seed % 32768))
    for ((i = 1; i <= kills; i++)); do
        name=${names[i % ${#names[@]}]}
        at=killed
        whole=${ms[$name]}
        delay=$(((RANDOM * 32768 + RANDOM) % (whole + whole / 10)))
        ((i / ${#names[@]} % 2)) || { rm -rf $at-$name && mkdir $at-$name; }
        mkdir -p $at-$name
        (
            (victim "$name" $at-$name) >/dev/null 2>&1 </dev/null &
            echo $! >victim.pid
            ended=0
            wait $! || ended=$?
            echo $ended >victim.code
        ) 2>/dev/null &
        victim=$!
        sleep "$((delay / 1000)).$(printf %03d $((delay % 1000)))"
        kill -9 "$(cat victim.pid)" 2>/dev/null || true
        wait "$victim" 2>/dev/null || true
        if [[ $(cat victim.code) == 137 ]]; then killed=$((killed + 1)); else early=$((early + 1)); fi
        case $name in
            generate | convert)
                [[ ! -e $at-$name/out.parquet ]] || cmp -s $at-$name/out.parquet "undisturbed-$name/out.parquet" ||
                    broken "$name left a file that is not the whole one, killed after $delay ms: $(kept $at-$name)" victim "$name"
                ;;
        esac
        run_victim "$name" $at-$name
        expect_victim "$name" $at-$name "killed after $delay ms"
        [[ -z $(leftovers $at-$name) ]] || left=$((left + 1))
        ((i % 5)) || say "kills: $i of $kills, $killed killed, $early had ended"
    done
    printf '| processes killed (%s) | %d, and %d that had ended before |\n' "${names[*]}" "$killed" "$early"
    printf '| half-written results seen, runs after a kill that answered otherwise | 0 |\n'
    printf '| runs after a kill that left a hidden file of the killed one | %d |\n' "$left"
}

# What all visible runs of a lake hold: one row, if all hold the same.
counts_of_runs="SELECT DISTINCT r.verdict, r.transaction_count, (SELECT count(*) FROM anomalies a WHERE a.run_id = r.run_id) AS found,
    (SELECT count(*) FROM anomaly_txns t WHERE t.run_id = r.run_id) AS txns, (SELECT count(*) FROM level_verdicts l WHERE l.run_id = r.run_id) AS levels FROM runs r"

victim() { # NAME DIR
    case $1 in
        generate) exec "$nightjar" generate "$2/out.parquet" --transactions $victims --sessions 20 --seed "$seed" --quiet ;;
        convert) exec "$nightjar" convert base/kills.parquet "$2/out.parquet" --quiet ;;
        local) exec "$nightjar" check base/kills.parquet --level si,ser --lake "$2/lake" --json --quiet ;;
        flink) exec "$nightjar" check base/kills.parquet --level si,ser --engine flink --lake "$2/lake" --json --quiet ;;
        watch) exec "$nightjar" watch base/kills.jsonl --until-end --lateness 500ts --checkpoint "$2/checkpoint" --checkpoint-every 100ms --lake "$2/lake" --json --quiet ;;
    esac
}

run_victim() {
    local start=${EPOCHREALTIME/./}
    code=0
    (victim "$@") >out 2>err </dev/null || code=$?
    wall_ms=$(((${EPOCHREALTIME/./} - start) / 1000))
}

expect_victim() { # NAME DIR [WHEN]
    case $1 in
        generate | convert)
            ((code == 0)) || broken "$1 ${3-} then failed: exit code $code" victim "$1" "$2"
            cmp -s "$2/out.parquet" "undisturbed-$1/out.parquet" || broken "$1 ${3-} then wrote other bytes" victim "$1" "$2"
            ;;
        *)
            ((code == 1)) || broken "$1 ${3-} then answered with exit code $code instead of 1" victim "$1" "$2"
            tail -n 1 out | sed -E 's/"lint":.*//' | sed -E 's/"(run_id|seconds|started_at)":("[^"]*"|[0-9.eE-]+)//g' >"$2/answer"
            cmp -s "$2/answer" "undisturbed-$1/answer" || broken "$1 ${3-} then answered otherwise" victim "$1" "$2"
            "$nightjar" sql --csv --lake "$2/lake" "$counts_of_runs" >seen 2>err || broken "$1 ${3-}: the lake cannot be asked" "$nightjar" sql --lake "$2/lake" "$counts_of_runs"
            [[ -e counts-$1 ]] || cp seen "counts-$1"
            cmp -s seen "counts-$1" || broken "$1 ${3-}: runs in the lake differ: $(tr '\n' ' ' <seen)" "$nightjar" sql --lake "$2/lake" "$counts_of_runs"
            ;;
    esac
}

# ---- watches that are killed --------------------------------------------------------------------------------------

# Several kills in a row, then the same call to its end: it must find what a watch finds that nobody killed, each once.
part_watches() {
    local engine round=0 killed=0 early=0 ended=0 most until=$((SECONDS + 60 * minutes)) at delay each
    declare -A ms killed_of tasks=([local]='' [flink]='--parallelism 2')
    rm -f found-by-watch
    prepare base/watches.jsonl "$nightjar" generate base/watches.jsonl --transactions 30000 --sessions 20 --ops 6 --store ser --seed "$seed" --fault stale-read=20,lost-update=5
    for engine in local flink; do
        rm -rf "watched-$engine" && mkdir "watched-$engine"
        run_watch $engine "watched-$engine"
        ms[$engine]=$wall_ms killed_of[$engine]=0
        expect_watch $engine "watched-$engine" "undisturbed"
        say "watches: $engine takes $(seconds "$wall_ms") s undisturbed"
    done
    RANDOM=$((seed % 32768))
    while ((killed < watch_kills && SECONDS < until)); do
        engine=local
        ((${killed_of[local]} <= ${killed_of[flink]})) || engine=flink
        at=watched
        rm -rf $at && mkdir $at
        round=$((round + 1))
        most=$((1 + RANDOM % 6))
        for ((each = 0; each < most; each++)); do
            delay=$(((RANDOM * 32768 + RANDOM) % ${ms[$engine]}))
            (
                (watch_call $engine $at) >/dev/null 2>&1 </dev/null &
                echo $! >victim.pid
                ended=0
                wait $! || ended=$?
                echo $ended >victim.code
            ) 2>/dev/null &
            victim=$!
            sleep "$((delay / 1000)).$(printf %03d $((delay % 1000)))"
            kill -9 "$(cat victim.pid)" 2>/dev/null || true
            wait "$victim" 2>/dev/null || true
            if [[ $(cat victim.code) == 137 ]]; then
                killed=$((killed + 1)) killed_of[$engine]=$((${killed_of[$engine]} + 1))
            else
                early=$((early + 1)) ms[$engine]=$((delay < ${ms[$engine]} ? delay : ${ms[$engine]})) # the machine was busier before
                break
            fi
        done
        run_watch $engine $at
        expect_watch $engine $at "killed $each times, at last after $delay ms"
        say "watches: $killed of $watch_kills killed, $early had ended"
    done
    printf '| watches killed, local and on Flink | %d and %d, in %d rounds; %d had ended before |\n' "${killed_of[local]}" "${killed_of[flink]}" "$round" "$early"
    printf '| verdicts, findings lost or told twice, checkpoints left behind | as undisturbed, 0, 0 |\n'
}

watch_call() { # ENGINE DIR [LAKE]
    exec "$nightjar" watch base/watches.jsonl --until-end --lateness 500ts --retain 4m --checkpoint "$2/checkpoint" --checkpoint-every 100ms \
        --lake "${3:-$2/lake}" --run-id watched --json --quiet --engine "$1" ${tasks[$1]} --memory 800m
}

run_watch() {
    local start=${EPOCHREALTIME/./}
    code=0
    if [[ ! -e $2/lake/_runs/watched/_SUCCESS || -e $2/checkpoint/checkpoint ]]; then
        (watch_call "$@") >out 2>err </dev/null || code=$?
    elif [[ $(ls "$2/checkpoint") == in-use ]]; then
        code=1
    else # killed behind its end, while its folder was emptied, which the next watch does
        (watch_call "$@" "$2/next") >out 2>err </dev/null || code=$?
    fi
    wall_ms=$(((${EPOCHREALTIME/./} - start) / 1000))
}

found_by_watch="SELECT level_violated AS level, anomaly_type, object_key, count(*) AS found FROM anomalies GROUP BY ALL
    UNION ALL SELECT level, verdict, NULL, anomaly_count FROM level_verdicts UNION ALL SELECT NULL, NULL, NULL, transaction_count FROM runs ORDER BY ALL"
told_by_watch="SELECT (SELECT count(*) FROM v_live_anomalies WHERE stands) AS told, (SELECT count(*) FROM anomalies) AS found"

expect_watch() { # ENGINE DIR WHEN
    ((code == 1)) || broken "watch on $1, $3: exit code $code instead of 1: $(kept "$2")" watch_call "$1" "$2"
    "$nightjar" sql --csv --lake "$2/lake" "$found_by_watch" >found 2>err || broken "watch on $1, $3: the lake cannot be asked" "$nightjar" sql --lake "$2/lake" "$found_by_watch"
    [[ -e found-by-watch ]] || cp found found-by-watch
    cmp -s found found-by-watch || broken "watch on $1, $3: found something else: $(kept "$2")" "$nightjar" sql --lake "$2/lake" "$found_by_watch"
    "$nightjar" sql --csv --lake "$2/lake" "$told_by_watch" 2>err | tail -n 1 >told
    [[ $(cut -d, -f1 told) == "$(cut -d, -f2 told)" ]] || broken "watch on $1, $3: told and found: $(cat told): $(kept "$2")" "$nightjar" sql --lake "$2/lake" "$told_by_watch"
    [[ ! -e $2/checkpoint ]] || [[ $(ls "$2/checkpoint") == in-use ]] || broken "watch on $1, $3: left in its checkpoint: $(ls "$2/checkpoint" | tr '\n' ' ')" watch_call "$1" "$2"
}

# ---- disks that fill ----------------------------------------------------------------------------------------------

part_disk() {
    local i kb names=(generate convert check spill) name how=tmpfs full=0 enough=0 limit
    prepare base/disk.parquet "$nightjar" generate base/disk.parquet --transactions $victims --sessions 20 --seed "$seed" --fault stale-read=3
    mkdir -p small
    mount -t tmpfs -o size=64k torture small 2>/dev/null && umount small || how="limits on the size of files"
    RANDOM=$((seed % 32768))
    for ((i = 1; i <= disks; i++)); do
        name=${names[i % 4]}
        kb=$((64 + (RANDOM * 32768 + RANDOM) % ($(stat -c %s base/disk.parquet) / 700)))
        limit=unlimited
        if [[ $how == tmpfs ]]; then mount -t tmpfs -o "size=${kb}k" torture small; else limit=$kb && rm -rf small && mkdir small; fi
        code=0
        (
            ulimit -f "$limit"
            case $name in
                generate) exec "$nightjar" generate small/out.parquet --transactions $victims --sessions 20 --seed "$seed" --quiet ;;
                convert) exec "$nightjar" convert base/disk.parquet small/out.parquet --quiet ;;
                check) exec "$nightjar" check base/disk.parquet --level si --lake small/lake --json --quiet ;;
                spill) TMPDIR=$PWD/small exec "$nightjar" check base/disk.parquet --level si --memory 96m --lake none --json --quiet ;;
            esac
        ) >out 2>err </dev/null || code=$?
        case $name in
            generate | convert)
                case $code in
                    0) "$nightjar" check small/out.parquet --level si --lake none --json >again 2>/dev/null || (($? == 1)) && grep -q "\"transactions\":$victims" again ||
                        broken "$name on a disk of $kb KB says it is done, and its file is not whole" "$name" ;;
                    75) [[ ! -e small/out.parquet ]] || broken "$name on a disk of $kb KB failed and left a file" "$name" ;;
                    *) broken "$name on a disk of $kb KB: exit code $code" "$name" ;;
                esac
                ;;
            *) ((code == 75 || code == 1 || (code == 2 && ${#name} == 5))) || broken "$name on a disk of $kb KB: exit code $code" "$name" ;;
        esac
        if ((code == 75)); then full=$((full + 1)); else enough=$((enough + 1)); fi
        [[ $how != tmpfs ]] || umount small
        ((i % 10)) || say "disk: $i of $disks"
    done
    printf '| runs on a disk too small (%s, %s): exit code 75, nothing half-written | %d |\n' "${names[*]}" "$how" "$full"
    printf '| runs for which it sufficed: the right answer | %d |\n' "$enough"
}

# ---- damaged files ------------------------------------------------------------------------------------------------

lossless_formats=(parquet arrow jsonl jsonl.gz jsonl.zst txt)
formats_of_peers=(timekiller edn elle-json dbcop dbcop-json hist plume awdit cobra)

# What is only read has samples.
declare -A samples=(
    [table]=table.csv [debezium]=debezium-postgresql/public.kv.json [test-decoding]=test-decoding.log [wal2json]=wal2json-v2.json
    [mysqlbinlog]=mysqlbinlog.txt [cockroach]=cockroach/2026-11-20/202611200915281234560000000000-ab12cd34ef567890-1-2-00000000-kv-1.ndjson
    [tidb]=tidb-mvcc.json [viper]=viper/J0.log [etcd]=etcd/client-1/operations.json [porcupine]=porcupine.json
)

part_mutations() {
    local all=("${lossless_formats[@]}" "${formats_of_peers[@]}" "${!samples[@]}") each name file to made=0 rejected=0 judged=0 batch=100 first i copies
    each=$(((mutations + ${#all[@]} - 1) / ${#all[@]}))
    prepare base/small.jsonl "$nightjar" generate base/small.jsonl --transactions 120 --sessions 4 --ops 4 --keys 20 --store ser --seed "$seed"
    prepare base/lists.jsonl "$nightjar" generate base/lists.jsonl --transactions 120 --sessions 4 --ops 4 --keys 20 --model list --store ser --seed "$seed"
    for ((i = 1; i <= 120; i++)); do
        printf '{"txn":%d,"session":%d,"start":%d,"commit":%d,"ops":[["w",%d,%d]' "$i" $((i % 4)) $((2 * i)) $((2 * i + 1)) $((i % 20)) "$i"
        ((i == 1)) || printf ',["r",%d,%d]' $(((i - 1) % 20)) $((i - 1))
        printf ']}\n'
    done >base/plain.jsonl
    for name in "${all[@]}"; do
        case $name in
            parquet | arrow | jsonl | jsonl.gz | jsonl.zst | txt) file=base/damaged.$name to= ;;
            *) file=base/damaged-$name.$(extension "$name") to="--to $name" ;;
        esac
        rm -rf "$file"
        if [[ -n ${samples[$name]-} ]]; then
            file=base/${samples[$name]##*/}
            cp "$home/datasets/samples/${samples[$name]}" "$file"
        else
            case $name in
                edn | elle-json) from=base/lists.jsonl ;;
                timekiller | awdit | cobra) from=base/plain.jsonl ;; # they have neither aborted transactions nor an initial state
                *) from=base/small.jsonl ;;
            esac
            code=0
            "$nightjar" convert $from "$file" $to >out 2>err || code=$?
            ((code == 0)) || broken "$name cannot hold the history that is to be damaged" "$nightjar" convert $from "$file" $to
        fi
        rm -rf damaged
        damage "$file"
        copies=($(ls damaged))
        for ((first = 0; first < ${#copies[@]}; first += batch)); do
            judge_damaged "$name" "${copies[@]:first:batch}"
        done
        made=$((made + ${#copies[@]}))
        say "mutations: $name done, $made files so far"
    done
    rm -rf damaged
    printf '| damaged files, %d formats | %d |\n' "${#all[@]}" "$made"
    printf '| rejected with the place, judged | %d, %d |\n' "$rejected" "$judged"
    printf '| crashes, hangs, histories without an answer, exit code 70 | 0 |\n'
}

# damage FILE: copies of it, damaged; of a folder of logs, folders in which one log each is damaged.
damage() {
    local mutator=$home/bench/src/main/java/io/nightjar/bench/torture/Mutator.java log logs copy name
    [[ -d $1 ]] || { java "$mutator" "$seed" "$each" "$1" damaged && return; }
    logs=("$1"/*.log)
    for log in "${logs[@]}"; do
        name=${log##*/}
        java "$mutator" "$seed" $(((each + ${#logs[@]} - 1) / ${#logs[@]})) "$log" damaged
        for copy in damaged/*-"$name"; do
            mkdir "${copy%.log}"
            cp "${logs[@]}" "${copy%.log}"
            mv "$copy" "${copy%.log}/$name"
        done
    done
}

extension() {
    case $1 in
        edn) echo edn ;;
        timekiller | elle-json | dbcop-json) echo json ;;
        dbcop) echo bincode ;;
        cobra) echo logs ;;
        *) echo txt ;;
    esac
}

judge_damaged() { # FORMAT FILE...
    local name=$1 from= file
    shift
    case $name in parquet | arrow | jsonl | jsonl.gz | jsonl.zst | txt) ;; *) from="--from $name" ;; esac
    code=0
    (cd damaged && timeout -k 5 600 "$nightjar" check "$@" $from --level all --lake none --json --memory 512m --budget 60s --quiet) >out 2>err </dev/null || code=$?
    if ((code == 70 || code > 75)) || (($(grep -c '"verdict":"[hvur]' out) != $#)); then
        for file in "$@"; do
            code=0
            (cd damaged && timeout -k 5 120 "$nightjar" check "$file" $from --level all --lake none --json --memory 512m --budget 60s --quiet) >out 2>err </dev/null || code=$?
            ((code <= 3)) && (($(grep -c '"verdict":"[hvur]' out) == 1)) ||
                broken "$name, exit code $code" "$nightjar" check "$(kept "damaged/$file")" $from --level all --lake none --json --memory 512m
        done
        broken "$name: a batch of files gets no answer for each, though each alone does" "$nightjar" check "$@"
    fi
    if grep '"verdict":"rejected"' out | grep -qv '"error":"\['; then
        broken "$name: a rejection without a place: $(grep '"verdict":"rejected"' out | grep -v '"error":"\[' | head -1 | cut -c1-300)" "$nightjar" check $from
    fi
    rejected=$((rejected + $(grep -c '"verdict":"rejected"' out || true)))
    judged=$((judged + $(grep -c '"verdict":"[hvu]' out || true)))
}

# ---- memory -------------------------------------------------------------------------------------------------------

part_memory() {
    local size bound evidence peak limit answer
    printf '\n| transactions | evidence | `--memory` | peak, MB | seconds | answer |\n|---|---|---|---|---|---|\n'
    for size in ${sizes//,/ }; do
        prepare "base/memory-$size.parquet" "$nightjar" generate "base/memory-$size.parquet" --transactions "$size" --seed "$seed" --keys 10000
        for evidence in timestamps values; do
            for bound in ${bounds//,/ }; do
                measure "$nightjar" check "base/memory-$size.parquet" --level si --evidence $evidence --memory "$bound" --lake none --json --budget 30m --quiet
                peak=$((peak_kb / 1024))
                limit=$(megabytes "$bound")
                case $code in
                    0) answer=holds ;;
                    2) answer="undecided: $(sed -E 's/.*"reason":"([^"]{0,90}).*/\1/' out)" ;;
                    *) broken "size $size, $evidence, --memory $bound: exit code $code" "$nightjar" check "base/memory-$size.parquet" --level si --evidence $evidence --memory "$bound" --lake none ;;
                esac
                ((peak <= limit)) || broken "size $size, $evidence: peak $peak MB over --memory $bound" \
                    "$nightjar" check "$dir/base/memory-$size.parquet" --level si --evidence $evidence --memory "$bound" --lake none
                printf '| %d | %s | %s | %d | %s | %s |\n' "$size" $evidence "$bound" "$peak" "$(seconds "$wall_ms")" "$answer"
            done
        done
    done
}

megabytes() {
    case $1 in
        *m) echo "${1%m}" ;;
        *g) echo $((${1%g} * 1024)) ;;
        *) give_up "a size like 512m or 2g is expected: $1" ;;
    esac
}

# ---- extreme shapes -----------------------------------------------------------------------------------------------

# Histories with all operations in one transaction, on one key or in one session: each gets an answer at every level, with
# every evidence, for linear work. A tenth of the operations is the measure: ten times the operations may take this many
# times the CPU time, and an undecided search its budget on top.
part_shapes() {
    local writer=$home/bench/src/main/java/io/nightjar/bench/torture/Shapes.java name evidence small_ms limit_ms budget=60 growth=20 answered=0 undecided=0 most=0 most_of=
    ((${#shapes[@]})) || read -rd '' -a shapes < <(java "$writer") || ((${#shapes[@]})) || give_up "the histories of extreme shapes cannot be generated: $writer"
    printf '\n| shape, %d operations | timestamps, CPU s | values, CPU s | versions, CPU s |\n|---|---|---|---|\n' "$operations"
    for name in "${shapes[@]}"; do
        prepare "base/shape-$name-$operations.jsonl" java "$writer" "$name" "$operations" "base/shape-$name-$operations.jsonl"
        prepare "base/shape-$name-tenth-$operations.jsonl" java "$writer" "$name" $(((operations + 9) / 10)) "base/shape-$name-tenth-$operations.jsonl"
        printf '| %s |' "$name"
        for evidence in timestamps values versions; do
            check_shape "base/shape-$name-tenth-$operations.jsonl" 86400
            small_ms=$((cpu_ms + 10)) # the resolution of the clock
            check_shape "base/shape-$name-$operations.jsonl" $((growth * wall_ms / 1000 + budget))
            limit_ms=$((growth * small_ms + (code == 2 ? 1000 * budget : 0)))
            ((cpu_ms <= limit_ms)) || broken "$name, $evidence: $(seconds "$cpu_ms") s of CPU time, and $(seconds "$small_ms") s for a tenth of the operations" \
                "$nightjar" check "base/shape-$name-$operations.jsonl" --level all --evidence $evidence --budget ${budget}s --memory 4g --lake none
            ((10 * cpu_ms / small_ms <= most)) || { most=$((10 * cpu_ms / small_ms)) most_of="$name by $evidence"; }
            answered=$((answered + 1))
            undecided=$((undecided + (code == 2)))
            printf ' %s |' "$(seconds "$cpu_ms")"
        done
        printf '\n'
        say "shapes: $name done"
    done
    printf '\n%d answers, %d of them undecided; at most %d.%d times the CPU time of a tenth of the operations (%s).\n' "$answered" "$undecided" $((most / 10)) $((most % 10)) "$most_of"
}

check_shape() { # FILE SECONDS
    measure timeout -k 5 "$2" "$nightjar" check "$1" --level all --evidence "$evidence" --budget ${budget}s --memory 4g --lake none --json --quiet
    ((code <= 2)) || broken "$name, $evidence: exit code $code" "$nightjar" check "$1" --level all --evidence "$evidence" --budget ${budget}s --memory 4g --lake none
}

# ---- brute force --------------------------------------------------------------------------------------------------

# agree NAME TESTS [OPTION...]: runs tests at many times their seeds; their output is in "out".
agree() {
    local name=$1 tests=$2
    shift 2
    code=0
    (cd "$home" && mvn -B -ntp -o -pl pipeline,jobs/engine,jobs/flink,jobs/cli -am test -Denforcer.skip -Dnightjar.scale="$scale" -Dnightjar.fork-seconds=0 \
        -Djunit.jupiter.execution.timeout.mode=disabled "$@" -Dtest="$tests" -Dsurefire.failIfNoSpecifiedTests=false) \
        >out 2>err </dev/null || code=$?
    ((code == 0)) || { cp out "wrong/$name.log" && broken "a test failed: $dir/wrong/$name.log" mvn -pl pipeline,jobs/engine,jobs/flink,jobs/cli -am test -Dnightjar.scale="$scale" "$@" -Dtest="$tests"; }
}

tests_run() { sed -nE 's/.*Tests run: ([0-9]+), Failures: 0, Errors: 0, Skipped: [0-9]+$/\1 tests, no failure/p' out | paste -sd'+'; }

part_bruteforce() {
    agree bruteforce TimestampAgreementTest,OutcomeEvidenceTest,LevelDecisionAgreementTest,OrderAgreementTest,ReferenceAgreementTest,WeakLevelsPropertyTest,AntichainSearchPropertyTest,OnlineAgreementTest,OnlineCheckCodecTest,InitialStatesTest,InOrderSweepTest,ListLevelsTest,NamedWritersTest,VerdictRelationsTest,SerializableByTimestampsTest
    printf '| tests of agreement with brute force, at %d times the seeds of CI | %s |\n' "$scale" "$(tests_run)"
    sed -nE 's/^(lists.*|named writers|(relations|serializable), [^:]*): (.*)/| \1 | \3 |/p' out
}

# ---- predicates ---------------------------------------------------------------------------------------------------

# Histories of tables against the literal definitions, with how many had what; lanes against the whole; conditions against
# databases; faults that generate plants.
part_predicates() {
    agree predicates TableDefinitionTest,UnknownTableOutcomesTest,TableLanesTest,ConditionsOfDuckDbTest,ConditionsOfPostgresITCase,PredicateServerITCase,GeneratedPredicateFaultsTest -Dnightjar.tables=5000
    printf '| tests of predicates, at %d times the seeds of CI | %s |\n' "$scale" "$(tests_run)"
    sed -nE 's/^(tables|tables, serializable by timestamps|snapshots|unknown|lanes|PostgreSQL [0-9.]+): (.*)/| \1 | \2 |/p' out
}

# ---- mocks --------------------------------------------------------------------------------------------------------

# Stores against brute force, archives of workloads over real drivers, applications that break.
part_mocks() {
    local keep=archivesKeepTheirLevelAndAgreeWithWhatClientsSaw
    agree mocks "ChoosingStoresTest,RecordedMockTest#*Violated*+assertions*,MockArchiveTest,WorkloadTrialTest,TpccOnMockTest"
    sed -nE 's/^(stores|nine transactions|.*(breaks in run|as in the paper)).*/| & | |/p' out
    scale=$(((archives + 11) / 12)) agree archives "RecordedMockTest#$keep"
    sed -nE 's/^(archives|next level|  [a-z-]+ at).*/| & | |/p' out
}

# ---- all ----------------------------------------------------------------------------------------------------------

"$nightjar" --version >/dev/null || give_up "nightjar does not run: $nightjar"
((${#wanted[@]})) || for part in "${parts[@]}"; do [[ -s figures/$part.md ]] || wanted+=("$part"); done
for part in "${wanted[@]}"; do
    rm -f "figures/$part.md"
    {
        printf '### %s\n\nSeed %d, commit %s.\n\n' "$part" "$seed" "$(commit)"
        [[ $part == memory || $part == shapes ]] || printf '| | |\n|---|---|\n'
        "part_$part"
        printf '\n'
    } >"figures/$part.new"
    mv "figures/$part.new" "figures/$part.md"
    cat "figures/$part.md"
done
