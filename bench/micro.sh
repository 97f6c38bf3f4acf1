#!/usr/bin/env bash
#
# Builds the benchmarks and runs those whose name matches; arguments go to JMH.
#
#   bench/micro.sh                                     all, about half an hour
#   bench/micro.sh sweep -p workload=ZIPFIAN_1K        some
#   bench/micro.sh -l                                  names
#   bench/micro.sh -rf json -rff results.json          to a file

set -euo pipefail
unset CDPATH
home=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)

(cd "$home" && mvn -B -q -ntp -pl bench -am -Pbench -DskipTests package) >&2
exec "${JAVA_HOME:+$JAVA_HOME/bin/}java" -jar "$home/bench/target/nightjar-bench.jar" "$@"
