package io.nightjar.jobs.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.SliceSource;
import io.nightjar.fixtures.small.SmallHistory;
import io.nightjar.fixtures.small.SmallHistory.Op;
import io.nightjar.fixtures.small.SmallHistory.Txn;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.RunResult.LevelResult;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.CheckOptions.Evidence;
import io.nightjar.jobs.run.Watcher;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Serializability of histories with timestamps agrees with a search through all serial orders. */
class SerializableByTimestampsTest {

    private static final int HISTORIES = 500;

    @TempDir
    private Path folder;

    @Test
    void historyOfSerializableSnapshotsIsProvedByTimestamps() throws IOException {
        int outOfCommitOrder = 0;
        for (long seed : TestHistories.seeds(HISTORIES)) {
            SmallHistory history = SmallStore.history(seed, true, true);
            RunResult result = check(history, Evidence.TIMESTAMPS);
            assertThat(hasSerialOrder(history)).as("seed=%d%n%s", seed, history).isTrue();
            assertThat(serializable(result).verdict())
                    .as("seed=%d%n%s", seed, history)
                    .isEqualTo(Verdict.HOLDS);
            outOfCommitOrder += inCommitOrder(result).verdict() == Verdict.VIOLATED ? 1 : 0;
        }
        assertThat(outOfCommitOrder).isGreaterThan(HISTORIES / 20);
    }

    @Test
    void historyOfSnapshotsIsDecidedAsItsSerialOrdersDo() throws IOException {
        int violated = 0;
        for (long seed : TestHistories.seeds(HISTORIES)) {
            violated += compare(SmallStore.history(seed, false, true), seed);
        }
        assertThat(violated).isPositive();
    }

    @Test
    void repeatedValuesLeadToNoFalseVerdict() throws IOException {
        for (long seed : TestHistories.seeds(HISTORIES)) {
            compare(SmallStore.history(seed, seed % 2 == 0, false), seed);
        }
    }

    @Test
    void changedReadsLeadToNoFalseVerdict() throws IOException {
        int violated = 0;
        for (long seed : TestHistories.seeds(HISTORIES)) {
            violated += compare(withChangedReads(SmallStore.history(seed, true, true), seed), seed);
        }
        assertThat(violated).isPositive();
    }

    /** Returns 1 if serializability is violated, else 0. */
    private int compare(SmallHistory history, long seed) throws IOException {
        boolean isSerializable = hasSerialOrder(history);
        LevelResult byTimestamps = serializable(check(history, Evidence.TIMESTAMPS));
        LevelResult byAny = serializable(check(history, Evidence.AUTO));

        assertThat(byTimestamps.verdict())
                .as("timestamps, seed=%d%n%s", seed, history)
                .isIn(isSerializable ? List.of(Verdict.HOLDS, Verdict.UNDECIDED) : List.of(Verdict.UNDECIDED));
        assertThat(byAny.verdict())
                .as("auto, seed=%d%n%s", seed, history)
                .isIn(List.of(isSerializable ? Verdict.HOLDS : Verdict.VIOLATED, Verdict.UNDECIDED));
        if (byTimestamps.verdict() == Verdict.UNDECIDED) {
            assertThat(byTimestamps.reason()).contains("--evidence auto");
        }
        return byAny.verdict() == Verdict.VIOLATED ? 1 : 0;
    }

    private RunResult check(SmallHistory history, Evidence evidence) throws IOException {
        CheckOptions options = CheckOptions.of(List.of(
                        IsolationLevel.READ_COMMITTED,
                        IsolationLevel.SNAPSHOT_ISOLATION,
                        IsolationLevel.SERIALIZABLE,
                        IsolationLevel.COMMIT_ORDER_SERIALIZABLE))
                .evidence(evidence)
                .threadCount(1)
                .memoryBytes(TestHistories.MUCH_MEMORY)
                .spillParent(folder)
                .build();
        SliceSource source = new SliceSource(history.slices(3), 1, 0);
        return new LocalEngine(options, "test", Watcher.NOBODY).check(source, folder);
    }

    private static LevelResult serializable(RunResult result) {
        return Objects.requireNonNull(result.levels().get(IsolationLevel.SERIALIZABLE));
    }

    private static LevelResult inCommitOrder(RunResult result) {
        return Objects.requireNonNull(result.levels().get(IsolationLevel.COMMIT_ORDER_SERIALIZABLE));
    }

    /** Lets a read of some transactions return a value of another version. */
    private static SmallHistory withChangedReads(SmallHistory history, long seed) {
        Random random = new Random(seed);
        List<Txn> rows = new ArrayList<>();
        for (Txn txn : history.txns()) {
            List<Op> ops = new ArrayList<>(txn.ops());
            int changed = ops.isEmpty() ? 0 : random.nextInt(ops.size());
            if (!ops.isEmpty() && ops.get(changed).isRead() && random.nextInt(3) == 0) {
                String key = ops.get(changed).key();
                List<String> values = history.txns().stream()
                        .flatMap(other -> other.ops().stream())
                        .filter(op -> op.isWrite() && op.key().equals(key))
                        .map(Op::value)
                        .toList();
                int chosen = random.nextInt(values.size() + 1);
                ops.set(changed, Op.read(key, chosen == values.size() ? null : values.get(chosen)));
            }
            rows.add(txn.withOps(ops));
        }
        return history.withTxns(rows);
    }

    // ---------------------------------------------------------------- all serial orders

    private static boolean hasSerialOrder(SmallHistory history) {
        return hasSerialOrder(history.txns(), new boolean[history.txns().size()], new HashMap<>(), 0);
    }

    private static boolean hasSerialOrder(
            List<Txn> txns, boolean[] isPlaced, Map<String, String> state, int placedCount) {
        if (placedCount == txns.size()) {
            return true;
        }
        for (int next = 0; next < txns.size(); next++) {
            if (isPlaced[next] || !isFirstOfSession(txns, isPlaced, next)) {
                continue;
            }
            Map<String, String> after = run(txns.get(next), state);
            if (after != null) {
                isPlaced[next] = true;
                boolean isFound = hasSerialOrder(txns, isPlaced, after, placedCount + 1);
                isPlaced[next] = false;
                if (isFound) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isFirstOfSession(List<Txn> txns, boolean[] isPlaced, int next) {
        for (int other = 0; other < txns.size(); other++) {
            boolean isBefore = txns.get(other).session() == txns.get(next).session()
                    && txns.get(other).seq() < txns.get(next).seq();
            if (isBefore && !isPlaced[other]) {
                return false;
            }
        }
        return true;
    }

    /** Returns the state that a transaction leaves; null if it reads anything else than the state before and its own writes. */
    private static Map<String, String> run(Txn txn, Map<String, String> before) {
        Map<String, String> state = new HashMap<>(before);
        for (Op op : txn.ops()) {
            if (op.isWrite()) {
                state.put(op.key(), op.value());
            } else if (!Objects.equals(state.get(op.key()), op.value())) {
                return null;
            }
        }
        return state;
    }
}
