package io.nightjar.pipeline.online;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.Seeds;
import io.nightjar.fixtures.small.RandomHistory;
import io.nightjar.fixtures.small.SmallHistory;
import io.nightjar.fixtures.small.SmallHistory.Txn;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.partition.LaneChunk;
import io.nightjar.pipeline.partition.LaneCodec;
import io.nightjar.pipeline.partition.TransactionScan;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Lanes that go on elsewhere, again and again, find what one check finds that was never stopped. */
class OnlineCheckCodecTest {

    private static final long FIRST_SEED = Long.getLong("nightjar.seed", 1);
    private static final int HISTORIES = Seeds.rounds(3_000);
    private static final int LANES = 8;
    private static final List<IsolationLevel> LEVELS =
            List.of(IsolationLevel.SNAPSHOT_ISOLATION, IsolationLevel.COMMIT_ORDER_SERIALIZABLE);

    @Tag(Seeds.TAG)
    @Test
    void howeverOftenLanesMoveTheFindingsAreThose() throws Exception {
        int compared = 0;
        int findings = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES; seed++) {
            SmallHistory history = history(seed);
            Moved moved = new Moved(history, new Random(seed));
            Map<String, Integer> found = moved.findings();
            if (moved.leftToSegments() == 0) {
                Map<String, Integer> expected = whole(history);
                assertThat(found).as("seed=%d%n%s", seed, history).isEqualTo(expected);
                findings += expected.size();
                compared++;
            }
        }
        assertThat(findings).isGreaterThan(HISTORIES);
        assertThat(compared).as("positions that came too late").isGreaterThan(HISTORIES / 2);
    }

    /** Without an initial value: who read it before it was written is known by sealed rows only. */
    private static SmallHistory history(long seed) {
        return new SmallHistory(RandomHistory.of(seed, seed % 10 == 0 ? 60 : 10).txns(), null);
    }

    @Test
    void readBeforeTheStateIsLeftToItsSegment() throws Exception {
        SmallHistory history = new SmallHistory(
                List.of(
                        txn(1, 1, 2, SmallHistory.Op.write("x", "1")),
                        txn(2, 3, 4, SmallHistory.Op.write("x", "2")),
                        txn(3, 1, 9, SmallHistory.Op.read("x", "7"))),
                null);
        OnlineCheck before = check(null, new FinalFindings());
        before.add(history.slices(2).get(0), 0);
        before.seal(8);
        FinalFindings findings = new FinalFindings();
        OnlineCheck after = check(null, findings);
        for (ByteWriter lane : OnlineCheckCodec.write(before, LANES, 0)) {
            if (lane != null) {
                OnlineCheckCodec.read(new ByteReader(lane.bytes(), 0, lane.size()), after);
            }
        }
        after.resume(before.watermark());
        after.add(history.slices(2).get(1), 0);
        after.seal(Long.MAX_VALUE);

        assertThat(after.leftToSegments()).isEqualTo(1);
        assertThat(findings.all())
                .as("by commits")
                .extracting(OnlineFinding::anomaly)
                .containsExactly(Anomaly.EXT);
    }

    private static Txn txn(long id, long start, long commit, SmallHistory.Op op) {
        return new Txn(id, id, 0, io.nightjar.formats.history.TxnStatus.COMMITTED, start, commit, List.of(op));
    }

    private static OnlineCheck check(SmallHistory history, OnlineListener listener) {
        String initialValue = history == null ? null : history.initialValue();
        return new OnlineCheck(LEVELS, initialValue, listener);
    }

    private static Map<String, Integer> whole(SmallHistory history) {
        FinalFindings findings = new FinalFindings();
        OnlineCheck check = check(history, findings);
        for (HistorySlice slice : history.slices(1_000)) {
            check.add(slice, 0);
        }
        check.seal(Long.MAX_VALUE);
        Map<String, Integer> texts = new TreeMap<>();
        findings.all().forEach(finding -> texts.merge(text(finding), 1, Integer::sum));
        return texts;
    }

    private static String text(OnlineFinding finding) {
        return finding.level() + " " + finding.anomaly() + " " + finding.key() + " "
                + finding.subject().txnId() + " "
                + (finding.other() == null ? "" : finding.other().txnId()) + " "
                + finding.reading().expected() + "/"
                + finding.reading().observed();
    }

    /** Checks for lanes and for sessions, as many as there are tasks at the time. */
    private static final class Moved {

        private final SmallHistory history;
        private final Random random;
        private final List<HistorySlice> slices;
        private final TransactionScan scan;
        private final SessionPositionPartitioner positions =
                new SessionPositionPartitioner(IntStream.range(0, LANES).toArray());
        private final LaneCodec codec = new LaneCodec();
        private final FinalFindings found;
        private List<OnlineCheck> tasks = new ArrayList<>();

        Moved(SmallHistory history, Random random) {
            this.history = history;
            this.random = random;
            this.found = new FinalFindings(random.nextBoolean());
            this.slices = history.shuffled(random.nextLong()).slices(1 + random.nextInt(3));
            this.scan = new TransactionScan(LANES, history.initialValue());
            for (int task = 0; task < 2; task++) {
                addTask();
            }
        }

        private void addTask() {
            OnlineCheck task = check(history, found);
            tasks.add(task);
        }

        Map<String, Integer> findings() throws Exception {
            for (int next = 0; next < slices.size(); next++) {
                take(slices.get(next));
                if (random.nextInt(3) == 0) {
                    long until = firstOf(next + 1) - 1;
                    tasks.forEach(task -> task.seal(until));
                }
                if (random.nextInt(3) == 0) {
                    OnlineCheckCodec.write(tasks.get(0), LANES, 0); // a state that no check goes on from
                }
                if (random.nextInt(3) == 0) {
                    move(1 << random.nextInt(4));
                }
            }
            Map<String, Integer> texts = new TreeMap<>();
            for (OnlineCheck task : tasks) {
                task.seal(Long.MAX_VALUE);
            }
            found.all().forEach(finding -> texts.merge(text(finding), 1, Integer::sum));
            return texts;
        }

        long leftToSegments() {
            return tasks.stream().mapToLong(OnlineCheck::leftToSegments).sum();
        }

        /** The least time in what has not arrived, so that nothing is late. */
        private long firstOf(int from) {
            long first = 1_000; // beyond all
            for (HistorySlice slice : slices.subList(from, slices.size())) {
                for (int txn = 0; slice.startTs != null && txn < slice.txnCount; txn++) {
                    first = Math.min(first, Math.max(-1_000, slice.startTs[txn]));
                    first = Math.min(first, Math.max(-1_000, slice.commitTs[txn]));
                }
            }
            return first;
        }

        private OnlineCheck taskOf(int lane) {
            return tasks.get(lane * tasks.size() / LANES);
        }

        private void take(HistorySlice slice) {
            scan.scan(slice);
            positions.partition(slice);
            for (int lane = 0; lane < LANES; lane++) {
                if (!scan.chunk(lane).isEmpty()) {
                    taskOf(lane).addLane(sent(scan.chunk(lane)), 0);
                }
                if (!positions.chunk(lane).isEmpty()) {
                    taskOf(lane).addSessionPositions(sent(positions.chunk(lane)), 0);
                }
            }
        }

        private LaneChunk sent(LaneChunk chunk) {
            ByteWriter bytes = new ByteWriter(64);
            codec.encode(chunk, bytes);
            return codec.decode(new ByteReader(bytes.bytes(), 0, bytes.size()));
        }

        private void move(int count) throws Exception {
            long watermark = tasks.get(0).watermark();
            List<ByteWriter[]> states = new ArrayList<>();
            for (int task = 0; task < tasks.size(); task++) {
                states.add(OnlineCheckCodec.write(tasks.get(task), LANES, task * LANES / tasks.size()));
            }
            tasks = new ArrayList<>();
            for (int task = 0; task < count; task++) {
                addTask();
            }
            for (ByteWriter[] state : states) {
                for (int lane = 0; lane < LANES; lane++) {
                    if (state[lane] != null) {
                        OnlineCheckCodec.read(new ByteReader(state[lane].bytes(), 0, state[lane].size()), taskOf(lane));
                    }
                }
            }
            tasks.forEach(task -> task.resume(watermark));
        }
    }
}
