package io.nightjar.jobs.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.history.HistorySlice;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class VisibilityOrderTest {

    private static final long SERVER = 1_700_000_000_000_000L;

    private final Map<Long, Long> commits = new HashMap<>();
    private final VisibilityOrder snapshots = new VisibilityOrder((txn, commitTs, gap) -> commits.put(txn, commitTs));

    @Test
    void snapshotStartsAfterItsEndedTransactions() throws IOException {
        assertThat(snapshots.start(0, "10:10:", SERVER)).isEqualTo(10);
        assertThat(snapshots.start(0, "10:12:10", SERVER)).isEqualTo(11);
        assertThat(snapshots.start(0, "10:14:10,12", SERVER)).isEqualTo(12);
    }

    @Test
    void commitsStandBeforeTheFirstSnapshotThatShowsThem() throws IOException {
        long before = snapshots.start(0, "10:10:", SERVER);
        long between = snapshots.start(0, "10:12:10", SERVER);
        long after = snapshots.start(0, "12:12:", SERVER);
        snapshots.mayHaveCommitted(1, 10, 500, SERVER);
        snapshots.mayHaveCommitted(2, 11, 900, SERVER);

        snapshots.finish();

        assertThat(commits.get(2L)).isGreaterThan(before).isLessThanOrEqualTo(between);
        assertThat(commits.get(1L)).isGreaterThan(between).isLessThanOrEqualTo(after);
        assertThat(commits).hasSize(2);
        assertThat(snapshots.isNested()).isTrue();
    }

    @Test
    void inOneGapCommitsStandAsTheyWereSent() throws IOException {
        snapshots.start(0, "10:10:", SERVER);
        snapshots.start(0, "13:13:", SERVER);
        snapshots.mayHaveCommitted(1, 10, 30, SERVER);
        snapshots.mayHaveCommitted(2, 11, 10, SERVER);
        snapshots.mayHaveCommitted(3, 12, 20, SERVER);

        snapshots.finish();

        assertThat(List.of(commits.get(2L), commits.get(3L), commits.get(1L)))
                .isSorted()
                .doesNotHaveDuplicates();
    }

    @Test
    void snapshotsThatAreNotNestedAreNoticed() throws IOException {
        snapshots.start(0, "10:12:10", SERVER);
        snapshots.start(0, "11:12:11", SERVER);
        snapshots.finish();

        assertThat(snapshots.isNested()).isFalse();
    }

    @Test
    void smallerSnapshotsThatAreNotInLargerOnesAreNoticed() throws IOException {
        snapshots.start(0, "10:12:10", SERVER);
        snapshots.start(0, "11:14:11", SERVER);
        snapshots.finish();

        assertThat(snapshots.isNested()).isFalse();
    }

    @Test
    void aSnapshotDoesNotShowItsOwnTransactionThoughItIsNotAmongTheOpenOnes() throws IOException {
        assertThat(snapshots.statement("10:12:10", SERVER, 11)).isEqualTo(10);
        assertThat(snapshots.statement("10:12:10", SERVER, HistorySlice.NONE)).isEqualTo(11);
        assertThat(snapshots.statement("12:14:", SERVER, 14)).isEqualTo(14);
        snapshots.finish();

        assertThat(snapshots.isNested()).isTrue();
    }

    @Test
    void aServerThatCrashedMayUseNumbersAgain() throws IOException {
        long before = snapshots.start(0, "10:14:10,12", SERVER);
        snapshots.mayHaveCommitted(1, 11, 100, SERVER);
        snapshots.mayHaveCommitted(2, 12, 200, SERVER); // lost, and its number reused by the next transaction
        long later = snapshots.start(0, "12:12:", SERVER + 5);
        snapshots.mayHaveCommitted(3, 12, 300, SERVER + 5);
        long latest = snapshots.start(0, "13:13:", SERVER + 5);

        snapshots.finish();

        assertThat(snapshots.isNested()).isTrue();
        assertThat(List.of(commits.get(1L), before, commits.get(2L), later, commits.get(3L), latest))
                .isSorted();
        assertThat(commits.get(3L)).isGreaterThan(later);
    }

    @Test
    void aSnapshotOfTheRegisterIsAsManyCommitsAsItShows() throws IOException {
        VisibilityOrder.Beginning first = snapshots.begin(1);
        VisibilityOrder.Beginning second = snapshots.begin(2);
        assertThat(snapshots.start(1, first, new long[0])).isZero();
        snapshots.hasCommitted(1, first.number(), 10);
        snapshots.end(1);
        VisibilityOrder.Beginning third = snapshots.begin(3);
        assertThat(third).isEqualTo(new VisibilityOrder.Beginning(2, 1, 1));
        assertThat(snapshots.start(3, third, new long[0])).isOne();
        assertThat(snapshots.start(2, second, new long[] {0})).isOne();
        snapshots.end(2);
        snapshots.end(3);
        snapshots.finish();

        assertThat(commits).containsExactly(Map.entry(1L, 1L));
        assertThat(snapshots.isNested()).isTrue();
    }

    @Test
    void aSnapshotOfTheRegisterThatMissesWhatASmallerOneShowsIsNoticed() throws IOException {
        VisibilityOrder.Beginning first = snapshots.begin(1);
        VisibilityOrder.Beginning second = snapshots.begin(2);
        VisibilityOrder.Beginning third = snapshots.begin(3);
        VisibilityOrder.Beginning fourth = snapshots.begin(4);
        for (int txn = 1; txn <= 2; txn++) {
            snapshots.hasCommitted(txn, txn - 1, txn);
        }
        snapshots.start(3, third, new long[] {first.number()});
        snapshots.start(4, fourth, new long[] {second.number()});
        for (int txn = 1; txn <= 4; txn++) {
            snapshots.end(txn);
        }
        snapshots.finish();

        assertThat(snapshots.isNested()).isFalse();
    }

    /**
     * Sessions begin, receive snapshots, commit and receive the outcome later, each at a random time; the order becomes
     * known while they run, and memory contains only open entries.
     */
    @Test
    void whatASnapshotShowsIsWhatCommittedByItsStart() throws IOException {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            Map<Long, Long> found = new HashMap<>();
            VisibilityOrder drawn = new VisibilityOrder((txn, commitTs, gap) -> found.put(txn, commitTs));
            DrawnServer server = new DrawnServer(random, drawn);
            int maxHeld = 0;
            for (int step = 0; step < 600; step++) {
                server.step(step);
                maxHeld = Math.max(maxHeld, drawn.held());
            }
            int beforeTheEnd = found.size();
            server.endAll();
            drawn.finish();

            assertThat(drawn.isNested()).as("seed=%d", seed).isTrue();
            assertThat(beforeTheEnd).as("seed=%d", seed).isGreaterThan(server.committed.size() / 2);
            assertThat(maxHeld).as("seed=%d", seed).isLessThan(100);
            for (int snapshot = 0; snapshot < server.starts.size(); snapshot++) {
                for (long xid : server.committed) {
                    assertThat(found.get(xid) <= server.starts.get(snapshot))
                            .as("seed=%d snapshot=%d xid=%d", seed, snapshot, xid)
                            .isEqualTo(server.shown.get(snapshot).contains(xid));
                }
            }
        }
    }

    /**
     * A server with six sessions whose answers arrive late; a transaction has the same number in the server and the
     * test.
     */
    private static final class DrawnServer {
        private static final int SESSIONS = 6;

        private final Random random;
        private final VisibilityOrder known;
        private final TreeSet<Long> open = new TreeSet<>();
        private final List<Long> committed = new ArrayList<>();
        private final List<Long> starts = new ArrayList<>();
        private final List<List<Long>> shown = new ArrayList<>();
        private final long[] txnOf = new long[SESSIONS];
        private final int[] stateOf = new int[SESSIONS];
        private final String[] snapshotOf = new String[SESSIONS];
        private final List<List<Long>> shownTo = new ArrayList<>();
        private long next = 100;
        private long largestEnded = 99;

        DrawnServer(Random random, VisibilityOrder known) {
            this.random = random;
            this.known = known;
            for (int session = 0; session < SESSIONS; session++) {
                shownTo.add(null);
            }
        }

        void step(int now) throws IOException {
            go(random.nextInt(SESSIONS), now);
        }

        void endAll() throws IOException {
            for (int session = 0; session < SESSIONS; session++) {
                while (stateOf[session] != 0) {
                    go(session, 10_000);
                }
            }
        }

        private void go(int session, int now) throws IOException {
            switch (stateOf[session]) {
                case 0 -> {
                    txnOf[session] = next++;
                    open.add(txnOf[session]);
                    known.begin(txnOf[session]);
                }
                case 1 -> startAt(session);
                case 2 -> {
                    starts.add(known.start(txnOf[session], snapshotOf[session], SERVER));
                    shown.add(shownTo.get(session));
                }
                case 3 -> {
                    open.remove(txnOf[session]);
                    largestEnded = Math.max(largestEnded, txnOf[session]);
                    if (random.nextInt(4) > 0) {
                        committed.add(txnOf[session]);
                        known.mayHaveCommitted(txnOf[session], txnOf[session], now, SERVER);
                    }
                }
                default -> known.end(txnOf[session]);
            }
            stateOf[session] = (stateOf[session] + 1) % 5;
        }

        private void startAt(int session) {
            long end = largestEnded + 1;
            String inside = open.headSet(end).stream().map(String::valueOf).collect(Collectors.joining(","));
            long floor = open.headSet(end).isEmpty() ? end : open.first();
            snapshotOf[session] = floor + ":" + end + ":" + inside;
            shownTo.set(session, List.copyOf(committed));
        }
    }
}
