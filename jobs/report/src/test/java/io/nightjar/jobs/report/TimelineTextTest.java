package io.nightjar.jobs.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.jobs.lake.Lake;
import io.nightjar.jobs.lake.LakeFixtures;
import io.nightjar.jobs.lake.LakeRow;
import io.nightjar.jobs.sql.AnomalyLookup;
import io.nightjar.jobs.sql.SqlSession;
import io.nightjar.jobs.sql.StoredAnomaly;
import io.nightjar.jobs.sql.StoredRows;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimelineTextTest {

    @TempDir
    Path folder;

    @Test
    void barsSpanStartToCommitAndFaultyReadIsMarked() {
        assertThat(String.join("\n", new TimelineText(staleRead(), 80).lines()))
                .isEqualTo(
                        """
                        ID  stale read (EXT) on key x
                                  10          12               20         22               30         32
                        session 0                              ├T2───●────┤
                                                                     w(x,2)
                        session 1 ├T1───●─────┤                                            ├T3─────×───┤
                                        w(x,1)                                                  × r(x,1)
                        ├─┤ start to commit   × at fault   ● takes part   not to scale"""
                                .replace("ID", LakeFixtures.staleRead("x").anomalyId()));
    }

    @ParameterizedTest
    @ValueSource(ints = {40, 57, 80, 120, 200})
    void pictureFitsTerminalWidthAnd25Lines(int width) {
        for (int sessions : new int[] {1, 3, 9, 40}) {
            for (boolean isTimed : new boolean[] {true, false}) {
                List<String> lines = new TimelineText(many(sessions, isTimed), width).lines();

                assertThat(lines).hasSizeLessThanOrEqualTo(TimelineText.MAX_LINES);
                assertThat(lines).allMatch(line -> line.codePointCount(0, line.length()) <= width);
                assertThat(lines.stream().anyMatch(line -> line.endsWith("more sessions")))
                        .isEqualTo(sessions == 40);
            }
        }
    }

    @Test
    void linesWithoutTitleExistIfEverySessionFits() {
        TimelineText few = new TimelineText(many(3, true), 80);

        assertThat(few.linesIfWhole())
                .isEqualTo(few.lines().subList(1, few.lines().size()));
        assertThat(new TimelineText(many(40, true), 80).linesIfWhole()).isEmpty();
    }

    @Test
    void withoutTimesTheOrderIsDrawn() {
        assertThat(String.join("\n", new TimelineText(many(2, false), 80).lines()))
                .contains("├T0", "├T1", "no times are recorded")
                .doesNotContain("not to scale");
    }

    @Test
    void longTimesAreRelativeToTheFirst() {
        StoredAnomaly anomaly = many(1, true, "x", 1_795_550_000_123_456_789L);

        assertThat(new TimelineText(anomaly, 120).lines())
                .anyMatch(line -> line.matches(" +0 +\\+7 +\\+100 +\\+107 +\\+200 +\\+207"))
                .last()
                .asString()
                .endsWith("ticks after 1,795,550,000,123,456,789");
        AnomalyTimeline timeline = AnomalyTimeline.of(anomaly);
        assertThat(timeline.clientTicks().stream().map(AnomalyTimeline.Tick::text))
                .containsExactly("0", "+1", "+1.002", "+2", "+2.002", "+3.002");
        assertThat(timeline.clientUnit()).isEqualTo("µs after 1,795,550,000,123,456,786 ns");
        assertThat(TimelineDrawing.draw(timeline, "a")).contains("client, µs").doesNotContain("1795550000123");
    }

    @Test
    void invisibleCharactersOfKeyAreEscaped() {
        StoredAnomaly anomaly = many(1, true, "a\u202eb\u001b[31m");

        assertThat(new TimelineText(anomaly, 80).lines().get(0)).contains("a\\u202eb\\u001b[31m");
    }

    private StoredAnomaly staleRead() {
        LakeFixtures.writeRun(folder, "r1", "orders.parquet", LakeFixtures.MIDNIGHT, "x");
        try (SqlSession session = SqlSession.open(Lake.open(folder))) {
            return new AnomalyLookup(session).read(LakeFixtures.staleRead("x").anomalyId());
        }
    }

    /** Returns an anomaly with three consecutive transactions per session. */
    private static StoredAnomaly many(int sessions, boolean isTimed) {
        return many(sessions, isTimed, null);
    }

    private static StoredAnomaly many(int sessions, boolean isTimed, String key) {
        return many(sessions, isTimed, key, 0);
    }

    private static StoredAnomaly many(int sessions, boolean isTimed, String key, long origin) {
        List<Map<String, Object>> txns = new ArrayList<>();
        for (long txn = 0; txn < 3L * sessions; txn++) {
            Map<String, Object> row = new HashMap<>();
            row.put("txn_id", txn);
            row.put("role", "on-cycle");
            row.put("session_id", txn % sessions);
            row.put("session_seq", txn / sessions);
            row.put("status", "committed");
            row.put("start_ts", isTimed ? (Object) (origin + txn * 100) : null);
            row.put("commit_ts", isTimed ? (Object) (origin + txn * 100 + 7) : null);
            row.put("invoke_ns", isTimed ? (Object) (origin + txn * 1000 - 3) : null);
            row.put("complete_ns", isTimed ? (Object) (origin + txn * 1000 + 999) : null);
            row.put("op_index", 1L);
            row.put("ops_text", "w(x,1) r(some-key,[1,2,3]) w(y,2)");
            txns.add(row);
        }
        Map<String, Object> anomaly = new HashMap<>();
        anomaly.put("anomaly_id", "a1");
        anomaly.put("anomaly_type", "G2-item");
        anomaly.put("object_key", key);
        return new StoredAnomaly(
                StoredRows.of(LakeRow.Anomaly.class, anomaly),
                txns.stream()
                        .map(row -> StoredRows.of(LakeRow.AnomalyTxn.class, row))
                        .toList(),
                List.of(),
                "a.jsonl",
                "2026-11-20T00:00:00Z",
                1);
    }
}
