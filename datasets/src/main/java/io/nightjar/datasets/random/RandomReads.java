package io.nightjar.datasets.random;

import io.nightjar.datasets.random.SmallHistory.Op;
import io.nightjar.datasets.random.SmallHistory.Txn;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.TxnStatus;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Small register histories without timestamps from a seed, in which every value is written once: what a store of some
 * strength might have answered. Each of the six levels is the strongest one kept by many of them, and many keep none.
 */
public final class RandomReads {

    /*
     * Each seed draws a store: one of the six levels, or chaos. Transactions happen one after the other in the order in
     * which they are drawn. Before one happens, the store chooses which of the earlier ones it sees:
     *
     *   SER     all
     *   SI      a prefix, not shorter than what it must see, nor than the last writer of a key that it writes
     *   PC      a prefix, not shorter than what it must see
     *   CC      its session, some others, and whatever those see
     *   RA      its session and some others
     *   RC      some, and with every read some more
     *   chaos   whatever it likes at every read
     *
     * and a read returns what the latest one that it sees wrote, so that the order of happening is a commit order. The
     * shapes that tell a level from the next are rare all the same, so most seeds plant one, between the transactions
     * that the store makes up: a few transactions whose reads are given. A last draw may spoil one read altogether.
     */

    /**
     * Transactions with the reads that tell one level from the next: {@code wx} writes x, {@code rx} sees of x what was
     * there before the shape, {@code rx1} what the shape's first transaction wrote.
     */
    private static final String[][] SHAPES = {
        {"wx wy", "ry1 rx"}, // not RC: goes back
        {"wx wy", "rx ry1"}, // RC, not RA: half a transaction
        {"wx", "wx", "rx1 rx2"}, // RC, not RA: changes its mind
        {"wx", "rx1 wy", "ry2 rx"}, // RA, not CC: misses a cause
        {"wx", "rx1 wy", "ry2 wz", "rz3 rx"}, // RA, not CC: misses a cause of a cause
        {"wx", "wx", "rx1 wy", "rx2 wz", "ry3 rx2", "rz4 rx1"}, // RA, not CC: two orders of x
        {"wx", "wy", "rx1 ry", "rx ry2"}, // CC, not PC: long fork
        {"wx wz", "wy", "rz1 ry", "rx ry2 wz"},
        {"wx", "rx wy", "rx1 ry", "rx ry2"},
        {"wx wy", "wx wz", "ry1 rz", "rz2 ry"}, // CC, not PC: two orders of two writers
        {"wx", "rx1 wx", "wy", "rx1 ry3", "rx2 ry"},
        {"rx wx", "rx wx"}, // PC, not SI: lost update
        {"rx wx wy", "rx wx rz"}, // PC, not SI: lost update
        {"rx ry wx", "rx ry wy"}, // SI, not SER: write skew
        {"rx wy", "ry wz", "rz wx"}, // SI, not SER: write skew of three
        {"rx ry wy", "wx", "rx2 ry"}, // SI, not SER: a reader sees it
    };

    private static final int MOST_TXNS = 7;
    private static final String GARBAGE = "99";
    private static final int NOBODY = -1;

    private enum Store {
        CHAOS,
        READ_COMMITTED,
        READ_ATOMIC,
        CAUSAL,
        PREFIX,
        SNAPSHOT,
        SERIAL
    }

    private final Random random;
    private final Store store;
    private final int txnCount;
    private final String[] shape;
    private final int placeOfShape;
    private final int sessionCount;
    private final String[] keys;
    private final double readShare;
    private final double blindness;
    private final double abortedShare;
    private final double unknownShare;
    private final String initialValue;

    private final List<Txn> txns = new ArrayList<>();

    /** {@code sees[txn]}: the earlier ones that it has seen, itself included. */
    private final boolean[][] sees;

    private int writeCount;

    private RandomReads(long seed) {
        random = new Random(seed * 0x9E3779B97F4A7C15L);
        Store[] stores = Store.values();
        store = stores[random.nextInt(stores.length)];
        shape = random.nextInt(4) == 0 ? new String[0] : SHAPES[random.nextInt(SHAPES.length)];
        txnCount = Math.max(shape.length, 1 + random.nextInt(MOST_TXNS));
        placeOfShape = random.nextInt(txnCount - shape.length + 1);
        sessionCount = 2 + random.nextInt(3);
        keys = new String[] {"1", "2", "3", "4"};
        int keyCount = 1 + random.nextInt(random.nextBoolean() ? 2 : 4);
        for (int key = keyCount; key < keys.length; key++) {
            keys[key] = keys[key % keyCount];
        }
        readShare = oneOf(0.4, 0.55, 0.7);
        blindness = oneOf(0.3, 0.5, 0.7);
        abortedShare = oneOf(0, 0, 0.15);
        unknownShare = oneOf(0, 0, 0.2);
        initialValue = random.nextInt(4) == 0 ? "0" : null;
        sees = new boolean[txnCount][txnCount];
    }

    /** A history of up to seven transactions in two to four sessions. */
    public static SmallHistory of(long seed) {
        return new RandomReads(seed).draw();
    }

    private SmallHistory draw() {
        List<Long> ids = new ArrayList<>();
        for (long id = 1; id <= txnCount; id++) {
            ids.add(id);
        }
        Collections.shuffle(ids, random);
        long[] nextSeq = new long[sessionCount];
        for (int txn = 0; txn < txnCount; txn++) {
            int inShape = txn - placeOfShape;
            boolean isPlanted = inShape >= 0 && inShape < shape.length;
            int session = isPlanted && inShape < sessionCount && random.nextInt(4) > 0
                    ? inShape
                    : random.nextInt(sessionCount);
            byte status = status();
            txns.add(new Txn(
                    ids.get(txn),
                    session,
                    nextSeq[session]++,
                    isPlanted && status == TxnStatus.ABORTED ? TxnStatus.COMMITTED : status,
                    HistorySlice.NONE,
                    HistorySlice.NONE,
                    isPlanted ? List.of() : blindOps()));
            txns.set(txn, isPlanted ? txns.get(txn).withOps(plantedOps(txn, shape[inShape])) : happen(txn));
        }
        if (random.nextInt(12) == 0) {
            spoilARead();
        }
        List<Txn> rows = new ArrayList<>(txns);
        Collections.shuffle(rows, random);
        return new SmallHistory(rows, initialValue);
    }

    private byte status() {
        if (random.nextDouble() < abortedShare) {
            return TxnStatus.ABORTED;
        }
        return random.nextDouble() < unknownShare ? TxnStatus.UNKNOWN : TxnStatus.COMMITTED;
    }

    private List<Op> blindOps() {
        List<Op> ops = new ArrayList<>();
        int opCount = 1 + random.nextInt(4);
        for (int op = 0; op < opCount; op++) {
            String key = keys[random.nextInt(keys.length)];
            boolean reads = random.nextDouble() < readShare;
            ops.add(reads ? Op.read(key, null) : Op.write(key, Integer.toString(++writeCount)));
        }
        return ops;
    }

    // ---------------------------------------------------------------- shapes

    private List<Op> plantedOps(int txn, String planted) {
        boolean[] seenBefore = new boolean[txnCount];
        seePrefix(seenBefore, placeOfShape);
        List<Op> ops = new ArrayList<>();
        for (String word : planted.split(" ")) {
            String key = Integer.toString(1 + word.charAt(1) - 'x');
            if (word.startsWith("w")) {
                ops.add(Op.write(key, Integer.toString(++writeCount)));
            } else if (word.length() == 2) {
                ops.add(outsideRead(key, seenBefore));
            } else {
                int writer = placeOfShape + word.charAt(2) - '1';
                ops.add(Op.read(key, lastWrite(txns.get(writer).ops(), key)));
                sees[txn][writer] = true;
            }
        }
        sees[txn][txn] = true;
        String key = keys[random.nextInt(keys.length)];
        if (random.nextInt(4) == 0 && lastWrite(ops, key) == null) {
            ops.add(
                    random.nextBoolean()
                            ? outsideRead(key, seenBefore)
                            : Op.write(key, Integer.toString(++writeCount)));
        }
        return ops;
    }

    // ---------------------------------------------------------------- what a transaction sees

    private Txn happen(int txn) {
        boolean[] seen = sees[txn];
        chooseSeen(txn, seen);
        List<Op> ops = new ArrayList<>();
        for (Op op : txns.get(txn).ops()) {
            if (op.isWrite()) {
                ops.add(op);
                continue;
            }
            String own = lastWrite(ops, op.key());
            if (own == null && store == Store.READ_COMMITTED) {
                seeMore(txn, seen);
            } else if (own == null && store == Store.CHAOS) {
                Arrays.fill(seen, false);
                seeMore(txn, seen);
            }
            ops.add(own != null ? Op.read(op.key(), own) : outsideRead(op.key(), seen));
        }
        seen[txn] = true;
        return txns.get(txn).withOps(ops);
    }

    private void chooseSeen(int txn, boolean[] seen) {
        switch (store) {
            case SERIAL -> seePrefix(seen, txn);
            case SNAPSHOT -> seePrefix(seen, prefix(txn, Math.max(lastOfSession(txn), lastConflicting(txn)) + 1));
            case PREFIX -> seePrefix(seen, prefix(txn, lastOfSession(txn) + 1));
            case CAUSAL -> {
                seeSession(txn, seen);
                seeMore(txn, seen);
                close(txn, seen);
            }
            case READ_ATOMIC -> {
                seeSession(txn, seen);
                seeMore(txn, seen);
            }
            case READ_COMMITTED -> seeMore(txn, seen);
            case CHAOS -> {}
        }
    }

    private int prefix(int txn, int atLeast) {
        int most = txn - atLeast;
        return random.nextDouble() < blindness ? atLeast + random.nextInt(most + 1) : txn;
    }

    private void seePrefix(boolean[] seen, int length) {
        for (int earlier = 0; earlier < length; earlier++) {
            seen[earlier] = isVisible(earlier);
        }
    }

    private void seeSession(int txn, boolean[] seen) {
        for (int earlier = 0; earlier < txn; earlier++) {
            seen[earlier] |= isVisible(earlier) && sameSession(earlier, txn);
        }
    }

    private void seeMore(int txn, boolean[] seen) {
        for (int earlier = 0; earlier < txn; earlier++) {
            seen[earlier] |= isVisible(earlier) && random.nextDouble() >= blindness;
        }
    }

    private void close(int txn, boolean[] seen) {
        for (int earlier = txn - 1; earlier >= 0; earlier--) {
            for (int before = 0; seen[earlier] && before < earlier; before++) {
                seen[before] |= sees[earlier][before];
            }
        }
    }

    /** Committed, or unknown to the client but not to the store: every other one of these was committed. */
    private boolean isVisible(int txn) {
        byte status = txns.get(txn).status();
        return status == TxnStatus.COMMITTED
                || status == TxnStatus.UNKNOWN && txns.get(txn).id() % 2 == 0;
    }

    private int lastOfSession(int txn) {
        int last = txn - 1;
        while (last >= 0 && !sameSession(last, txn)) {
            last--;
        }
        return last;
    }

    private int lastConflicting(int txn) {
        for (int earlier = txn - 1; earlier >= 0; earlier--) {
            for (Op op : txns.get(txn).ops()) {
                if (op.isWrite()
                        && isVisible(earlier)
                        && lastWrite(txns.get(earlier).ops(), op.key()) != null) {
                    return earlier;
                }
            }
        }
        return NOBODY;
    }

    private boolean sameSession(int txn, int other) {
        return txns.get(txn).session() == txns.get(other).session();
    }

    // ---------------------------------------------------------------- what a read returns

    private Op outsideRead(String key, boolean[] seen) {
        for (int writer = txns.size() - 1; writer >= 0; writer--) {
            String value = seen[writer] ? lastWrite(txns.get(writer).ops(), key) : null;
            if (value != null) {
                return Op.read(key, value);
            }
        }
        return Op.read(key, initialValue != null && random.nextBoolean() ? initialValue : null);
    }

    private static String lastWrite(List<Op> ops, String key) {
        String last = null;
        for (Op op : ops) {
            last = op.isWrite() && op.key().equals(key) ? op.value() : last;
        }
        return last;
    }

    /** One read of a committed transaction returns any value at hand. */
    private void spoilARead() {
        int txn = random.nextInt(txnCount);
        List<Op> ops = new ArrayList<>(txns.get(txn).ops());
        int spoiled = random.nextInt(ops.size());
        Op read = ops.get(spoiled);
        if (read.isWrite() || txns.get(txn).status() != TxnStatus.COMMITTED) {
            return;
        }
        List<String> values = new ArrayList<>();
        values.add(null);
        values.add(GARBAGE);
        for (Txn writer : txns) {
            writer.opsOn(read.key()).stream().filter(Op::isWrite).forEach(op -> values.add(op.value()));
        }
        ops.set(spoiled, Op.read(read.key(), values.get(random.nextInt(values.size()))));
        txns.set(txn, txns.get(txn).withOps(ops));
    }

    private double oneOf(double... shares) {
        return shares[random.nextInt(shares.length)];
    }
}
