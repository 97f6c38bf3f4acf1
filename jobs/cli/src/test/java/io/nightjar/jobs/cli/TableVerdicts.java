package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.JsonTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Histories in notation, and the verdicts of {@code check} on them in one line each. */
record TableVerdicts(Path folder) {

    String verdict(String rows, String... options) throws IOException {
        return of(run(rows, options));
    }

    CommandRun run(String rows, String... options) throws IOException {
        Path file = Files.writeString(folder.resolve("history.txt"), rows);
        String[] arguments = new String[options.length + 5];
        System.arraycopy(new String[] {"check", "--json", "--lake", "none"}, 0, arguments, 0, 4);
        System.arraycopy(options, 0, arguments, 4, options.length);
        arguments[arguments.length - 1] = file.toString();
        return CommandRun.of(arguments);
    }

    static String of(CommandRun run) {
        assertThat(run.err()).isEmpty();
        return of(run.out());
    }

    /** Returns the verdicts of all requested levels, and the types of the strongest. */
    static String of(String out) {
        Map<String, Object> answer = JsonTree.object(out);
        Map<String, Map<String, Object>> levels = JsonTree.at(answer, "levels");
        Object types = null;
        for (Map<String, Object> level : levels.values()) {
            types = level.get("types");
        }
        return answer.get("verdict") + " " + types;
    }
}
