package io.nightjar.pipeline.check.timestamp;

import io.nightjar.fixtures.small.SmallHistory;
import io.nightjar.fixtures.small.SmallHistory.Op;
import io.nightjar.fixtures.small.SmallHistory.Txn;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Every way in which the unknown transactions of a small history may have ended, held against the definitions.
 *
 * <p>A way explains the history if every first read of a committed transaction is right, and every value that was read by
 * one that counts was written by one that counts. Of the ways that explain it, those count that need the fewest transactions:
 * no other is a part of them. The level holds if nothing else is wrong with any of these, and is violated if something is
 * with each; where none explains it, the level is violated.
 */
final class UnknownOutcomes {

    /** What a level's answer must be. */
    enum Answer {
        HOLDS,
        VIOLATED,
        OPEN
    }

    /** Tests ask of one history again and again. */
    private static final ThreadLocal<Map<IsolationLevel, UnknownOutcomes>> LATEST =
            ThreadLocal.withInitial(() -> new EnumMap<>(IsolationLevel.class));

    private final SmallHistory history;
    private final IsolationLevel level;
    private final List<Set<Long>> smallest = new ArrayList<>();
    private boolean isExplained;

    private UnknownOutcomes(SmallHistory history, IsolationLevel level) {
        this.history = history;
        this.level = level;
    }

    static UnknownOutcomes of(SmallHistory history, IsolationLevel level) {
        Map<IsolationLevel, UnknownOutcomes> known = LATEST.get();
        UnknownOutcomes latest = known.get(level);
        if (latest == null || latest.history != history) {
            latest = find(history, level);
            known.put(level, latest);
        }
        return latest;
    }

    private static UnknownOutcomes find(SmallHistory history, IsolationLevel level) {
        UnknownOutcomes outcomes = new UnknownOutcomes(history, level);
        List<Set<Long>> ways = outcomes.ways();
        outcomes.keepSmallest(ways, true);
        outcomes.isExplained = !outcomes.smallest.isEmpty();
        if (!outcomes.isExplained) {
            outcomes.keepSmallest(ways, false);
        }
        return outcomes;
    }

    /** All sets of unknown transactions, small ones first. */
    private List<Set<Long>> ways() {
        List<Long> ids = history.txns().stream()
                .filter(txn -> txn.status() == TxnStatus.UNKNOWN && !txn.isReadOnly())
                .map(Txn::id)
                .sorted()
                .toList();
        List<Set<Long>> ways = new ArrayList<>();
        for (int size = 0; size <= ids.size(); size++) {
            for (int mask = 0; mask < 1 << ids.size(); mask++) {
                if (Integer.bitCount(mask) == size) {
                    Set<Long> way = new HashSet<>();
                    for (int i = 0; i < ids.size(); i++) {
                        if ((mask >>> i & 1) == 1) {
                            way.add(ids.get(i));
                        }
                    }
                    ways.add(way);
                }
            }
        }
        return ways;
    }

    private void keepSmallest(List<Set<Long>> ways, boolean mustExplain) {
        for (Set<Long> way : ways) {
            boolean isLarger = smallest.stream().anyMatch(way::containsAll);
            if (!isLarger && isClosed(way) && (!mustExplain || explains(way))) {
                smallest.add(way);
            }
        }
    }

    private boolean explains(Set<Long> way) {
        return ReferenceChronos.isEveryFirstReadRight(history, level, way);
    }

    Answer answer() {
        if (!isExplained) {
            return Answer.VIOLATED;
        }
        long wrong = smallest.stream()
                .filter(way -> !ReferenceChronos.violations(history, level, way).isEmpty())
                .count();
        return wrong == 0 ? Answer.HOLDS : wrong == smallest.size() ? Answer.VIOLATED : Answer.OPEN;
    }

    /** Whether it is clear who counts; where several ways are as good, or the positions of repeated values contradict each other, it is not. */
    boolean isCertain() {
        return smallest.size() == 1 && (isExplained || !hasRepeatedValues());
    }

    /** Ids of unknown transactions that count, one way of several. */
    Set<Long> counted() {
        return smallest.isEmpty() ? Set.of() : smallest.get(0);
    }

    List<Set<Long>> smallest() {
        return smallest;
    }

    /** Whether several ways are possible, and sessions are wrong where all of them are taken together. */
    boolean dependsOnSessions() {
        Set<Long> together = new HashSet<>();
        smallest.forEach(together::addAll);
        return smallest.size() > 1
                && ReferenceChronos.violations(history, level, together).stream()
                        .anyMatch(violation -> violation.anomaly() == Anomaly.SESSION);
    }

    private boolean hasRepeatedValues() {
        Set<String> seen = new HashSet<>();
        for (Txn txn : history.txns()) {
            for (String key : history.keys()) {
                for (String value : new HashSet<>(finalWrites(txn, key))) {
                    boolean isNew = seen.add(key + "=" + value);
                    if (txn.status() != TxnStatus.ABORTED && (!isNew || value.equals(history.initialValue()))) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    // ---------------------------------------------------------------- who must count because of values alone

    private boolean isClosed(Set<Long> way) {
        for (Txn reader : history.txns()) {
            if (reader.status() == TxnStatus.COMMITTED || way.contains(reader.id())) {
                for (String key : history.keys()) {
                    for (String value : valuesRead(reader, key)) {
                        if (!isWrittenByOneThatCounts(reader, key, value, way)) {
                            return false;
                        }
                    }
                }
            }
        }
        return true;
    }

    private boolean isWrittenByOneThatCounts(Txn reader, String key, String value, Set<Long> way) {
        if (isInitial(key, value)) {
            return true;
        }
        boolean isUnknown = false;
        for (Txn writer : history.txns()) {
            if (writer.status() == TxnStatus.ABORTED
                    || !finalWrites(writer, key).contains(value)) {
                continue;
            }
            if (writer.status() == TxnStatus.COMMITTED || writer == reader || way.contains(writer.id())) {
                return true;
            }
            isUnknown = true;
        }
        return !isUnknown;
    }

    /** Returns whether a value means the initial state, which has no writer; an element of a list never does. */
    private boolean isInitial(String key, String value) {
        boolean list = history.txns().stream()
                .anyMatch(txn -> txn.opsOn(key).stream().anyMatch(op -> op.kind() == OpKind.APPEND));
        return !list
                && value.equals(history.initialValue())
                && history.txns().stream()
                        .filter(txn -> txn.status() == TxnStatus.COMMITTED)
                        .noneMatch(txn -> txn.opsOn(key).stream()
                                .anyMatch(op -> op.isWrite() && op.value().equals(value)));
    }

    /** The last value written to a register; every element appended to a list. */
    private static List<String> finalWrites(Txn txn, String key) {
        List<String> values = new ArrayList<>();
        for (Op op : txn.opsOn(key)) {
            if (op.kind() == OpKind.WRITE) {
                values.clear();
                values.add(op.value());
            } else if (op.kind() == OpKind.APPEND) {
                values.add(op.value());
            }
        }
        return values;
    }

    /** What was read, unless the operation before on the key read or wrote the same. */
    private static List<String> valuesRead(Txn reader, String key) {
        List<String> values = new ArrayList<>();
        String before = null;
        for (Op op : reader.opsOn(key)) {
            if (op.kind() == OpKind.READ_LIST) {
                values.addAll(op.elements());
            } else if (op.kind() == OpKind.READ && !op.value().equals(before)) {
                values.add(op.value());
            }
            before = op.value();
        }
        return values;
    }
}
