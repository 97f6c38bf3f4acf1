package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.JsonTree;
import io.nightjar.jobs.command.ProgressBoard;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/** One call of a command in this process, with its output. */
record CommandRun(int code, String out, String err) {

    static CommandRun of(String... args) {
        PrintStream stdout = System.out;
        PrintStream stderr = System.err;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        System.setOut(new PrintStream(out, false, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
        // output must not depend on the speed of the machine
        LongSupplier clock = ProgressBoard.ofProcess().setClock(() -> 0);
        try {
            int code = Main.run(args);
            return new CommandRun(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
        } finally {
            System.setOut(stdout);
            System.setErr(stderr);
            ProgressBoard.ofProcess().setClock(clock);
        }
    }

    /** Checks a history into a lake, with the verdict as JSON. However bad it is, no stack is shown. */
    static CommandRun check(Path history, Path lake, String... more) {
        List<String> args = new ArrayList<>(List.of("check", history.toString(), "--json", "--lake", lake.toString()));
        args.addAll(List.of(more));
        CommandRun run = of(args.toArray(new String[0]));
        assertThat(run.err()).doesNotContain("\tat ").doesNotContain("a fault of ours");
        return run;
    }

    /** Returns the result of a query on the tables of a lake. */
    static List<Map<String, Object>> rows(Path lake, String query) {
        CommandRun run = of("sql", query, "--lake", lake.toString(), "--json");
        assertThat(run.code()).as("%s", run).isZero();
        return JsonTree.lines(run.out());
    }
}
