package io.nightjar.formats.cdc;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.HistoryRows;
import io.nightjar.fixtures.Seeds;
import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistoryWriter;
import io.nightjar.formats.history.SourceDiagnostic;
import io.nightjar.formats.registry.Histories;
import io.nightjar.formats.table.ColumnRole;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sorting of logs with interleaved events, in memory and on disk. */
class CommitSorterTest {

    private static final long LITTLE = 2_000;

    @TempDir
    Path folder;

    @Tag(Seeds.TAG)
    @Test
    void eventsOfDebeziumComeInTheOrderOfCommitsHoweverTheyAreMixedUp() throws IOException {
        for (long seed : Seeds.upTo(20)) {
            Random random = new Random(seed);
            int txnCount = 1 + random.nextInt(300);
            List<String> events = new ArrayList<>();
            List<String> expected = new ArrayList<>();
            for (int txn = 1; txn <= txnCount; txn++) {
                int lsn = 1_000 + txn;
                int ops = random.nextInt(4);
                StringBuilder row = new StringBuilder("s%d T%d [_,%d]:".formatted(900 - txn, 900 - txn, txn));
                for (int op = 0; op < ops; op++) {
                    String event = change(900 - txn, op + 1, txn * 10 + op);
                    events.add(event);
                    if (random.nextInt(10) == 0) {
                        events.add(event); // delivered twice
                    }
                    row.append(" w(").append(txn * 10 + op).append(",1)@1");
                }
                events.add("{\"status\":\"END\",\"id\":\"%d:%d\",\"event_count\":%d}".formatted(900 - txn, lsn, ops));
                expected.add(row.toString());
            }
            Collections.shuffle(events, random);

            assertThat(rows(events, Long.MAX_VALUE))
                    .as("seed=%d", seed)
                    .containsExactlyElementsOf(expected.stream().toList());
            assertThat(rows(events, LITTLE))
                    .as("seed=%d", seed)
                    .containsExactlyElementsOf(rows(events, Long.MAX_VALUE));
        }
    }

    @Test
    void rowsWithHashesThatCollideAreNotTakenForOne() throws IOException {
        Path file = folder.resolve("feed.ndjson");
        Files.write(
                file,
                List.of(
                        "{\"after\":{\"id\":\"Aa\",\"v\":1},\"key\":[\"Aa\"],\"mvcc_timestamp\":\"5.1\"}",
                        "{\"after\":{\"id\":\"BB\",\"v\":1},\"key\":[\"BB\"],\"mvcc_timestamp\":\"5.1\"}"));
        try (ChangeSource source = ChangeSource.open("cockroach", file.toString(), List.of(file), Map.of())) {
            assertThat(rows(source)).hasSize(1).first().asString().contains("Aa", "BB");
            assertThat(source.remarks()).extracting(SourceDiagnostic::ruleId).doesNotContain("L32");
        }
    }

    @Test
    void topicsInFilesOfTheirOwnAreOneLogInTheOrderOfTheBinaryLog() throws IOException {
        Path logs = Files.createDirectory(folder.resolve("topics"));
        Files.write(logs.resolve("shop.a.json"), List.of(binlog("gtid:2", 3, 500, "a"), binlog("gtid:4", 4, 100, "a")));
        Files.write(logs.resolve("shop.b.json"), List.of(binlog("gtid:1", 3, 300, "b"), binlog("gtid:3", 3, 700, "b")));
        List<Path> files = List.of(logs.resolve("shop.a.json"), logs.resolve("shop.b.json"));
        try (ChangeSource source = ChangeSource.open("debezium", logs.toString(), files, Map.of())) {
            List<String> rows = rows(source);

            assertThat(rows).hasSize(4);
            for (int i = 0; i < 4; i++) {
                assertThat(rows.get(i)).contains("T" + (i + 1), "," + (i + 1) + "]", "gtid:" + (i + 1));
            }
        }
    }

    private static String binlog(String gtid, int file, int position, String table) {
        return ("{\"op\":\"c\",\"after\":{\"id\":%d,\"v\":1},\"source\":{\"db\":\"d\",\"table\":\"%s\",\"gtid\":\"%s\","
                        + "\"file\":\"binlog.%06d\",\"pos\":%d,\"row\":0}}")
                .formatted(position, table, gtid, file, position);
    }

    @Test
    void noFilesRemainOnDisk() throws IOException {
        List<String> events = new ArrayList<>();
        for (int txn = 1; txn <= 200; txn++) {
            events.add(change(txn, 1, txn));
        }
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        long before = hidden(temporary);
        rows(events, LITTLE);
        assertThat(hidden(temporary)).isLessThanOrEqualTo(before);
    }

    private static long hidden(Path in) throws IOException {
        try (java.util.stream.Stream<Path> files = Files.list(in)) {
            return files.filter(file -> file.getFileName().toString().startsWith(".nightjar."))
                    .count();
        }
    }

    private static String change(int xid, int total, int key) {
        return ("{\"op\":\"c\",\"after\":{\"id\":%d,\"v\":1},\"source\":{\"txId\":%d,\"lsn\":%d,\"schema\":\"s\",\"table\":\"t\"},"
                        + "\"transaction\":{\"id\":\"%d:%d\",\"total_order\":%d}}")
                .formatted(key, xid, 7_000 - xid, xid, 7_000 - xid, total);
    }

    private List<String> rows(List<String> events, long bufferBytes) throws IOException {
        Path file = folder.resolve("events.jsonl");
        Files.write(file, events);
        Map<ColumnRole, String> columns = Map.of(ColumnRole.KEY, "id", ColumnRole.VALUE, "v");
        try (ChangeSource source =
                ChangeSource.open("debezium", file.toString(), List.of(file), columns, bufferBytes)) {
            return rows(source);
        }
    }

    private List<String> rows(ChangeSource source) throws IOException {
        Path out = folder.resolve("out.txt");
        try (HistoryWriter writer = Histories.create(out, null)) {
            for (HistorySlice slice : HistoryRows.slices(source, BadRowHandler.REJECT)) {
                writer.write(slice);
            }
            writer.finish();
        }
        return Files.readAllLines(out);
    }
}
