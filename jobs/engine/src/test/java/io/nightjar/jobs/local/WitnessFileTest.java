package io.nightjar.jobs.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.JsonTree;
import io.nightjar.fixtures.Seeds;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.jobs.RunResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The order in a witness file explains every read; it is applied to the history here, by code of this test alone. */
class WitnessFileTest {

    private static final List<IsolationLevel> STRONG =
            List.of(IsolationLevel.PREFIX, IsolationLevel.SNAPSHOT_ISOLATION, IsolationLevel.SERIALIZABLE);

    @TempDir
    private Path folder;

    private Path history;
    private Path witness;

    @BeforeEach
    void nameFiles() {
        history = folder.resolve("history.jsonl");
        witness = folder.resolve("witness.jsonl");
    }

    @Test
    void aSerialOrderIsWrittenForASerializableHistory() throws IOException {
        write(
                "{\"txn\":7,\"session\":0,\"ops\":[[\"r\",\"x\",null],[\"w\",\"y\",1]]}",
                "{\"txn\":5,\"session\":1,\"ops\":[[\"w\",\"x\",1]]}",
                "{\"txn\":3,\"session\":0,\"ops\":[[\"r\",\"x\",1]]}");

        assertProof(IsolationLevel.SERIALIZABLE);
    }

    @Test
    void snapshotsAreWrittenForAWriteSkew() throws IOException {
        write(
                "{\"txn\":1,\"session\":0,\"ops\":[[\"r\",\"x\",null],[\"w\",\"y\",1]]}",
                "{\"txn\":2,\"session\":1,\"ops\":[[\"r\",\"y\",null],[\"w\",\"x\",1]]}");

        assertProof(IsolationLevel.SNAPSHOT_ISOLATION);
    }

    @Test
    void prefixesAreWrittenForALostUpdate() throws IOException {
        write(
                "{\"txn\":1,\"session\":0,\"ops\":[[\"r\",\"x\",null],[\"w\",\"x\",1]]}",
                "{\"txn\":2,\"session\":1,\"ops\":[[\"r\",\"x\",null],[\"w\",\"x\",2]]}",
                "{\"txn\":3,\"session\":2,\"ops\":[[\"r\",\"x\",1]]}");

        assertProof(IsolationLevel.PREFIX);
    }

    @Test
    void theOrdersOfComponentsThatShareSessionsBecomeOne() throws IOException {
        List<String> rows = new ArrayList<>();
        // sessions 0 and 1 have transactions in all parts, none of which shares a key
        for (int part = 0; part < 20; part++) {
            String x = "\"x" + part + "\"";
            String y = "\"y" + part + "\"";
            rows.add("{\"session\":0,\"ops\":[[\"r\"," + x + ",null],[\"w\"," + y + ",1]]}");
            rows.add("{\"session\":1,\"ops\":[[\"r\"," + y + ",null],[\"w\"," + x + ",1]]}");
            rows.add("{\"session\":" + (2 + part) + ",\"ops\":[[\"r\"," + x + ",1],[\"r\"," + y + ",1]]}");
        }
        write(rows.toArray(String[]::new));

        assertProof(IsolationLevel.SNAPSHOT_ISOLATION);
    }

    @Tag(Seeds.TAG)
    @Test
    void randomHistoriesOfSerialStoresHaveSerialOrders() throws IOException {
        for (long seed : Seeds.upTo(20)) {
            write(serial(new Random(seed)));

            assertProof(IsolationLevel.SERIALIZABLE);
        }
    }

    /** Returns transactions executed one after the other, in a few separate groups of keys. */
    private static String[] serial(Random random) {
        Map<String, Integer> state = new HashMap<>();
        String[] rows = new String[40];
        for (int txn = 0; txn < rows.length; txn++) {
            int group = random.nextInt(3);
            List<String> ops = new ArrayList<>();
            for (int op = 0; op < 4; op++) {
                String key = "g" + group + "k" + random.nextInt(3);
                if (random.nextBoolean()) {
                    state.put(key, 10 * txn + op);
                    ops.add("[\"w\",\"" + key + "\"," + state.get(key) + "]");
                } else {
                    ops.add("[\"r\",\"" + key + "\"," + state.get(key) + "]");
                }
            }
            rows[txn] = "{\"txn\":%d,\"session\":%d,\"ops\":%s}".formatted(txn, random.nextInt(5), ops);
        }
        return rows;
    }

    @Test
    void nothingIsWrittenWhereNothingWithAnOrderHolds() throws IOException {
        write("{\"session\":0,\"ops\":[[\"r\",\"x\",7]]}");

        new TestOptions().witness(witness).check(history);

        assertThat(witness).doesNotExist();
    }

    @Test
    void anOrderThatLeavesAmbiguousReadsOutIsNoWitness() throws IOException {
        write(
                "{\"session\":0,\"ops\":[[\"append\",\"x\",1]]}",
                "{\"session\":1,\"ops\":[[\"append\",\"x\",1]]}",
                "{\"session\":2,\"ops\":[[\"r\",\"x\",[1]]]}");

        RunResult result = new TestOptions().witness(witness).check(history);

        assertThat(result.verdict()).isEqualTo(Verdict.UNDECIDED);
        assertThat(witness).doesNotExist();
    }

    private void write(String... rows) throws IOException {
        Files.write(history, List.of(rows));
    }

    // ---------------------------------------------------------------- the order applied

    /** Checks the history, expects the level to be the strongest that holds, and verifies its witness. */
    private void assertProof(IsolationLevel strongest) throws IOException {
        RunResult result = new TestOptions().witness(witness).threads(2).check(history);
        for (IsolationLevel level : STRONG) {
            Verdict expected = level.compareTo(strongest) <= 0 ? Verdict.HOLDS : Verdict.VIOLATED;
            assertThat(result.levels().get(level).verdict())
                    .as("%s %s", level, Files.readString(history))
                    .isEqualTo(expected);
        }
        List<Map<String, Object>> lines = JsonTree.lines(Files.readString(witness));
        assertThat(lines.get(0)).containsEntry("witness", strongest.longName());
        List<Map<String, Object>> rows = JsonTree.lines(Files.readString(history));
        assertThat(lines.get(0)).containsEntry("transactions", (long) rows.size());
        new Applied(rows, lines.subList(1, lines.size()), strongest).check();
    }

    private record Placed(long txn, long session, long snapshot, long commit, List<List<Object>> ops) {

        Object written(String key) {
            Object value = null;
            for (List<Object> op : ops) {
                value = op.get(0).equals("w") && op.get(1).equals(key) ? op.get(2) : value;
            }
            return value;
        }

        Set<Object> keysWritten() {
            Set<Object> keys = new HashSet<>();
            ops.stream().filter(op -> op.get(0).equals("w")).forEach(op -> keys.add(op.get(1)));
            return keys;
        }
    }

    private static final class Applied {

        private final IsolationLevel level;
        private final List<Placed> inRows = new ArrayList<>();
        private final List<Placed> inOrder = new ArrayList<>();

        Applied(List<Map<String, Object>> rows, List<Map<String, Object>> order, IsolationLevel level) {
            this.level = level;
            Map<Long, Placed> placed = new HashMap<>();
            for (int i = 0; i < rows.size(); i++) {
                Map<String, Object> row = rows.get(i);
                long txn = row.containsKey("txn") ? JsonTree.<Long>at(row, "txn") : i + 1;
                Map<String, Object> position = order.stream()
                        .filter(line -> line.get("txn").equals(txn))
                        .findFirst()
                        .orElseThrow();
                placed.put(
                        txn,
                        new Placed(
                                txn,
                                JsonTree.at(row, "session"),
                                JsonTree.at(position, "snapshot"),
                                JsonTree.at(position, "commit"),
                                JsonTree.at(row, "ops")));
                inRows.add(placed.get(txn));
            }
            order.forEach(line -> inOrder.add(placed.get(JsonTree.<Long>at(line, "txn"))));
        }

        void check() {
            for (int i = 1; i < inOrder.size(); i++) {
                assertThat(inOrder.get(i - 1).commit())
                        .isLessThan(inOrder.get(i).commit());
            }
            for (Placed txn : inOrder) {
                assertThat(txn.snapshot()).isLessThanOrEqualTo(txn.commit());
                checkReads(txn);
                checkSession(txn);
                if (level == IsolationLevel.SNAPSHOT_ISOLATION) {
                    checkConflicts(txn);
                }
            }
        }

        /** Returns the position before which commits are visible. */
        private long horizon(Placed txn) {
            return level == IsolationLevel.SERIALIZABLE ? txn.commit() : txn.snapshot();
        }

        private void checkReads(Placed txn) {
            Map<Object, Object> own = new HashMap<>();
            for (List<Object> op : txn.ops()) {
                if (op.get(0).equals("w")) {
                    own.put(op.get(1), op.get(2));
                    continue;
                }
                Object expected = own.containsKey(op.get(1)) ? own.get(op.get(1)) : seen(txn, (String) op.get(1));
                assertThat(Objects.equals(op.get(2), expected))
                        .as("T%d read %s, expected %s", txn.txn(), op, expected)
                        .isTrue();
            }
        }

        private Object seen(Placed reader, String key) {
            Object value = null;
            for (Placed txn : inOrder) {
                boolean isSeen = txn != reader && txn.commit() < horizon(reader) && txn.written(key) != null;
                value = isSeen ? txn.written(key) : value;
            }
            return value;
        }

        private void checkSession(Placed txn) {
            for (Placed earlier : inRows) {
                if (earlier == txn) {
                    return;
                }
                if (earlier.session() == txn.session()) {
                    assertThat(earlier.commit()).isLessThan(horizon(txn));
                }
            }
        }

        private void checkConflicts(Placed txn) {
            for (Placed other : inOrder) {
                Set<Object> both = txn.keysWritten();
                both.retainAll(other.keysWritten());
                boolean isApart = other.commit() < txn.snapshot() || txn.commit() < other.snapshot();
                assertThat(other == txn || both.isEmpty() || isApart).isTrue();
            }
        }
    }
}
