package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.JsonTree;
import io.nightjar.fixtures.Seeds;
import io.nightjar.jobs.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** By timestamps, findings about sessions are confirmed though several unknown transactions may have written what was read. */
class UnknownSessionsTest {

    private static final int SEEDS = 300;

    @TempDir
    private Path folder;

    @Test
    void interchangeableTransactionsAreOmittedFromSessionOrder() throws IOException {
        Path history = Files.writeString(
                folder.resolve("h.txt"),
                """
                s1 T1 [1,10]: w(y,1)
                s1 T2? [2,3]: w(x,1)
                s1 T3 [5,20]: w(z,1)
                s2 T4? [2,3]: w(x,1)
                s3 T5 [15,16]: r(x,1)
                """);

        CommandRun run = check(List.of(history.toString()));

        assertThat(run.code()).as("%s", run).isEqualTo(ExitCode.VIOLATED);
        assertThat(JsonTree.object(run.out()).get("anomalies").toString())
                .contains("type=SESSION")
                .contains("transactions=[3, 1]");
    }

    @Test
    @Tag(Seeds.TAG)
    void everyFindingIsConfirmed() throws IOException {
        List<String> histories = new ArrayList<>();
        for (long seed : Seeds.upTo(SEEDS)) {
            Path history = folder.resolve("seed-" + seed + ".txt");
            histories.add(Files.writeString(history, random(new Random(seed))).toString());
        }

        CommandRun run = check(histories);

        assertThat(run.err()).doesNotContain("a fault of ours");
        assertThat(run.code()).isEqualTo(ExitCode.VIOLATED);
        assertThat(run.out().lines()).hasSameSizeAs(histories);
    }

    private static CommandRun check(List<String> histories) {
        List<String> arguments = new ArrayList<>(List.of("check"));
        arguments.addAll(histories);
        arguments.addAll(List.of("--level", "si,ser,cser", "--lake", "none", "--json"));
        return CommandRun.of(arguments.toArray(String[]::new));
    }

    /** Few values and sessions, times that often go back, and half of the transactions unknown. */
    private static String random(Random random) {
        StringBuilder text = new StringBuilder();
        for (int txn = 1; txn <= 7; txn++) {
            int start = 1 + random.nextInt(12);
            boolean isUnknown = random.nextBoolean();
            text.append("s").append(random.nextInt(3)).append(" T").append(txn);
            text.append(isUnknown ? "?" : "").append(" [").append(start).append(',');
            text.append(start + random.nextInt(8)).append("]:");
            for (int op = 0; op <= random.nextInt(3); op++) {
                boolean isRead = !isUnknown && random.nextBoolean();
                text.append(isRead ? " r(" : " w(").append(random.nextBoolean() ? "x" : "y");
                text.append(',').append(1 + random.nextInt(2)).append(')');
            }
            text.append('\n');
        }
        return text.toString();
    }
}
