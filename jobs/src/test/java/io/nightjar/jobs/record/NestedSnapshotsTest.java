package io.nightjar.jobs.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.history.HistorySlice;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class NestedSnapshotsTest {

    private static final long SERVER = 1_700_000_000_000_000L;

    private final NestedSnapshots snapshots = new NestedSnapshots();

    @Test
    void aSnapshotStartsBehindAllThatHaveEndedInIt() {
        assertThat(snapshots.start("10:10:", SERVER)).isEqualTo(10);
        assertThat(snapshots.start("10:12:10", SERVER)).isEqualTo(11);
        assertThat(snapshots.start("10:14:10,12", SERVER)).isEqualTo(12);
    }

    @Test
    void commitsStandBeforeTheFirstSnapshotThatShowsThem() {
        long before = snapshots.start("10:10:", SERVER);
        long between = snapshots.start("10:12:10", SERVER);
        long after = snapshots.start("12:12:", SERVER);
        snapshots.mayHaveCommitted(1, 10, 500, SERVER);
        snapshots.mayHaveCommitted(2, 11, 900, SERVER);

        long[] commits = snapshots.commits(3);

        assertThat(commits[2]).isGreaterThan(before).isLessThanOrEqualTo(between);
        assertThat(commits[1]).isGreaterThan(between).isLessThanOrEqualTo(after);
        assertThat(commits[0]).isEqualTo(HistorySlice.NONE);
        assertThat(snapshots.isNested()).isTrue();
    }

    @Test
    void inOneGapCommitsStandAsTheyWereSent() {
        snapshots.start("10:10:", SERVER);
        snapshots.start("13:13:", SERVER);
        snapshots.mayHaveCommitted(1, 10, 30, SERVER);
        snapshots.mayHaveCommitted(2, 11, 10, SERVER);
        snapshots.mayHaveCommitted(3, 12, 20, SERVER);

        long[] commits = snapshots.commits(4);

        assertThat(List.of(commits[2], commits[3], commits[1])).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void snapshotsThatAreNotNestedAreNoticed() {
        snapshots.start("10:12:10", SERVER);
        snapshots.start("11:12:11", SERVER);
        snapshots.commits(1);

        assertThat(snapshots.isNested()).isFalse();
    }

    @Test
    void smallerSnapshotsThatAreNotInLargerOnesAreNoticed() {
        snapshots.start("10:12:10", SERVER);
        snapshots.start("11:14:11", SERVER);
        snapshots.commits(1);

        assertThat(snapshots.isNested()).isFalse();
    }

    @Test
    void aServerThatCrashedMayUseNumbersAgain() {
        long before = snapshots.start("10:14:10,12", SERVER);
        snapshots.mayHaveCommitted(1, 11, 100, SERVER);
        snapshots.mayHaveCommitted(2, 12, 200, SERVER); // lost, and its number given to the next one
        long behind = snapshots.start("12:12:", SERVER + 5);
        snapshots.mayHaveCommitted(3, 12, 300, SERVER + 5);
        long latest = snapshots.start("13:13:", SERVER + 5);

        long[] commits = snapshots.commits(4);

        assertThat(snapshots.isNested()).isTrue();
        assertThat(List.of(commits[1], before, commits[2], behind, commits[3], latest))
                .isSorted();
        assertThat(commits[3]).isGreaterThan(behind);
    }

    /** Transactions end in a drawn order, snapshots are taken in between, some are never seen by anybody. */
    @Test
    void whatASnapshotShowsIsWhatCommittedByItsStart() {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            NestedSnapshots drawn = new NestedSnapshots();
            TreeSet<Integer> open = new TreeSet<>();
            List<Integer> ended = new ArrayList<>();
            List<Long> starts = new ArrayList<>();
            List<List<Integer>> shown = new ArrayList<>();
            int next = 100;
            int latestEnded = 99;
            for (int step = 0; step < 60; step++) {
                int what = random.nextInt(3);
                if (what == 0) {
                    open.add(next++);
                } else if (what == 1 && !open.isEmpty()) {
                    int xid = new ArrayList<>(open).get(random.nextInt(open.size()));
                    open.remove(xid);
                    ended.add(xid);
                    latestEnded = Math.max(latestEnded, xid);
                    drawn.mayHaveCommitted(xid - 100, xid, step, SERVER);
                } else {
                    int end = latestEnded + 1;
                    String inside =
                            open.headSet(end).stream().map(String::valueOf).collect(Collectors.joining(","));
                    int least = open.headSet(end).isEmpty() ? end : open.first();
                    starts.add(drawn.start(least + ":" + end + ":" + inside, SERVER));
                    shown.add(List.copyOf(ended));
                }
            }

            long[] commits = drawn.commits(next - 100);

            assertThat(drawn.isNested()).as("seed=%d", seed).isTrue();
            for (int snapshot = 0; snapshot < starts.size(); snapshot++) {
                for (int xid : ended) {
                    assertThat(commits[xid - 100] <= starts.get(snapshot))
                            .as("seed=%d snapshot=%d xid=%d", seed, snapshot, xid)
                            .isEqualTo(shown.get(snapshot).contains(xid));
                }
            }
        }
    }
}
