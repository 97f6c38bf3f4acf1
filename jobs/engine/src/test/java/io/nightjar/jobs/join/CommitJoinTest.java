package io.nightjar.jobs.join;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.fixtures.JsonTree;
import io.nightjar.fixtures.Seeds;
import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.HistoryWriter;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.registry.Histories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Random records of clients with a log of commits, drawn so that the result of the join is known. */
class CommitJoinTest {

    private static final int KEYS = 6;

    @TempDir
    private Path folder;

    @Tag(Seeds.TAG)
    @Test
    void eachTransactionGetsItsCommitAndItsVersionsAndTheRestIsCounted() throws IOException {
        for (long seed : Seeds.upTo(20)) {
            Drawn drawn = new Drawn(new Random(seed));
            JoinReport report = join(drawn);

            assertThat(report.matched()).as("seed=%d", seed).isEqualTo(drawn.matched);
            assertThat(report.onlyInReads()).as("seed=%d", seed).isEqualTo(drawn.onlyInReads);
            assertThat(report.onlyInCommits()).as("seed=%d", seed).isEqualTo(drawn.onlyInCommits);
            List<Map<String, Object>> joined = JsonTree.lines(Files.readString(folder.resolve("joined.jsonl")));
            assertThat(joined).as("seed=%d", seed).hasSize(drawn.clients.size() + drawn.onlyInCommits);
            for (Map<String, Object> txn : joined) {
                drawn.check(txn, "seed=" + seed + " txn=" + txn);
            }
        }
    }

    @Test
    void aColumnThatNoTransactionHasIsNotJoinedOn() {
        assertThatThrownBy(() -> join(
                        List.of("{\"txn\":1,\"session\":1,\"ops\":[[\"w\",1,10]],\"xidd\":5}"),
                        List.of("{\"txn\":5,\"session\":5,\"ops\":[[\"w\",1,10]]}")))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessageContaining("client.jsonl] no transaction has the member to join on: --join-on=xid");
    }

    @Test
    void changesThatHaveNoPlaceAmongRowsOfClientsAreCounted() throws IOException {
        JoinReport report = join(
                List.of("{\"txn\":1,\"session\":1,\"ops\":[[\"w\",1,10]],\"xid\":5}"),
                List.of(
                        "{\"txn\":5,\"session\":5,\"ops\":[[\"w\",\"shop.kv/1\",\"10\"]]}",
                        "{\"txn\":6,\"session\":6,\"ops\":[[\"w\",\"shop.kv/1\",\"{}\"]]}",
                        "{\"txn\":7,\"session\":7,\"ops\":[[\"w\",\"shop.kv/2\",\"{}\"]]}"));

        assertThat(report.lines()).anyMatch(line -> line.startsWith("changes not joined: 2 of the log"));
        assertThat(report.members()).containsEntry("changes_left_out", 2L);
    }

    @Test
    void rowsOfTablesThatClientsDoNotWriteAreNoOtherRowsOfTheSameKey() throws IOException {
        JoinReport report = join(
                List.of(
                        "{\"txn\":1,\"session\":1,\"ops\":[[\"w\",7,10]],\"xid\":5}",
                        "{\"txn\":2,\"session\":1,\"ops\":[[\"r\",7,10]],\"xid\":0}"),
                List.of(
                        "{\"txn\":5,\"session\":5,\"ops\":[[\"w\",\"a/7\",\"10\",{\"version\":1}]]}",
                        "{\"txn\":6,\"session\":6,\"ops\":[[\"w\",\"b/7\",\"10\",{\"version\":1}],"
                                + "[\"w\",\"a/8\",\"11\",{\"version\":1}]]}",
                        "{\"txn\":7,\"session\":7,\"ops\":[[\"w\",\"c/9\",\"12\",{\"version\":1}]]}"));

        assertThat(report.lines())
                .anyMatch(
                        line -> line.startsWith(
                                "changes not joined: 1 of tables of which clients wrote no row and whose keys other tables have too: b;"));
        assertThat(report.members()).containsEntry("changes_left_out", 1L);
        assertThat(Files.readString(folder.resolve("joined.jsonl")))
                .contains(
                        "[\"r\",7,10,{\"version\":1}]", "[\"w\",8,11,{\"version\":1}]", "[\"w\",9,12,{\"version\":1}]")
                .containsOnlyOnce("[\"w\",7,");
    }

    @Test
    void whatBothSidesNameInTwoWaysIsNotJoined() {
        String client = "{\"txn\":1,\"session\":1,\"ops\":[[\"w\",7,10]],\"xid\":5}";

        assertThatThrownBy(() ->
                        join(List.of(client), List.of("{\"txn\":6,\"session\":6,\"ops\":[[\"w\",\"a/7\",\"10\"]]}")))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessageContaining("client.jsonl] no transaction is in the log: --join-on=xid")
                .hasMessageContaining("commits=1 first=6 of-clients=");
        assertThatThrownBy(() -> join(
                        List.of(client, "{\"txn\":2,\"session\":1,\"ops\":[[\"w\",7,20]],\"xid\":6}"),
                        List.of(
                                "{\"txn\":5,\"session\":5,\"ops\":[[\"w\",\"a/7\",\"10\"]]}",
                                "{\"txn\":6,\"session\":6,\"ops\":[[\"w\",\"b/7\",\"20\"]]}")))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessageContaining("clients wrote rows of several tables under one key: key=7 tables=a,b;");
        assertThatThrownBy(() -> join(
                        List.of(client, "{\"txn\":2,\"session\":1,\"ops\":[[\"r\",7,30]],\"xid\":0}"),
                        List.of(
                                "{\"txn\":5,\"session\":5,\"ops\":[[\"w\",\"a/7\",\"10\"]]}",
                                "{\"txn\":6,\"session\":6,\"ops\":[[\"w\",\"b/7\",\"30\"]]}")))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessageContaining("line=2] a client read a row of a table that is not joined")
                .hasMessageContaining("txn_id=2 key=7 value=30 tables=b; name rows TABLE/KEY");
    }

    private JoinReport join(Drawn drawn) throws IOException {
        JoinReport report = join(drawn.clients, drawn.log);
        assertThat(report.members()).containsEntry("changes_left_out", 0L);
        return report;
    }

    private JoinReport join(List<String> clientRows, List<String> logRows) throws IOException {
        Path reads = Files.write(folder.resolve("client.jsonl"), clientRows);
        Path commits = Files.write(folder.resolve("log.jsonl"), logRows);
        try (HistorySource clients = Histories.open(reads, null);
                HistorySource log = Histories.open(commits, null);
                HistoryWriter writer = Histories.create(folder.resolve("joined.jsonl"), null)) {
            JoinReport report = CommitJoin.join(clients, log, "xid", BadRowHandler.REJECT, writer);
            writer.finish();
            return report;
        }
    }

    /** Transactions that write unique values to few keys, in a drawn order of commits. */
    private static final class Drawn {

        private final List<String> clients = new ArrayList<>();
        private final List<String> log = new ArrayList<>();
        private final Map<Long, Long> rankOf = new HashMap<>(); // by xid
        private final Map<Long, Long> versionOf = new HashMap<>(); // by value
        private int matched;
        private int onlyInReads;
        private int onlyInCommits;

        Drawn(Random random) {
            int count = 2 + random.nextInt(60);
            List<Integer> order =
                    new ArrayList<>(IntStream.range(0, count).boxed().toList());
            Collections.shuffle(order, random);
            long[] versions = new long[KEYS];
            for (int xid : order) {
                if (random.nextInt(8) != 0 || xid == 0) {
                    rankOf.put((long) xid, (long) rankOf.size() + 1);
                    for (int op = 0; op < 2; op++) {
                        versionOf.put(value(xid, op), ++versions[key(xid, op)]);
                    }
                    log.add("{\"txn\":%d,\"session\":%d,\"commit\":%d,\"ops\":[%s,%s]}"
                            .formatted(xid, xid, rankOf.get((long) xid), logged(xid, 0), logged(xid, 1)));
                }
            }
            for (int xid = 0; xid < count; xid++) {
                addClient(xid, count, random);
            }
        }

        private String logged(int xid, int op) {
            return write(xid, op).replace("]", ",{\"version\":" + versionOf.get(value(xid, op)) + "}]");
        }

        private void addClient(int xid, int count, Random random) {
            boolean isLogged = rankOf.containsKey((long) xid);
            if (xid != 0 && random.nextInt(8) == 0) {
                onlyInCommits += isLogged ? 1 : 0;
                return;
            }
            String status =
                    xid == 0 || random.nextInt(3) != 0 ? "committed" : random.nextBoolean() ? "unknown" : "aborted";
            matched += isLogged ? 1 : 0;
            onlyInReads += !isLogged && status.equals("committed") ? 1 : 0;
            int seen = random.nextInt(count);
            clients.add(
                    "{\"txn\":%d,\"session\":%d,\"seq\":%d,\"status\":\"%s\",\"ops\":[[\"r\",%d,%d],%s,%s],\"xid\":%d}"
                            .formatted(
                                    1_000 + xid,
                                    xid % 3,
                                    xid,
                                    status,
                                    key(seen, 0),
                                    value(seen, 0),
                                    countedWrite(xid, 0),
                                    countedWrite(xid, 1),
                                    xid));
        }

        private static int key(int xid, int op) {
            return op == 0 ? xid % KEYS : (xid + 1) % KEYS;
        }

        private static long value(int xid, int op) {
            return 10L * xid + op + 1;
        }

        private static String write(int xid, int op) {
            return "[\"w\",%d,%d]".formatted(key(xid, op), value(xid, op));
        }

        /** With a version that the client has counted differently. */
        private static String countedWrite(int xid, int op) {
            return "[\"w\",%d,%d,{\"version\":%d}]".formatted(key(xid, op), value(xid, op), 500 + op);
        }

        private void check(Map<String, Object> txn, String what) {
            long xid = Long.parseLong(String.valueOf(txn.get("xid")));
            Long rank = rankOf.get(xid);
            assertThat(txn.get("commit")).as(what).isEqualTo(rank);
            if (rank != null) {
                assertThat(txn.get("status")).as(what).isEqualTo("committed");
            }
            List<List<Object>> ops = JsonTree.at(txn, "ops");
            for (List<Object> op : ops) {
                Long version = versionOf.get(((Number) op.get(2)).longValue());
                assertThat(op.size() > 3 ? JsonTree.<Object>at(op.get(3), "version") : null)
                        .as("%s %s", what, op)
                        .isEqualTo(op.get(0).equals("w") && rank == null ? null : version);
            }
        }
    }
}
