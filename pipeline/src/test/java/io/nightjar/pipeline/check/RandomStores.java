package io.nightjar.pipeline.check;

import io.nightjar.pipeline.infer.ClientHistory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Histories of some dozen transactions on few keys, as stores of different strength might have answered, from a seed. */
public final class RandomStores {

    /*
     * Transactions commit one after the other. Each sees all commits up to its snapshot: the one before it (serial), one
     * not before its session's last one (prefix), nor before the last writer of a key that it writes (snapshot). The
     * temper of the seed says which, how far snapshots lie behind, and how often a read is simply wrong.
     */

    private enum Store {
        SERIAL,
        SNAPSHOT,
        PREFIX
    }

    private final Random random;
    private final Store store;
    private final int sessionCount;
    private final int txnCount;
    private final int keyCount;
    private final double readShare;
    private final double lagging;
    private final double wrongReads;

    private final int[] sessionOf;
    private final List<List<int[]>> readsOf = new ArrayList<>();
    private final List<List<Integer>> writesOf = new ArrayList<>();
    private final List<List<Integer>> writersOfKey = new ArrayList<>();

    private RandomStores(long seed, int minTxns, int maxTxns) {
        random = new Random(seed * 0x9E3779B97F4A7C15L);
        store = Store.values()[random.nextInt(3)];
        sessionCount = 3 + random.nextInt(3);
        txnCount = minTxns + random.nextInt(maxTxns - minTxns + 1);
        keyCount = 2 + random.nextInt(7);
        readShare = 0.2 + 0.2 * random.nextInt(4);
        lagging = 0.3 * random.nextInt(3);
        wrongReads = random.nextInt(3) == 0 ? 0.02 : 0;
        sessionOf = new int[txnCount];
    }

    public static ClientHistory of(long seed, int minTxns, int maxTxns) {
        return new RandomStores(seed, minTxns, maxTxns).draw();
    }

    private ClientHistory draw() {
        for (int key = 0; key < keyCount; key++) {
            writersOfKey.add(new ArrayList<>());
        }
        for (int txn = 0; txn < txnCount; txn++) {
            sessionOf[txn] = random.nextInt(sessionCount);
            commit(txn);
        }
        return build();
    }

    private void commit(int txn) {
        List<Integer> toRead = new ArrayList<>();
        List<Integer> writes = new ArrayList<>();
        int opCount = 1 + random.nextInt(5);
        for (int op = 0; op < opCount; op++) {
            int key = random.nextInt(keyCount);
            if (random.nextDouble() < readShare) {
                toRead.add(key);
            } else if (!writes.contains(key)) {
                writes.add(key);
            }
        }
        int snapshot = snapshot(txn, writes);
        List<int[]> reads = new ArrayList<>();
        for (int key : toRead) {
            reads.add(new int[] {
                key, writerSeen(key, random.nextDouble() < wrongReads ? random.nextInt(txn + 1) : snapshot)
            });
        }
        writes.forEach(key -> writersOfKey.get(key).add(txn));
        readsOf.add(reads);
        writesOf.add(writes);
    }

    /** How many commits are seen. */
    private int snapshot(int txn, List<Integer> writes) {
        int least = 0;
        for (int other = 0; other < txn; other++) {
            boolean conflicts =
                    store == Store.SNAPSHOT && writesOf.get(other).stream().anyMatch(writes::contains);
            least = sessionOf[other] == sessionOf[txn] || conflicts ? other + 1 : least;
        }
        boolean lags = store != Store.SERIAL && random.nextDouble() < lagging;
        return lags ? least + random.nextInt(txn - least + 1) : txn;
    }

    private int writerSeen(int key, int snapshot) {
        int seen = ClientHistory.INITIAL;
        for (int writer : writersOfKey.get(key)) {
            seen = writer < snapshot ? writer : seen;
        }
        return seen;
    }

    private ClientHistory build() {
        int[] ordinalOf = new int[txnCount];
        int count = 0;
        for (int session = 0; session < sessionCount; session++) {
            for (int txn = 0; txn < txnCount; txn++) {
                ordinalOf[txn] = sessionOf[txn] == session ? count++ : ordinalOf[txn];
            }
        }
        ClientHistory.Builder builder = new ClientHistory.Builder();
        for (int session = 0; session < sessionCount; session++) {
            builder.beginSession();
            for (int txn = 0; txn < txnCount; txn++) {
                if (sessionOf[txn] == session) {
                    builder.beginTxn(1 + txn);
                    for (int[] read : readsOf.get(txn)) {
                        builder.read(read[0], read[1] == ClientHistory.INITIAL ? read[1] : ordinalOf[read[1]]);
                    }
                    writesOf.get(txn).forEach(builder::write);
                }
            }
        }
        return builder.build();
    }
}
