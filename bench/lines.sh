#!/usr/bin/env bash
#
# lines.sh BEFORE AFTER: prints a table of the lines of main Java code of two commits by module: code, comments, blank lines.

set -euo pipefail
unset CDPATH
(($# == 2)) || {
    echo "usage: lines.sh BEFORE AFTER (commits)" >&2
    exit 64
}
cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT

# Prints "MODULE CODE COMMENT BLANK" for each module of a commit. A line that holds code and a comment is code.
count() {
    local folder=$stage/$2
    mkdir "$folder"
    git archive "$1" | tar xf - -C "$folder" --wildcards '*/src/main/java/*.java'
    (cd "$folder" && find . -name '*.java' -print0 | xargs -0 awk '
        FNR == 1 { module = FILENAME; sub(/^\.\//, "", module); sub(/\/src\/main\/.*/, "", module); inside = 0; text = 0; modules[module] }
        {
            line = $0
            gsub(/^[ \t]+|[ \t\r]+$/, "", line)
            if (text) { code[module]++; if (gsub(/"""/, "", line) % 2) text = 0 }
            else if (line == "") blank[module]++
            else if (inside) { comment[module]++; if (line ~ /\*\//) inside = 0 }
            else if (line ~ /^\/\//) comment[module]++
            else if (line ~ /^\/\*/) { comment[module]++; if (line !~ /\*\//) inside = 1 }
            else { code[module]++; if (gsub(/"""/, "", line) % 2) text = 1 }
        }
        END { for (m in modules) print m, code[m] + 0, comment[m] + 0, blank[m] + 0 }')
}

{
    count "$1" before | sed 's/^/before /'
    count "$2" after | sed 's/^/after /'
} | awk '
    { modules[$2]; for (i = 3; i <= 5; i++) { n[$1, $2, i] += $i; n[$1, "total", i] += $i } }
    function row(m,    i, when, line, sum) {
        line = sprintf("| %-14s", m)
        for (when = 1; when <= 2; when++) {
            sum = 0
            for (i = 3; i <= 5; i++) { sum += n[w[when], m, i]; line = line sprintf(" | %7d", n[w[when], m, i]) }
            line = line sprintf(" | %7d", sum)
        }
        return line " |"
    }
    END {
        w[1] = "before"; w[2] = "after"
        print "| module         | before: code | comment | blank | all | after: code | comment | blank | all |"
        print "|---|--:|--:|--:|--:|--:|--:|--:|--:|"
        for (m in modules) print row(m) | "sort"
        close("sort")
        print row("total")
    }'
