package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.JsonTree;
import io.nightjar.formats.registry.Histories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Information before a check: its cost, the options in a file, and the formats. */
class PlanAndConfigTest {

    @TempDir
    private Path folder;

    private Path history;
    private Path config;

    @BeforeEach
    void writeHistory() throws IOException {
        history = Files.writeString(
                folder.resolve("history.txt"), "s1 T1 [1,2]: w(x,1)\ns2 T2 [3,4]: r(x,7)\ns3 T3 [5,6]: w(y,1)\n");
        config = folder.resolve("nightly.yaml");
    }

    // ---------------------------------------------------------------- plan

    @Test
    void aPlanSaysWhatACheckCostsAndChecksNothing() {
        Path lake = folder.resolve("lake");
        CommandRun run = CommandRun.of("check", "" + history, "--plan", "--json", "--lake", "" + lake);

        assertThat(run.code()).isZero();
        Map<String, Object> plan = JsonTree.object(run.out());
        assertThat(plan).containsEntry("transactions", 3L).containsEntry("evidence", "timestamps");
        Map<String, Object> costs = JsonTree.at(plan, "plan");
        assertThat(costs)
                .containsEntry("components", 2L)
                .containsEntry("lanes", 1L)
                .containsEntry("disk_bytes", 0L);
        assertThat((Long) costs.get("memory_bytes")).isPositive();
        assertThat(lake).doesNotExist();
        assertThat(CommandRun.of("check", "" + history, "--plan").out()).contains("memory", "time", "disk", "lanes");
    }

    @Tag("slow")
    @Test
    void littleMemoryMeansLanesOnDisk() {
        Path large = folder.resolve("large.parquet");
        CommandRun.of("generate", "" + large, "--transactions", "600000", "--ops", "5");
        Map<String, Object> costs = JsonTree.at(
                JsonTree.object(CommandRun.of("check", "" + large, "--plan", "--json", "--memory", "64m")
                        .out()),
                "plan");

        assertThat((Long) costs.get("lanes")).isGreaterThan(1);
        assertThat((Long) costs.get("disk_bytes")).isPositive();
        assertThat(costs).containsEntry("fits", false);
    }

    @Test
    void whatIsNoHistoryHasNoPlan() {
        assertThat(CommandRun.of("check", "" + folder.resolve("missing.txt"), "--plan")
                        .code())
                .isEqualTo(3);
    }

    // ---------------------------------------------------------------- config

    @Test
    void optionsStandInAFileAndTheCommandLineWins() throws IOException {
        Files.writeString(config, "# nightly\nlevel: rc # weak\nlake = none\njson: true\nevidence: 'values'\n\n");

        CommandRun run = CommandRun.of("check", "" + history, "--config", "" + config);
        assertThat(JsonTree.<Map<String, Object>>at(JsonTree.object(run.out()), "levels"))
                .containsOnlyKeys("read-committed");
        CommandRun other = CommandRun.of("check", "" + history, "--config=" + config, "--level", "ra");
        assertThat(JsonTree.<Map<String, Object>>at(JsonTree.object(other.out()), "levels"))
                .containsOnlyKeys("read-atomic");
    }

    @Test
    void whatIsWrongInItIsWrongUsageAndSaysWhere() throws IOException {
        for (String wrong :
                List.of("levl: si\n", "level si\n", "level: si\nlevel: ser\n", "config: x\n", "level: xx\n")) {
            Files.writeString(config, wrong);
            CommandRun run = CommandRun.of("check", "" + history, "--lake", "none", "--config", "" + config);
            assertThat(run.code()).as(wrong).isEqualTo(64);
        }
        Files.writeString(config, "\nlevl: si\n");
        assertThat(CommandRun.of("check", "" + history, "--config", "" + config).err())
                .contains("did you mean level?");
        assertThat(CommandRun.of("check", "" + history, "--config", "" + folder.resolve("no"))
                        .code())
                .isEqualTo(64);
    }

    @Test
    void itsMemoryAndEngineAreKnownBeforeTheJvmStarts() throws IOException {
        Files.writeString(config, "memory: 2g\nengine: flink\n");

        LauncherOptions.Given given =
                LauncherOptions.Given.on(List.of("check", "x", "--config", "" + config, "--memory", "1g"));
        assertThat(given.memoryBytes()).isEqualTo(1L << 30);
        assertThat(given.isFlink()).isTrue();
    }

    // ---------------------------------------------------------------- formats

    @Test
    void everyFormatIsListedWithWhatItCanProve() {
        List<Map<String, Object>> formats =
                JsonTree.lines(CommandRun.of("formats", "--json").out());

        assertThat(formats).extracting(format -> format.get("format")).isEqualTo(Histories.formatNames());
        assertThat(formats).allSatisfy(format -> assertThat(((List<?>) format.get("proves")))
                .isNotEmpty());
        assertThat(CommandRun.of("formats").out()).contains("parquet").contains("si ser cser by timestamps");
    }

    @Test
    void formatPreservesDeclaredCapabilities() throws IOException {
        for (Map<String, Object> format :
                JsonTree.lines(CommandRun.of("formats", "--json").out())) {
            if (List.of("cobra", "table").contains(format.get("format"))
                    || format.get("writes").equals(false)) {
                continue; // a folder of files, and a form of many
            }
            String extension = (String) ((List<?>) format.get("extensions")).get(0);
            Path numbered =
                    Files.writeString(folder.resolve("numbered.txt"), "s0 T1 [1,2]: w(5,1)\ns1 T2 [3,4]: r(5,1)\n");
            Path copy = folder.resolve("copy" + extension);
            CommandRun converted = CommandRun.of("convert", "" + numbered, "" + copy);
            boolean says = ((List<?>) format.get("says")).contains("timestamps");
            if (converted.code() == 0) {
                CommandRun check = CommandRun.of("check", "" + copy, "--lake", "none", "--json", "--level", "si");
                assertThat(JsonTree.object(check.out()).get("evidence"))
                        .as("%s %s", format, check)
                        .isEqualTo(says ? "timestamps" : "values");
            } else {
                assertThat(says).as("%s %s", format, converted).isFalse();
            }
        }
    }
}
