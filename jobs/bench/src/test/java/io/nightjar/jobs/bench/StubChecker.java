package io.nightjar.jobs.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A command that is called like Nightjar and returns a result by the level: si holds, ser is violated, cc sleeps, pc
 * grows, rc dies, ra holds and counts its cores.
 */
final class StubChecker {

    private static final String SCRIPT =
            """
            #!/usr/bin/env bash
            echo "$*" >>"$(dirname "$0")/calls"
            case $1 in
                generate | convert) [[ $1 == convert ]] && shift; echo history >"$2"; exit ;;
            esac
            level=
            for ((i = 1; i <= $#; i++)); do
                [[ ${!i} == --level ]] && at=$((i + 1)) && level=${!at}
            done
            say() { echo '{"schema":1,"history":"h","verdict":"'"$1"'","transactions":1}'; }
            case $level in
                si) say holds ;;
                ra) say holds; echo "cores=$(nproc)" >>"$(dirname "$0")/said" ;;
                ser) say violated; exit 1 ;;
                cc) sleep 30 ;;
                pc) big=$(head -c 300000000 /dev/zero | tr '\\0' x); sleep 30; say holds ;;
                rc) echo "died of old age" >&2; exit 70 ;;
            esac
            """;

    private final Path folder;

    private StubChecker(Path folder) {
        this.folder = folder;
    }

    static StubChecker in(Path folder) throws IOException {
        Path script = folder.resolve("stub");
        Files.writeString(script, SCRIPT);
        if (!script.toFile().setExecutable(true)) {
            throw new IOException("cannot be made executable: file=" + script);
        }
        return new StubChecker(folder);
    }

    List<String> command() {
        return List.of(folder.resolve("stub").toString());
    }

    long checks() throws IOException {
        return calls().filter(call -> call.startsWith("check ")).count();
    }

    long checksWith(String words) throws IOException {
        return calls().filter(call -> call.startsWith("check ") && call.contains(words))
                .count();
    }

    /** Returns the lines that checks at {@code ra} recorded. */
    List<String> output() throws IOException {
        return Files.readAllLines(folder.resolve("said"));
    }

    long generated() throws IOException {
        return calls().filter(call -> call.startsWith("generate ")).count();
    }

    /** Returns the number of histories that were converted from lines to a format. */
    long converted(String format) throws IOException {
        return calls().filter(call -> call.matches("convert .*\\.jsonl .*--to " + format))
                .count();
    }

    private Stream<String> calls() throws IOException {
        return Files.readAllLines(folder.resolve("calls")).stream();
    }
}
