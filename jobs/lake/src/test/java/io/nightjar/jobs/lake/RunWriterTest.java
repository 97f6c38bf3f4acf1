package io.nightjar.jobs.lake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.formats.finding.EdgeReason;
import io.nightjar.formats.finding.EdgeReason.LinkSource;
import io.nightjar.formats.finding.EdgeReason.VersionLink;
import io.nightjar.formats.finding.ExplainedFinding;
import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.EdgeEvidence;
import io.nightjar.formats.level.EdgeType;
import io.nightjar.jobs.UsageException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunWriterTest {

    private static final String HISTORY = LakeNames.historyId("orders.parquet");

    @TempDir
    Path folder;

    @Test
    void aRunWithRowsEverywhereHasAFileForEachTableAndNothingElse() {
        LakeFixtures.writeFullRun(folder, "r1");

        String part = "/history_id=" + HISTORY + "/run_id=r1/part-00000.parquet";
        assertThat(filesIn(folder))
                .containsExactly(
                        "_runs/r1/_SUCCESS",
                        "_runs/r1/run.json",
                        "anomalies" + part,
                        "anomaly_edges" + part,
                        "anomaly_txns" + part,
                        "components" + part,
                        "dead_letters" + part,
                        "level_verdicts" + part,
                        "lint_findings" + part,
                        "runs" + part,
                        "stages" + part,
                        "verdict_changes" + part,
                        "watch_intervals" + part);
    }

    @Test
    void aTableWithoutRowsGetsNoFile() {
        LakeFixtures.writeRun(folder, "r1", "orders.parquet", LakeFixtures.MIDNIGHT);

        assertThat(foldersIn(folder)).containsExactly("_runs", "level_verdicts", "runs");
        assertThat(foldersIn(folder.resolve("_runs"))).containsExactly("r1");
    }

    @Test
    void edgesKeepTheirReasonsAndAFindingMayRuleOutNoLevel() {
        Finding.Edge edge = new Finding.Edge(
                1, 2, EdgeType.WW, "x", "1", "1", EdgeEvidence.VALUE, new EdgeReason.Listed(9L, false));
        Finding finding = new Finding(
                Anomaly.DUPLICATE_WRITE,
                null,
                null,
                "read-committed",
                "x",
                List.of(new Finding.Participant(1, Finding.Role.EXPECTED_WRITER, 1, 2)),
                null,
                null,
                false,
                List.of(edge));
        try (RunWriter run = Lake.open(folder).begin("r1", HISTORY)) {
            run.addAnomaly(ExplainedFinding.of(finding, txnId -> null, participant -> -1), "written twice", null);
            run.commit(LakeFixtures.result("r1", 1), LakeFixtures.facts(LakeFixtures.MIDNIGHT));
        }

        assertThat(LakeRows.rows(folder, LakeTable.ANOMALY_EDGES).get(0).toString())
                .endsWith(
                        "1, 2, ww, x, 1, 1, value, T9's read of x shows T1's 1 and not T2's 1, which therefore came later,"
                                + " null, [\"listed\",\"9\",\"false\"]]");
        assertThat(LakeRows.rows(folder, LakeTable.ANOMALIES).get(0).toString())
                .contains("duplicate-write, null, null, read-committed, x");
    }

    @Test
    void aReasonIsReadBackAsDataOrElseAsItsSentence() {
        EdgeReason path = new EdgeReason.Replaced(List.of(
                new VersionLink(LinkSource.SESSION, 1, null, 2, "a \"b\"\n", 4, HistorySlice.NONE),
                new VersionLink(LinkSource.VERSION, 2, "a \"b\"\n", 3, "c")));

        assertThat(ReasonText.parse(ReasonText.of(path), "so it is")).isEqualTo(path);
        assertThat(ReasonText.of(null)).isNull();
        assertThat(ReasonText.parse(null, null)).isNull();
        for (String unknown :
                new String[] {null, "[\"later\",\"1\"]", "[\"session\"]", "[\"session\",\"x\"]", "[]", "{", "1"}) {
            assertThat(ReasonText.parse(unknown, "so it is"))
                    .as(unknown)
                    .isEqualTo(new EdgeReason.Explained("so it is"));
        }
    }

    @Test
    void manyRowsAreWrittenInTheirOrderAndNoMoreThanThereIsRoom() {
        int freeBytes = 9_000;
        try (RunWriter run = Lake.open(folder).begin("r1", HISTORY, freeBytes)) {
            for (int i = 0; i < freeBytes + 10; i++) {
                boolean isTaken =
                        run.add(new LakeRow.DeadLetter(run.ids(), "h.jsonl", (long) i, "why", "text " + i % 7));
                assertThat(isTaken).isEqualTo(i < freeBytes);
                assertThat(run.add(new LakeRow.LintFinding(run.ids(), "L" + i, "info", 1, null, "m")))
                        .isEqualTo(i < freeBytes);
            }
            run.commit(LakeFixtures.result("r1", 1), LakeFixtures.facts(LakeFixtures.MIDNIGHT));
        }

        assertThat(LakeRows.count(folder, LakeTable.LINT_FINDINGS)).isEqualTo(freeBytes);
        List<List<String>> rows = LakeRows.rows(folder, LakeTable.DEAD_LETTERS);
        assertThat(rows).hasSize(freeBytes);
        for (int i = 0; i < freeBytes; i++) {
            assertThat(rows.get(i)).endsWith("h.jsonl", Integer.toString(i), "why", "text " + i % 7);
        }
    }

    @Test
    void aRunOfManyRowsThatIsGivenUpLeavesNothing() {
        try (RunWriter run = Lake.open(folder.resolve("lake")).begin("r1", HISTORY)) {
            for (int i = 0; i < 8_000; i++) {
                run.add(new LakeRow.DeadLetter(run.ids(), "h.jsonl", (long) i, "why", "text"));
            }
        }

        assertThat(folder.resolve("lake")).doesNotExist();
    }

    @Test
    void beforeTheCommitEveryFileIsHidden() {
        try (RunWriter run = Lake.open(folder).begin("r1", HISTORY)) {
            LakeFixtures.addStaleRead(run, "x");

            assertThat(filesIn(folder))
                    .allSatisfy(file -> assertThat(Path.of(file).getFileName().toString())
                            .satisfiesAnyOf(name -> assertThat(name).startsWith("."), name -> assertThat(name)
                                    .isEqualTo("r1")));
            assertThat(Lake.open(folder).completeRuns()).isEmpty();
        }
    }

    @Test
    void closingWithoutCommitRemovesEverythingAlsoTheLakeItMade() {
        Path lake = folder.resolve("lake");

        try (RunWriter run = Lake.open(lake).begin("r1", HISTORY)) {
            LakeFixtures.addStaleRead(run, "x");
        }

        assertThat(lake).doesNotExist();
    }

    @Test
    void closingWithoutCommitLeavesOtherRunsAlone() {
        LakeFixtures.writeFullRun(folder, "r1");
        List<String> before = filesIn(folder);

        try (RunWriter run = Lake.open(folder).begin("r2", HISTORY)) {
            LakeFixtures.addStaleRead(run, "x");
        }

        assertThat(filesIn(folder)).isEqualTo(before);
    }

    @Test
    void aCompletedRunIdIsNotWrittenAgain() {
        LakeFixtures.writeFullRun(folder, "r1");

        assertThatThrownBy(() -> Lake.open(folder).begin("r1", HISTORY))
                .isInstanceOf(UsageException.class)
                .hasMessage("run exists already: run-id=r1 lake=" + folder + "; choose another --run-id");
    }

    @Test
    void twoWritersOfOneRunIdExcludeEachOther() {
        try (RunWriter first = Lake.open(folder).begin("r1", HISTORY)) {
            assertThatThrownBy(() -> Lake.open(folder).begin("r1", HISTORY))
                    .isInstanceOf(UsageException.class)
                    .hasMessage("run is being written by another process: run-id=r1; "
                            + "wait for it or choose another --run-id");
            first.commit(LakeFixtures.result("r1", 0), LakeFixtures.facts(LakeFixtures.MIDNIGHT));
        }
        assertThat(Lake.open(folder).completeRuns()).containsExactly("r1");
    }

    @Test
    void twoRunsAreWrittenSideBySide() {
        Lake lake = Lake.open(folder);
        try (RunWriter one = lake.begin("r1", HISTORY);
                RunWriter other = lake.begin("r2", HISTORY)) {
            LakeFixtures.addStaleRead(one, "x");
            LakeFixtures.addStaleRead(other, "x");
            one.commit(LakeFixtures.result("r1", 1), LakeFixtures.facts(LakeFixtures.MIDNIGHT));
        }
        assertThat(lake.completeRuns()).containsExactly("r1");
    }

    @Test
    void theRowOfTheRunIsPublishedAfterEveryOtherTable() throws IOException {
        String part = "/history_id=" + HISTORY + "/run_id=r1/part-00000.parquet";
        Files.createDirectories(folder.resolve("_runs"));
        Files.createDirectories(folder.resolve("level_verdicts" + part).resolve("in-the-way"));

        try (RunWriter run = Lake.open(folder).begin("r1", HISTORY)) {
            assertThatThrownBy(
                            () -> run.commit(LakeFixtures.result("r1", 0), LakeFixtures.facts(LakeFixtures.MIDNIGHT)))
                    .isInstanceOf(LakeException.class);

            assertThat(folder.resolve("runs" + part)).doesNotExist();
        }
    }

    @Test
    void aClockThatIsFarAheadIsWrittenAsItIs() {
        LakeFixtures.writeRun(folder, "r1", "orders.parquet", Instant.parse("9999-12-31T23:59:59.999Z"));

        assertThat(folder.resolve("runs/history_id=" + HISTORY + "/run_id=r1/part-00000.parquet"))
                .exists();
    }

    @Test
    void nextAttemptRemovesFilesOfCrashedRun() throws IOException {
        LakeFixtures.writeRun(folder, "r1", "an-older-name.parquet", LakeFixtures.MIDNIGHT, "x");
        Files.delete(folder.resolve("_runs/r1/_SUCCESS"));
        Path remains = folder.resolve("anomalies/history_id=" + HISTORY + "/run_id=r1/.part-00000.parquet.tmp");
        Files.createDirectories(remains.getParent());
        Files.writeString(remains, "torn");
        Files.createDirectories(folder.resolve("_runs/.locks"));
        Files.writeString(folder.resolve("_runs/.locks/r1"), "of a dead process");

        LakeFixtures.writeRun(folder, "r1", "orders.parquet", LakeFixtures.MIDNIGHT);

        String run = "/history_id=" + HISTORY + "/run_id=r1/part-00000.parquet";
        assertThat(filesIn(folder))
                .containsExactly("_runs/r1/_SUCCESS", "_runs/r1/run.json", "level_verdicts" + run, "runs" + run);
    }

    @Test
    void laterRunRemovesFilesOfCrashedRun() throws IOException {
        Path remains = folder.resolve("anomalies/history_id=" + HISTORY + "/run_id=r1/.part-00000.parquet.tmp");
        Files.createDirectories(remains.getParent());
        Files.writeString(remains, "torn");
        Files.createDirectories(folder.resolve("_runs/.locks"));
        Files.writeString(folder.resolve("_runs/.locks/r1"), "of a dead process");

        LakeFixtures.writeRun(folder, "r2", "orders.parquet", LakeFixtures.MIDNIGHT);

        String run = "/history_id=" + HISTORY + "/run_id=r2/part-00000.parquet";
        assertThat(filesIn(folder))
                .containsExactly("_runs/r2/_SUCCESS", "_runs/r2/run.json", "level_verdicts" + run, "runs" + run);
    }

    @Test
    void anIdThatWasDrawnBeforeIsDrawnAgain() {
        LakeFixtures.writeRun(folder, "r1", "a", LakeFixtures.MIDNIGHT);
        Lake lake = Lake.open(folder);
        Iterator<String> ids = List.of("r1", "r2", "r2", "r3").iterator();

        try (RunLock second = lake.lockNewRun(ids::next);
                RunLock third = lake.lockNewRun(ids::next)) {
            assertThat(second.path()).hasFileName("r2");
            assertThat(third.path()).hasFileName("r3");
        }
    }

    @Test
    void aNewIdIsMadeWhereNoneIsGiven() {
        try (RunWriter run = Lake.open(folder).begin(null, HISTORY)) {
            assertThat(run.runId()).matches("r\\d{8}T\\d{6}Z-[0-9a-f]{4}");
        }
    }

    @Test
    void aFailureOfStorageLeavesNoRun() throws IOException {
        Path lake = folder.resolve("lake");
        Files.createDirectories(lake.resolve("_runs"));
        Files.writeString(lake.resolve("runs"), "a file where a folder should be");

        assertThatThrownBy(() -> LakeFixtures.writeRun(lake, "r1", "a", LakeFixtures.MIDNIGHT))
                .isInstanceOf(LakeException.class)
                .hasMessageContaining("cannot create folder");
        assertThat(Lake.open(lake).completeRuns()).isEmpty();
    }

    @Test
    void anAnomalyForWhichOneTableHasNoRoomIsLeftOutAsAWhole() {
        try (RunWriter run = Lake.open(folder).begin("r1", HISTORY, 8)) {
            assertThat(add(run, "x")).isTrue();
            assertThat(add(run, "y")).isTrue();
            assertThat(add(run, "z")).isFalse();
            run.commit(LakeFixtures.result("r1", 3), LakeFixtures.facts(LakeFixtures.MIDNIGHT));
        }
        assertThat(LakeRows.count(folder, LakeTable.ANOMALIES)).isEqualTo(2);
        assertThat(LakeRows.count(folder, LakeTable.ANOMALY_TXNS)).isEqualTo(6);
        assertThat(LakeRows.count(folder, LakeTable.ANOMALY_EDGES)).isEqualTo(6);
    }

    @Test
    void aFullTableSaysSo() {
        try (RunWriter run = Lake.open(folder).begin("r1", HISTORY, 1)) {
            assertThat(run.add(new LakeRow.DeadLetter(run.ids(), "f", 1, "bad", "{}")))
                    .isTrue();
            assertThat(run.add(new LakeRow.DeadLetter(run.ids(), "f", 2, "bad", "{}")))
                    .isFalse();
        }
    }

    @Test
    void theResultOfAnotherRunIsRefused() {
        try (RunWriter run = Lake.open(folder).begin("r1", HISTORY)) {
            assertThatThrownBy(
                            () -> run.commit(LakeFixtures.result("r2", 0), LakeFixtures.facts(LakeFixtures.MIDNIGHT)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("result of another run: runId=r1 result=r2");
        }
    }

    private static boolean add(RunWriter run, String key) {
        Finding finding = LakeFixtures.staleRead(key);
        return run.addAnomaly(
                ExplainedFinding.of(finding, txnId -> LakeFixtures.staleReadTxn(key, txnId), LakeFixtures::staleReadOp),
                "why",
                null);
    }

    private static List<String> filesIn(Path folder) {
        try (Stream<Path> paths = Files.walk(folder)) {
            return paths.filter(Files::isRegularFile)
                    .map(path -> folder.relativize(path).toString())
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> foldersIn(Path folder) {
        return Lake.list(folder).stream()
                .map(path -> path.getFileName().toString())
                .toList();
    }
}
