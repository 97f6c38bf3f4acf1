package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.finding.EdgeReason;
import io.nightjar.formats.finding.ExplainedFinding;
import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Edge;
import io.nightjar.formats.finding.Finding.Expectation;
import io.nightjar.formats.finding.Finding.Origin;
import io.nightjar.formats.finding.Finding.Participant;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.finding.TxnRow.OpRow;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.EdgeEvidence;
import io.nightjar.formats.level.EdgeType;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.lake.Lake;
import io.nightjar.jobs.lake.LakeFixtures;
import io.nightjar.jobs.lake.LakeNames;
import io.nightjar.jobs.lake.RunWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExplainCommandTest {

    @TempDir
    Path folder;

    @Test
    void onePageShowsTransactionsRuleReasonAndSql() {
        LakeFixtures.writeRun(folder, "r1", "orders.parquet", LakeFixtures.MIDNIGHT, "x");
        String id = LakeFixtures.staleRead("x").anomalyId();

        CommandRun run = CommandRun.of("explain", folder.toString(), id);

        assertThat(run.out())
                .isEqualTo(
                        """
                        ID  stale read (EXT) on key x rules out snapshot-isolation
                        in orders.parquet, run r1 of 2026-11-20T00:00:02Z
                          T3 reader session 1 seq 3 committed start 30 commit 32 orders.parquet row 3
                              w(other,7) »r(x,1)«
                          T2 expected-writer session 0 seq 2 committed start 20 commit 22 orders.parquet row 2
                              w(x,2)
                          T1 observed-writer session 1 seq 1 committed start 10 commit 12 orders.parquet row 1
                              w(x,1)
                        read  expected 2 of T2, observed 1 of T1 (stale)
                        order T1 -wr-> T3, T1 -ww-> T2, T2 -ts-> T3
                        rule  a transaction's first read of a key returns the last value committed at or before its start timestamp
                              (docs/anomalies.md#ext)
                        why   T3 read x=1, but its snapshot at 30 shows x=2, committed by T2 at 22. The value it read is stale: T1 committed it
                              at 12. A snapshot 8 later would have been right.
                        sql   SELECT * FROM anomaly_txns WHERE anomaly_id = 'ID' AND run_id = 'r1' ORDER BY txn_seq;
                        sql   SELECT * FROM history('orders.parquet') WHERE txn_id IN (3, 2, 1);
                        """
                                .replace("ID", id));
    }

    @Test
    void theDrawingGoesIntoAFile() throws IOException {
        LakeFixtures.writeRun(folder.resolve("lake"), "r1", "orders.parquet", LakeFixtures.MIDNIGHT, "x");
        String id = LakeFixtures.staleRead("x").anomalyId();
        Path svg = folder.resolve("a.svg");

        CommandRun run = CommandRun.of("explain", folder.resolve("lake").toString(), id, "--svg", svg.toString());

        assertThat(run.code()).isZero();
        assertThat(run.out()).startsWith(id + "  stale read (EXT) on key x");
        assertThat(svg).content().startsWith("<svg ").contains(">w(other,7)<", ">r(x,1)<", ">wr x<");
    }

    @Test
    void aDashPrintsTheDrawingInsteadOfThePage() {
        LakeFixtures.writeRun(folder, "r1", "orders.parquet", LakeFixtures.MIDNIGHT, "x");
        String id = LakeFixtures.staleRead("x").anomalyId();

        assertThat(CommandRun.of("explain", folder.toString(), id, "--svg", "-").out())
                .startsWith("<svg ")
                .endsWith("</svg>\n");
    }

    @Test
    void aDrawingNeedsAnAnomalyAndAFolder() {
        LakeFixtures.writeRun(folder, "r1", "orders.parquet", LakeFixtures.MIDNIGHT, "x");
        String id = LakeFixtures.staleRead("x").anomalyId();
        Path nowhere = folder.resolve("nowhere/a.svg");

        assertThat(CommandRun.of("explain", folder.toString(), "--svg", "a.svg").code())
                .isEqualTo(64);
        CommandRun run = CommandRun.of("explain", folder.toString(), id, "--svg", nowhere.toString());
        assertThat(run.code()).isEqualTo(64);
        assertThat(run.err()).contains("no such directory: path=" + nowhere.getParent() + "; make it first");
    }

    @Test
    void cycleStepsAreOnSeparateLines() {
        Finding finding = cycle("because so", "because of this");
        write(finding, "not what is shown");

        assertThat(CommandRun.of("explain", folder.toString(), finding.anomalyId())
                        .out())
                .contains("why   - T1 < T2, because so.\n      - However, T2 < T1, because of this: a contradiction!\n")
                .doesNotContain("order ", "not what is shown");
    }

    @Test
    void theDecisiveReasonIsWrappedAndNeverCut() {
        String reason = "because " + "of what everybody saw ".repeat(40) + "at last";
        Finding finding = cycle("because so", reason);
        write(finding, "-");

        String page =
                CommandRun.of("explain", folder.toString(), finding.anomalyId()).out();

        assertThat(page.replaceAll("\\s+", " ")).contains(reason.substring(8) + ": a contradiction!");
        assertThat(page.lines()).allMatch(line -> line.length() <= 120);
    }

    @Test
    void nameInWordsPrecedesTheType() {
        Finding finding = new Finding(
                Anomaly.LOST_UPDATE,
                "lost-update",
                IsolationLevel.SNAPSHOT_ISOLATION,
                "cycle",
                "x",
                List.of(new Participant(1, Role.SUBJECT, 1, 2), new Participant(2, Role.SUBJECT, 1, 3)),
                new Expectation(null, null, "7", null, null),
                null,
                false,
                List.of());
        write(finding, "both read x=7");

        assertThat(CommandRun.of("explain", folder.toString(), finding.anomalyId())
                        .out())
                .contains("  lost update (lost-update) on key x", "value 7, the version that each of them replaced")
                .doesNotContain("expected");
    }

    private static Finding cycle(String first, String second) {
        return new Finding(
                Anomaly.G_SINGLE_ITEM,
                null,
                IsolationLevel.SERIALIZABLE,
                "cycle",
                "x",
                List.of(new Participant(1, Role.ON_CYCLE, 1, 2), new Participant(2, Role.ON_CYCLE, 1, 2)),
                null,
                null,
                false,
                List.of(
                        new Edge(
                                1,
                                2,
                                EdgeType.WR,
                                "x",
                                "1",
                                "1",
                                EdgeEvidence.VALUE,
                                new EdgeReason.Explained(first.substring(8))),
                        new Edge(
                                2,
                                1,
                                EdgeType.RW,
                                "x",
                                "1",
                                "2",
                                EdgeEvidence.VALUE,
                                new EdgeReason.Explained(second.substring(8)))));
    }

    private void write(Finding finding, String explanation) {
        try (RunWriter run = Lake.open(folder).begin("r1", LakeNames.historyId("orders.parquet"))) {
            run.addAnomaly(
                    ExplainedFinding.of(finding, txnId -> LakeFixtures.staleReadTxn("x", txnId), participant -> -1),
                    explanation,
                    null);
            run.commit(LakeFixtures.result("r1", 1), LakeFixtures.facts(LakeFixtures.MIDNIGHT));
        }
    }

    @Test
    void theFirstCharactersOfAnIdAreEnough() {
        LakeFixtures.writeRun(folder, "r1", "a", LakeFixtures.MIDNIGHT, "x");
        String id = LakeFixtures.staleRead("x").anomalyId();

        assertThat(CommandRun.of("explain", folder.toString(), id.substring(0, 6)))
                .isEqualTo(CommandRun.of("explain", folder.toString(), id));
    }

    @Test
    void anAmbiguousIdListsTheCandidates() {
        LakeFixtures.writeRun(folder, "r1", "a", LakeFixtures.MIDNIGHT, "x", "y");

        CommandRun run = CommandRun.of("explain", folder.toString(), "a");

        assertThat(run.code()).isEqualTo(64);
        assertThat(run.err())
                .contains("more than one anomaly: anomaly=a")
                .contains(LakeFixtures.staleRead("x").anomalyId())
                .contains(LakeFixtures.staleRead("y").anomalyId());
    }

    @Test
    void anUnknownIdListsTheNearest() {
        LakeFixtures.writeRun(folder, "r1", "a", LakeFixtures.MIDNIGHT, "x");

        CommandRun run = CommandRun.of("explain", folder.toString(), "zzz");

        assertThat(run.code()).isEqualTo(64);
        assertThat(run.err())
                .isEqualTo("nightjar: no such anomaly: anomaly=zzz lake=" + folder + "; the nearest are "
                        + LakeFixtures.staleRead("x").anomalyId() + "\n");
    }

    @Test
    void withoutAnAnomalyTheyAreListed() {
        LakeFixtures.writeRun(folder, "r1", "a", LakeFixtures.MIDNIGHT, "x", "y");

        CommandRun run = CommandRun.of("explain", folder.toString());

        assertThat(run.code()).isZero();
        assertThat(run.out().lines()).hasSize(4);
        assertThat(run.out())
                .contains(LakeFixtures.staleRead("x").anomalyId() + "  stale read (EXT) on key x rules out ")
                .doesNotContainPattern(".{121}");
    }

    @Test
    void theLatestRunIsShownUnlessAnotherIsAskedFor() {
        LakeFixtures.writeRun(folder, "r1", "a", LakeFixtures.MIDNIGHT, "x");
        LakeFixtures.writeRun(folder, "r2", "a", LakeFixtures.MIDNIGHT.plusSeconds(60), "x");
        String id = LakeFixtures.staleRead("x").anomalyId();

        assertThat(CommandRun.of("explain", folder.toString(), id).out())
                .contains("run r2 of 2026-11-20T00:01:02Z, found by 2 runs");
        assertThat(CommandRun.of("explain", folder.toString(), id, "--run-id", "r1")
                        .out())
                .contains("run r1 of 2026-11-20T00:00:02Z\n");
    }

    @Test
    void anUnknownRunIsWrongUsage() {
        LakeFixtures.writeRun(folder, "r1", "a", LakeFixtures.MIDNIGHT, "x");

        CommandRun run = CommandRun.of("explain", folder.toString(), "a", "--run-id", "r9");

        assertThat(run).isEqualTo(new CommandRun(64, "", "nightjar: no such run: run-id=r9 lake=" + folder + "\n"));
    }

    @Test
    void theSameFactsComeAsJson() {
        LakeFixtures.writeRun(folder, "r1", "orders.parquet", LakeFixtures.MIDNIGHT, "x");
        String id = LakeFixtures.staleRead("x").anomalyId();

        String json = CommandRun.of("explain", folder.toString(), id, "--json").out();

        assertThat(json.lines()).hasSize(1);
        assertThat(json)
                .startsWith("{\"schema\":1,\"anomaly_id\":\"" + id + "\",\"run_id\":\"r1\",")
                .contains("\"rule\":\"a transaction's first read")
                .contains("\"transactions\":[{\"anomaly_id\":")
                .contains("\"edges\":[{")
                .contains("\"sql\":\"SELECT * FROM anomaly_txns WHERE");
    }

    @Test
    void aMonstrousAnomalyStillFitsOnAPage() {
        Finding monster = monster();
        try (RunWriter run = Lake.open(folder).begin("r" + "9".repeat(99), LakeNames.historyId("a"))) {
            List<OpRow> ops = manyOps();
            run.addAnomaly(
                    ExplainedFinding.of(monster, txnId -> LakeFixtures.txn(txnId, ops), participant -> 50_000),
                    "because ".repeat(500),
                    null);
            run.commit(LakeFixtures.result(run.runId(), 1), LakeFixtures.facts(LakeFixtures.MIDNIGHT));
        }

        CommandRun run = CommandRun.of("explain", folder.toString(), monster.anomalyId());

        assertThat(run.code()).isZero();
        assertThat(run.out().lines().count()).isLessThanOrEqualTo(29);
        assertThat(run.out().lines()).allMatch(line -> line.codePointCount(0, line.length()) <= 120);
        assertThat(run.out())
                .contains(" r(kk")
                .contains("more transactions")
                .contains("sql   SELECT * FROM anomaly_txns")
                .contains("why   because because");
    }

    private static Finding monster() {
        List<Participant> participants = new ArrayList<>();
        List<Edge> edges = new ArrayList<>();
        for (long txn = 1; txn <= 100; txn++) {
            participants.add(new Participant(Long.MAX_VALUE - txn, Role.SUBJECT, Long.MAX_VALUE - 1, Long.MAX_VALUE));
            edges.add(new Edge(
                    Long.MAX_VALUE - txn,
                    Long.MAX_VALUE,
                    EdgeType.RW,
                    "k".repeat(1_000),
                    null,
                    null,
                    EdgeEvidence.VALUE));
        }
        String list = "[" + "12345,".repeat(10_000) + "1]";
        return new Finding(
                Anomaly.EXT,
                "a-pattern-of-some-length",
                IsolationLevel.SERIALIZABLE,
                "chronos-ser",
                "k".repeat(1_000),
                participants,
                new Expectation(list, 1L, list.replace(",1]", ",2]"), 2L, Origin.FUTURE),
                null,
                true,
                edges);
    }

    private static List<OpRow> manyOps() {
        List<OpRow> ops = new ArrayList<>();
        String list = "[" + "7,".repeat(2_000) + "8]";
        for (int op = 0; op < 100_000; op++) {
            ops.add(
                    op == 50_000
                            ? new OpRow("r", "k".repeat(1_000), list)
                            : new OpRow("w", "other" + op, "value " + op));
        }
        return ops;
    }
}
