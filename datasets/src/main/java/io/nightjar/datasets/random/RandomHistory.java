package io.nightjar.datasets.random;

import io.nightjar.datasets.random.SmallHistory.Op;
import io.nightjar.datasets.random.SmallHistory.Txn;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/** Small histories from a seed, in which everything that is rare in practice is frequent. */
public final class RandomHistory {

    /*
     * Each seed first draws a temper: how many transactions, sessions and keys, how narrow the range of timestamps, how
     * often a value repeats, how honest reads are. Then come the transactions with what they write, and last what they
     * read: with the honesty of the temper, what a plausible store would have returned, else any value at hand. Ties
     * are not looked at closely here, so that a plausible value may be a wrong one: who is right is for others to say.
     */

    private static final int MAX_TXNS = 8;
    private static final String GARBAGE = "99";

    private final Random random;
    private final int txnCount;
    private final int sessionCount;
    private final List<String> registers;
    private final List<String> lists;
    private final String otherKey;
    private final byte otherKind;
    private final int tsRange;
    private final int firstTs;
    private final double honesty;
    private final double abortedShare;
    private final double unknownShare;
    private final double backwardShare;
    private final double instantShare;
    private final double readShare;
    private final boolean sessionsFollowTime;
    private final boolean namedValues;
    private final int valueRange;
    private final String initialValue;
    private int writeCount;

    private RandomHistory(long seed, int maxTxns) {
        random = new Random(seed * 0x9E3779B97F4A7C15L);
        txnCount = 1 + random.nextInt(maxTxns);
        sessionCount = 1 + random.nextInt(4);
        boolean namedKeys = random.nextBoolean();
        registers = keys(1 + random.nextInt(3), namedKeys ? "x" : "1");
        lists = keys(random.nextInt(3) == 0 ? 1 + random.nextInt(2) : 0, namedKeys ? "l" : "2");
        otherKey = namedKeys ? "o" : "30";
        otherKind = choose(0.06) ? (random.nextBoolean() ? OpKind.ADD : OpKind.INCREMENT) : -1;
        tsRange = 3 + random.nextInt(random.nextBoolean() ? 5 : 20);
        firstTs = choose(0.2) ? -random.nextInt(4) : 1;
        honesty = oneOf(0.3, 0.8, 0.9, 1.0);
        abortedShare = oneOf(0, 0, 0.15, 0.3);
        unknownShare = oneOf(0, 0, 0.15, 0.4);
        backwardShare = oneOf(0, 0, 0, 0.15);
        instantShare = oneOf(0, 0.1, 0.4);
        readShare = oneOf(0.3, 0.5, 0.8);
        sessionsFollowTime = choose(0.7);
        namedValues = choose(0.2);
        valueRange = choose(0.4) ? 1 + random.nextInt(4) : Integer.MAX_VALUE;
        initialValue = choose(0.25) ? value(0) : null;
    }

    /** A history of up to eight transactions. */
    public static SmallHistory of(long seed) {
        return of(seed, MAX_TXNS);
    }

    public static SmallHistory of(long seed, int maxTxns) {
        return new RandomHistory(seed, maxTxns).draw();
    }

    private SmallHistory draw() {
        List<Txn> blind = new ArrayList<>();
        for (long id : ids()) {
            blind.add(blindTxn(id));
        }
        blind = inSessions(blind);
        List<Txn> rows = new ArrayList<>();
        for (Txn txn : blind) {
            rows.add(withReads(txn, blind));
        }
        Collections.shuffle(rows, random);
        return new SmallHistory(rows, initialValue);
    }

    // ---------------------------------------------------------------- transactions without what they read

    private List<Long> ids() {
        List<Long> ids = new ArrayList<>();
        for (long id = 1; id <= txnCount; id++) {
            ids.add(id);
        }
        Collections.shuffle(ids, random);
        return ids;
    }

    private Txn blindTxn(long id) {
        byte status = status();
        List<Op> ops = new ArrayList<>();
        boolean onlyReads = choose(0.25);
        int opCount = random.nextInt(6);
        for (int op = 0; op < opCount; op++) {
            ops.add(blindOp(onlyReads));
        }
        long start = ts();
        long commit = choose(instantShare) ? start : Math.max(start, ts());
        if (choose(backwardShare)) {
            commit = ts();
        }
        boolean readOnly = ops.stream().noneMatch(Op::isWrite);
        if (status == TxnStatus.COMMITTED && readOnly && choose(0.3)) {
            commit = random.nextBoolean() ? 0 : HistorySlice.NONE;
        }
        if (status == TxnStatus.ABORTED && choose(0.5)) {
            commit = HistorySlice.NONE;
        }
        return new Txn(id, random.nextInt(sessionCount), 0, status, start, commit, ops);
    }

    private byte status() {
        if (choose(abortedShare)) {
            return TxnStatus.ABORTED;
        }
        return choose(unknownShare) ? TxnStatus.UNKNOWN : TxnStatus.COMMITTED;
    }

    private Op blindOp(boolean onlyReads) {
        boolean reads = onlyReads || choose(readShare);
        if (otherKind >= 0 && choose(0.2)) {
            return reads ? Op.read(otherKey, null) : new Op(otherKind, otherKey, nextValue(), null);
        }
        if (!lists.isEmpty() && random.nextBoolean()) {
            String key = any(lists);
            return reads ? Op.readList(key, List.of()) : Op.append(key, nextValue());
        }
        String key = any(registers);
        return reads ? Op.read(key, null) : Op.write(key, nextValue());
    }

    private List<Txn> inSessions(List<Txn> txns) {
        List<Txn> ordered = new ArrayList<>(txns);
        if (sessionsFollowTime) {
            ordered.sort(Comparator.comparingLong(Txn::start).thenComparingLong(Txn::commit));
        }
        long[] nextSeq = new long[sessionCount];
        List<Txn> placed = new ArrayList<>();
        for (Txn txn : ordered) {
            long seq = nextSeq[(int) txn.session()]++;
            placed.add(new Txn(txn.id(), txn.session(), seq, txn.status(), txn.start(), txn.commit(), txn.ops()));
        }
        return placed;
    }

    // ---------------------------------------------------------------- what they read

    private Txn withReads(Txn txn, List<Txn> all) {
        List<Op> ops = new ArrayList<>();
        for (Op op : txn.ops()) {
            if (op.isWrite() || op.key().equals(otherKey)) {
                ops.add(op);
            } else if (lists.contains(op.key())) {
                ops.add(listRead(txn, op.key(), ops, all));
            } else {
                ops.add(registerRead(txn, op.key(), ops, all));
            }
        }
        return txn.withOps(ops);
    }

    private Op registerRead(Txn reader, String key, List<Op> before, List<Txn> all) {
        if (!choose(honesty)) {
            return Op.read(key, anyValue(key, all));
        }
        String seen = null;
        for (Txn writer : plausiblyVisible(reader, all)) {
            for (Op op : writer.opsOn(key)) {
                seen = op.isWrite() ? op.value() : seen;
            }
        }
        for (Op op : before) {
            seen = op.key().equals(key) ? op.value() : seen;
        }
        if (seen == null && initialValue != null && random.nextBoolean()) {
            seen = initialValue;
        }
        return Op.read(key, seen);
    }

    private String anyValue(String key, List<Txn> all) {
        List<String> values = new ArrayList<>();
        values.add(null);
        values.add(namedValues ? "v" + GARBAGE : GARBAGE);
        if (initialValue != null) {
            values.add(initialValue);
        }
        for (Txn txn : all) {
            txn.opsOn(key).stream().filter(Op::isWrite).forEach(op -> values.add(op.value()));
        }
        return any(values);
    }

    private Op listRead(Txn reader, String key, List<Op> before, List<Txn> all) {
        List<String> seen = new ArrayList<>();
        for (Txn writer : plausiblyVisible(reader, all)) {
            appendsTo(key, writer.ops(), seen);
        }
        appendsTo(key, before, seen);
        if (!choose(honesty)) {
            spoil(seen, key, all);
        }
        return seen.isEmpty() && random.nextBoolean() ? Op.read(key, null) : Op.readList(key, seen);
    }

    private static void appendsTo(String key, List<Op> ops, List<String> list) {
        for (Op op : ops) {
            if (op.kind() == OpKind.APPEND && op.key().equals(key)) {
                list.add(op.value());
            }
        }
    }

    private void spoil(List<String> list, String key, List<Txn> all) {
        switch (list.isEmpty() ? 0 : random.nextInt(6)) {
            case 0 -> {
                String value = anyValue(key, all);
                list.add(value == null ? GARBAGE : value);
            }
            case 1 -> list.remove(list.size() - 1);
            case 2 -> list.remove(random.nextInt(list.size()));
            case 3 -> list.subList(random.nextInt(list.size()), list.size()).clear();
            case 4 -> Collections.swap(list, 0, list.size() - 1);
            default -> {
                list.clear();
                List<Txn> everyone = new ArrayList<>(all);
                everyone.sort(Comparator.comparingLong(Txn::commit));
                everyone.forEach(txn -> appendsTo(key, txn.ops(), list));
            }
        }
    }

    private List<Txn> plausiblyVisible(Txn reader, List<Txn> all) {
        List<Txn> visible = new ArrayList<>();
        for (Txn txn : all) {
            boolean counts = txn.status() == TxnStatus.COMMITTED || (txn.status() == TxnStatus.UNKNOWN && choose(0.8));
            if (counts && txn.id() != reader.id() && txn.commit() <= reader.start()) {
                visible.add(txn);
            }
        }
        visible.sort(Comparator.comparingLong(Txn::commit).thenComparingLong(Txn::id));
        return visible;
    }

    // ---------------------------------------------------------------- drawing

    private boolean choose(double share) {
        return random.nextDouble() < share;
    }

    private double oneOf(double... shares) {
        return shares[random.nextInt(shares.length)];
    }

    private <T> T any(List<T> from) {
        return from.get(random.nextInt(from.size()));
    }

    private long ts() {
        return firstTs + random.nextInt(tsRange);
    }

    private String nextValue() {
        writeCount++;
        return value(valueRange == Integer.MAX_VALUE ? writeCount : random.nextInt(valueRange));
    }

    private String value(int number) {
        return namedValues ? "v" + number : Integer.toString(number);
    }

    private static List<String> keys(int count, String prefix) {
        List<String> keys = new ArrayList<>();
        for (int key = 0; key < count; key++) {
            keys.add(prefix + key);
        }
        return keys;
    }
}
