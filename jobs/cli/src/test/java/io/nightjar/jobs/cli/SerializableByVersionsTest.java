package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.JsonTree;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.RunResult.LevelResult;
import io.nightjar.jobs.RunResultJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Databases that are serializable in another order than that of their commits, and histories with versions. */
class SerializableByVersionsTest {

    private static final String READER_COMMITS_LAST =
            """
            s1 T1 [1,10]: r(x,_) w(y,1)@1
            s2 T2 [2,5]: w(x,2)@1
            s2 T3 [6,7]: r(x,2)@1<-T2
            """;

    @TempDir
    private Path directory;

    @Test
    void readerThatMissedVersionsStandsBeforeThem() throws IOException {
        LevelResult serializable = serializable(READER_COMMITS_LAST);

        assertThat(serializable.verdict().word()).isEqualTo("holds");
        assertThat(serializable.evidence()).isEqualTo("timestamps");
        assertThat(serializable.reason()).contains("in front of versions that they missed");
        assertThat(serializable.anomalies()).isZero();
    }

    @Test
    void snapshotIsolationStaysWithTimestamps() throws IOException {
        RunResult result = checked(READER_COMMITS_LAST, "si,ser");

        assertThat(result.evidence()).isEqualTo("timestamps");
        assertThat(result.verdict().word()).isEqualTo("holds");
    }

    @Test
    void commitOrderIsProofEnoughWhereItExplains() throws IOException {
        LevelResult serializable = serializable(
                """
                s1 T1 [1,2]: r(x,_) w(y,1)@1
                s2 T2 [3,5]: w(x,2)@1 r(y,1)@1<-T1
                """);

        assertThat(serializable.verdict().word()).isEqualTo("holds");
        assertThat(serializable.evidence()).isEqualTo("timestamps");
    }

    @Test
    void observedWriteSkewNeedsNoGraphOfVersions() throws IOException {
        LevelResult serializable = serializable(
                """
                s1 T1 [1,10]: r(x,_) r(y,_) w(y,1)@1
                s2 T2 [2,5]: r(x,_) r(y,_) w(x,2)@1
                """);

        assertThat(serializable.verdict().word()).isEqualTo("violated");
        assertThat(serializable.evidence()).isEqualTo("timestamps");
        assertThat(serializable.types()).containsOnlyKeys("G2-item");
    }

    @Test
    void unobservedCycleIsFoundInTheGraphOfVersions() throws IOException {
        LevelResult serializable = serializable(
                """
                s1 T1 [1,4]: w(x,1)@1
                s2 T2 [2,5]: w(x,2)@2 w(z,2)@1
                s3 T3 [3,6]: r(x,1)@1<-T1 r(z,2)@1<-T2
                """);

        assertThat(serializable.verdict().word()).isEqualTo("violated");
        assertThat(serializable.evidence()).isEqualTo("versions");
        assertThat(serializable.types()).containsOnlyKeys("G-single-item");
    }

    @Test
    void commitOrderThatFailsViolatesItsOwnLevelOnly() throws IOException {
        RunResult result = checked(READER_COMMITS_LAST, "si,ser,cser", "--evidence", "timestamps");

        assertThat(result.levels().get(IsolationLevel.SERIALIZABLE).verdict().word())
                .isEqualTo("holds");
        assertThat(result.levels().get(IsolationLevel.COMMIT_ORDER_SERIALIZABLE).types())
                .containsOnlyKeys("EXT");
        assertThat(result.evidence()).isEqualTo("timestamps");
    }

    @Test
    void writeSkewIsViolatedByTimestampsAlone() throws IOException {
        RunResult result = checked(
                """
                s1 T1 [1,10]: r(x,_) r(y,_) w(y,1)
                s2 T2 [2,5]: r(x,_) r(y,_) w(x,2)
                """,
                "ser",
                "--evidence",
                "timestamps");
        LevelResult serializable = result.levels().get(IsolationLevel.SERIALIZABLE);

        assertThat(serializable.verdict().word()).isEqualTo("violated");
        assertThat(serializable.evidence()).isEqualTo("timestamps");
        assertThat(serializable.types()).containsOnlyKeys("G2-item");
        assertThat(result.anomalies().get(0).explanation()).doesNotContain("order of versions");
    }

    @Test
    void flinkFindsTheSameCycleByTimestamps() throws IOException {
        String unseenOrder =
                """
                s1 T1 [1,4]: w(x,1)
                s2 T2 [2,5]: w(x,2) w(z,2)
                s3 T3 [3,6]: r(x,1) r(z,2)
                """;
        RunResult local = checked(unseenOrder, "ser", "--evidence", "timestamps");
        RunResult flink = checked(unseenOrder, "ser", "--evidence", "timestamps", "--engine", "flink");
        RunResult automatic = checked(unseenOrder, "ser", "--engine", "flink");

        LevelResult serializable = flink.levels().get(IsolationLevel.SERIALIZABLE);
        assertThat(serializable.verdict().word()).isEqualTo("violated");
        assertThat(serializable.types())
                .isEqualTo(local.levels().get(IsolationLevel.SERIALIZABLE).types());
        assertThat(flink.anomalies()).isEqualTo(local.anomalies());
        assertThat(flink.anomalies().get(0).explanation())
                .endsWith("in the order of versions that commit timestamps give.");
        assertThat(automatic.levels().get(IsolationLevel.SERIALIZABLE).verdict().word())
                .isEqualTo("holds");
        assertThat(automatic.levels().get(IsolationLevel.SERIALIZABLE).evidence())
                .isEqualTo("values");
    }

    @Test
    void cycleThatValuesConfirmHasItsName() throws IOException {
        LevelResult serializable = serializable(
                """
                s1 T1 [1,2]: w(x,0) w(y,0) w(z,0)
                s2 T2 [3,6]: r(x,0) w(y,1)
                s3 T3 [4,7]: r(y,0) w(z,1)
                s4 T4 [5,8]: r(z,0) w(x,1)
                """);

        assertThat(serializable.verdict().word()).isEqualTo("violated");
        assertThat(serializable.evidence()).isEqualTo("timestamps");
        assertThat(serializable.types()).isEqualTo(Map.of("G2-item", 1L));
    }

    @Test
    void abortedReadRulesSerializabilityOutWithoutTheOrderOfCommits() throws IOException {
        LevelResult serializable = serializable(
                """
                s1 T1! [1,2]: w(x,1)
                s2 T2 [3,4]: r(x,1)
                """);

        assertThat(serializable.verdict().word()).isEqualTo("violated");
        assertThat(serializable.evidence()).isEqualTo("values");
        assertThat(serializable.types()).containsOnlyKeys("G1a");
    }

    @Test
    void tablesAndCountsAreThoseOfTheAnswer() throws IOException {
        Path lake = directory.resolve("lake");
        CommandRun run = CommandRun.check(written(READER_COMMITS_LAST), lake, "--level", "si,ser");

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(CommandRun.rows(lake, "FROM anomalies")).isEmpty();
    }

    @Test
    void flinkProvesItByTheSameOrder() throws IOException {
        RunResult result = checked(READER_COMMITS_LAST, "ser", "--engine", "flink");

        assertThat(result.levels().get(IsolationLevel.SERIALIZABLE).reason())
                .isEqualTo(serializable(READER_COMMITS_LAST).reason());
        assertThat(result.verdict().word()).isEqualTo("holds");
    }

    @ParameterizedTest
    @ValueSource(strings = {"local", "flink"})
    void orderThatProvesItIsWritten(String engine) throws IOException {
        String inCommitOrder =
                """
                s1 T1 [1,2]: w(x,1)
                s2 T2 [3,4]: r(x,1)
                """;
        assertThat(witness(READER_COMMITS_LAST, engine)).containsExactly(1L, 2L, 3L);
        assertThat(witness(inCommitOrder, engine)).containsExactly(1L, 2L);
    }

    /** Returns the ids of transactions in the order that a check writes. */
    private List<Long> witness(String notation, String engine) throws IOException {
        Path file = directory.resolve("w.jsonl");
        RunResult result = checked(notation, "si,ser", "--engine", engine, "--witness", "" + file);
        assertThat(result.levels().get(IsolationLevel.SERIALIZABLE).verdict().word())
                .isEqualTo("holds");
        List<Map<String, Object>> lines = JsonTree.lines(Files.readString(file));
        assertThat(lines.get(0)).containsEntry("witness", "serializable");
        return lines.stream()
                .skip(1)
                .map(line -> ((Number) line.get("txn")).longValue())
                .toList();
    }

    private LevelResult serializable(String notation) throws IOException {
        return checked(notation, "ser").levels().get(IsolationLevel.SERIALIZABLE);
    }

    private Path written(String notation) throws IOException {
        return Files.writeString(directory.resolve("h.txt"), notation);
    }

    private RunResult checked(String notation, String levels, String... more) throws IOException {
        String[] args = new String[more.length + 7];
        System.arraycopy(
                new String[] {"check", "" + written(notation), "--level", levels, "--lake", "none", "--json"},
                0,
                args,
                0,
                7);
        System.arraycopy(more, 0, args, 7, more.length);
        CommandRun run = CommandRun.of(args);
        assertThat(run.code()).as(run.err()).isLessThanOrEqualTo(2);
        return RunResultJson.read(run.out());
    }
}
