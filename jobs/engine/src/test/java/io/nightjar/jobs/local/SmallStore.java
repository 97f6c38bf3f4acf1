package io.nightjar.jobs.local;

import io.nightjar.fixtures.small.SmallHistory;
import io.nightjar.fixtures.small.SmallHistory.Op;
import io.nightjar.fixtures.small.SmallHistory.Txn;
import io.nightjar.formats.history.TxnStatus;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * Store of registers, or of lists, with snapshot isolation or serializable snapshot isolation that records a small random
 * history.
 */
final class SmallStore {

    private static final int SESSIONS = 4;
    private static final int KEYS = 3;
    private static final int MAX_OPS = 3;

    private final Random random;
    private final boolean isSerializable;
    private final boolean hasUniqueValues;
    private final boolean hasLists;
    private final Map<String, TreeMap<Long, Running>> versionsOf = new HashMap<>(); // by key, by commit
    private final List<Running> committed = new ArrayList<>();
    private long clock = 1;
    private long lastValue;

    /** A transaction that runs or has committed. */
    private static final class Running {

        private final int session;
        private final long start;
        private long commit = Long.MAX_VALUE;
        private final List<Op> ops = new ArrayList<>();
        private final Map<String, Long> readAt = new HashMap<>(); // by key, the commit of the version read; 0 for none
        private final Map<String, String> written = new HashMap<>(); // of a list, the elements appended

        Running(int session, long start) {
            this.session = session;
            this.start = start;
        }

        /** Returns whether it missed a write of another transaction. */
        boolean precedes(Running other) {
            return other != this
                    && readAt.keySet().stream()
                            .anyMatch(key -> other.written.containsKey(key) && readAt.get(key) < other.commit);
        }
    }

    private SmallStore(long seed, boolean isSerializable, boolean hasUniqueValues, boolean hasLists) {
        this.random = new Random(seed);
        this.isSerializable = isSerializable;
        this.hasUniqueValues = hasUniqueValues;
        this.hasLists = hasLists;
    }

    /** Returns the committed transactions of a run of the store. */
    static SmallHistory history(long seed, boolean isSerializable, boolean hasUniqueValues) {
        return new SmallStore(seed, isSerializable, hasUniqueValues, false).run();
    }

    /** Returns the committed transactions of a run of the store with lists. */
    static SmallHistory lists(long seed, boolean isSerializable) {
        return new SmallStore(seed, isSerializable, true, true).run();
    }

    private SmallHistory run() {
        int maxTxns = 2 + random.nextInt(5);
        Running[] open = new Running[SESSIONS];
        int begun = 0;
        while (begun < 3 * maxTxns && committed.size() < maxTxns) {
            int session = random.nextInt(SESSIONS);
            if (open[session] == null) {
                open[session] = new Running(session, clock++);
                begun++;
            } else if (open[session].ops.size() < 1 + random.nextInt(MAX_OPS)) {
                operate(open[session]);
            } else {
                commit(open[session]);
                open[session] = null;
            }
        }
        return new SmallHistory(rows(), null);
    }

    private void operate(Running txn) {
        String key = "k" + random.nextInt(KEYS);
        if (random.nextInt(5) < 2) {
            String value = String.valueOf(hasUniqueValues ? ++lastValue : 1 + random.nextInt(2));
            txn.written.merge(key, value, (before, last) -> hasLists ? before + " " + last : last);
            txn.ops.add(hasLists ? Op.append(key, value) : Op.write(key, value));
            return;
        }
        if (hasLists) {
            readList(txn, key);
            return;
        }
        if (txn.written.containsKey(key)) {
            txn.ops.add(Op.read(key, txn.written.get(key)));
            return;
        }
        Map.Entry<Long, Running> version =
                versionsOf.getOrDefault(key, new TreeMap<>()).floorEntry(txn.start);
        txn.readAt.put(key, version == null ? 0 : version.getKey());
        txn.ops.add(
                Op.read(key, version == null ? null : version.getValue().written.get(key)));
    }

    private void readList(Running txn, String key) {
        Map<Long, Running> seen = versionsOf.getOrDefault(key, new TreeMap<>()).headMap(txn.start, true);
        List<String> elements = new ArrayList<>();
        seen.values()
                .forEach(writer ->
                        elements.addAll(List.of(writer.written.get(key).split(" "))));
        if (txn.written.containsKey(key)) {
            elements.addAll(List.of(txn.written.get(key).split(" ")));
        } else {
            txn.readAt.put(key, seen.keySet().stream().max(Long::compare).orElse(0L));
        }
        txn.ops.add(Op.readList(key, elements));
    }

    private void commit(Running txn) {
        boolean isConflict = txn.written.keySet().stream()
                .map(key -> versionsOf.getOrDefault(key, new TreeMap<>()))
                .anyMatch(versions -> !versions.isEmpty() && versions.lastKey() > txn.start);
        txn.commit = clock++;
        committed.add(txn);
        if (isConflict || isSerializable && hasDangerousStructure()) {
            committed.remove(txn);
            return;
        }
        for (String key : txn.written.keySet()) {
            versionsOf.computeIfAbsent(key, absent -> new TreeMap<>()).put(txn.commit, txn);
        }
    }

    /** Returns whether a reader, pivot and overwriter exist of which the last committed first. */
    private boolean hasDangerousStructure() {
        for (Running pivot : committed) {
            for (Running last : committed) {
                if (!pivot.precedes(last) || last.commit >= pivot.commit) {
                    continue;
                }
                for (Running first : committed) {
                    long until = first.written.isEmpty() ? first.start : first.commit;
                    if (first.precedes(pivot) && (first == last || last.commit < until)) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    private List<Txn> rows() {
        committed.sort(Comparator.comparingLong((Running txn) -> txn.commit));
        long[] seqOf = new long[SESSIONS];
        List<Txn> rows = new ArrayList<>();
        for (Running txn : committed) {
            rows.add(new Txn(
                    rows.size() + 1,
                    txn.session,
                    seqOf[txn.session]++,
                    TxnStatus.COMMITTED,
                    txn.start,
                    txn.commit,
                    List.copyOf(txn.ops)));
        }
        return rows;
    }
}
