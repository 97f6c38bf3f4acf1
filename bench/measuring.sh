# What scripts that measure whole processes share: running, comparing, tables. To be sourced, after setting
#
#   program        its name, for messages
#   nightjar       the command
#   home           the root of the repository
#   runs           runs of each case
#   transactions   size of a case's history, for the record
#
# in the directory where results go. Needs bash, coreutils, grep and sed; uses GNU time where it is installed, and /proc otherwise.

say() { printf '%s\n' "$*" >&2; }

give_up() {
    say "$program: $*"
    exit 1
}

number() {
    [[ $2 =~ ^[1-9][0-9]{0,11}$ ]] || give_up "not a positive number: $1=$2"
    printf '%s' "$2"
}

# ---- one run ------------------------------------------------------------------------------------------------------

gnu_time=
[[ -x /usr/bin/time ]] && /usr/bin/time -f %M true >/dev/null 2>&1 && gnu_time=/usr/bin/time

# Milliseconds of a number of seconds with decimals.
millis() {
    local whole=${1%.*} fraction=${1#*.}000
    printf '%d' $((10#$whole * 1000 + 10#${fraction:0:3}))
}

# Runs a command; sets wall_ms, cpu_ms (user and system), peak_kb and code. Its output is in out and err.
measure() {
    local told wall user system pid watcher
    code=0
    if [[ -n $gnu_time ]]; then
        "$gnu_time" -q -o time -f '%e %U %S %M' "$@" >out 2>err </dev/null || code=$?
        read -r wall user system peak_kb <time
    else
        echo 0 >peak
        local TIMEFORMAT='%3R %3U %3S'
        { time {
            "$@" >out 2>err </dev/null &
            pid=$!
            watch_peak "$pid" &
            watcher=$!
            wait "$pid" || code=$?
            kill "$watcher" 2>/dev/null || true
        }; } 2>time
        wait "$watcher" 2>/dev/null || true
        read -r wall user system <time
        read -r peak_kb <peak
    fi
    wall_ms=$(millis "$wall")
    cpu_ms=$(($(millis "$user") + $(millis "$system")))
}

# Notes the largest resident size of a process, which the kernel keeps, so that looking seldom misses little.
watch_peak() {
    local name value rest
    while [[ -r /proc/$1/status ]]; do
        while read -r name value rest; do
            [[ $name == VmHWM: ]] && echo "$value" >peak
        done <"/proc/$1/status" 2>/dev/null
        sleep 0.05
    done
}

# ---- what must come out -------------------------------------------------------------------------------------------

wrong() {
    cat err >&2
    give_up "wrong result: case=$case $*; nothing measured here counts"
}

expect_code() { ((code == $1)) || wrong "exit-code=$code expected=$1"; }

expect_text() { grep -qF -- "$1" out || wrong "missing=$1 in: $(head -c 400 out)"; }

expect_holds() {
    expect_code 0
    expect_text '"verdict":"holds"'
    expect_text "\"transactions\":$1,"
    result="holds"
}

# ---- several runs of a case ---------------------------------------------------------------------------------------

row() { printf '| %s | %s | %s | %s | %s |\n' "$@" | tee -a table.md; }

seconds() { printf '%d.%02d' $(($1 / 1000)) $(($1 % 1000 / 10)); }

median() { printf '%s\n' "$@" | sort -n | sed -n "$((($# + 1) / 2))p"; }

spread() { # seconds: median (least to most)
    local sorted
    sorted=($(printf '%s\n' "$@" | sort -n))
    printf '%s (%s to %s)' "$(seconds "$(median "$@")")" "$(seconds "${sorted[0]}")" "$(seconds "${sorted[-1]}")"
}

# repeat CASE TITLE CHECK COMMAND...: runs a command often; CHECK looks at out, err and code and sets result.
repeat() {
    case=$1
    local title=$2 check=$3 walls=() cpus=() peaks=() run
    shift 3
    for ((run = 1; run <= runs; run++)); do
        measure "$@"
        $check
        walls+=("$wall_ms") cpus+=("$cpu_ms") peaks+=("$peak_kb")
        printf '{"case":"%s","transactions":%d,"run":%d,"wall_ms":%d,"cpu_ms":%d,"peak_rss_kb":%d,"result":"%s"}\n' \
            "$case" "$transactions" "$run" "$wall_ms" "$cpu_ms" "$peak_kb" "$result" >>runs.jsonl
        say "$case run $run of $runs: wall $(seconds "$wall_ms") s, CPU $(seconds "$cpu_ms") s, peak $((peak_kb / 1024)) MB"
    done
    peaks=($(printf '%s\n' "${peaks[@]}" | sort -n))
    row "$title" "$(spread "${walls[@]}")" "$(spread "${cpus[@]}")" "$((peaks[-1] / 1024))" "$result"
}

# ---- the machine --------------------------------------------------------------------------------------------------

describe_machine() {
    local model=unknown memory_kb=0 name value rest java=java load
    while IFS=: read -r name rest; do
        [[ $name == "model name"* ]] && model=${rest# } && break
    done </proc/cpuinfo
    while read -r name value rest; do
        [[ $name == MemTotal: ]] && memory_kb=$value
    done </proc/meminfo
    [[ -n ${JAVA_HOME:-} ]] && java=$JAVA_HOME/bin/java
    read -r load rest </proc/loadavg
    printf '| | |\n|---|---|\n'
    printf '| cores | %s x %s |\n' "$(nproc)" "$model"
    printf '| memory | %d MB |\n' $((memory_kb / 1024))
    printf '| kernel | %s |\n' "$(uname -s) $(uname -r | cut -d - -f 1)"
    printf '| JDK | %s |\n' "$("$java" -version 2>&1 | sed -n 2p)"
    printf '| nightjar | %s, commit %s |\n' "$("$nightjar" --version | cut -d ' ' -f 2)" "$(commit)"
    printf '| measured with | %s |\n' "$([[ -n $gnu_time ]] && echo "GNU time" || echo "bash and /proc")"
    printf '| load before the first run | %s; files in the page cache, disk not measured |\n' "$load"
}

commit() {
    local id
    id=$(git -C "$home" rev-parse --short HEAD 2>/dev/null) || id=unknown
    [[ -z $(git -C "$home" status --porcelain -uno 2>/dev/null) ]] || id+=" with changes"
    printf '%s' "$id"
}

# ---- histories ----------------------------------------------------------------------------------------------------

prepare() { # FILE COMMAND...: makes a file unless it is there
    local file=$1
    shift
    [[ -e $file ]] && return
    say "preparing $file"
    "$@" >out 2>err </dev/null || {
        cat err >&2
        give_up "could not prepare: file=$file"
    }
}
