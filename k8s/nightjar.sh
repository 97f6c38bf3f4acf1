#!/bin/sh
# Starts Nightjar in its image. NIGHTJAR_JAVA_OPTS says, among others, which share of the container's memory is heap.
exec java -XX:-UsePerfData -Dfile.encoding=UTF-8 ${NIGHTJAR_JAVA_OPTS:-} -jar /opt/nightjar/nightjar-jobs.jar "$@"
