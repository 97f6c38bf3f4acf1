# What torture.sh runs and measures with. To be sourced, after setting
#
#   program        its name, for messages
#   home           the root of the repository
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

seconds() { printf '%d.%02d' $(($1 / 1000)) $(($1 % 1000 / 10)); }

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
