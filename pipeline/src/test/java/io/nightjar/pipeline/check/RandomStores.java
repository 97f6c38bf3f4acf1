package io.nightjar.pipeline.check;

import io.nightjar.datasets.random.SeededRandom;
import io.nightjar.datasets.store.Store;
import io.nightjar.datasets.store.StrongCommitOrderStore;
import io.nightjar.datasets.store.StrongCommitOrderStore.Level;
import io.nightjar.pipeline.infer.ClientHistory;
import java.util.ArrayList;
import java.util.List;

/** Histories of some dozen transactions on few keys, as a store of prefix consistency or more has answered, from a seed. */
public final class RandomStores {

    /*
     * Transactions run one after the other. The temper of the seed says which level the store keeps, how often it answers with
     * another version than the newest, and how often a read is turned to another writer afterwards. A transaction that the
     * store aborts is left out.
     */

    private final SeededRandom random;
    private final Store store;
    private final int sessionCount;
    private final int txnCount;
    private final int keyCount;
    private final double readShare;
    private final double lagging;
    private final double wrongReads;

    private final List<Txn> txns = new ArrayList<>();
    private final List<List<Integer>> writersOfKey = new ArrayList<>();

    /** The writer of what was read stands beside its key. */
    private record Txn(int session, List<int[]> reads, List<Integer> writes) {}

    private RandomStores(long seed, int minTxns, int maxTxns) {
        random = new SeededRandom(seed);
        Level level = Level.values()[random.below(Level.values().length)];
        sessionCount = 3 + random.below(3);
        txnCount = minTxns + random.below(maxTxns - minTxns + 1);
        keyCount = 2 + random.below(7);
        readShare = 0.2 + 0.2 * random.below(4);
        lagging = 0.3 * random.below(3);
        wrongReads = random.below(3) == 0 ? 0.02 : 0;
        store = new StrongCommitOrderStore(level, sessionCount, keyCount, this::choose);
    }

    public static ClientHistory of(long seed, int minTxns, int maxTxns) {
        return new RandomStores(seed, minTxns, maxTxns).draw();
    }

    /** The newest, which is the last, unless the store lags behind. */
    private int choose(int bound) {
        return isLikely(lagging) ? random.below(bound) : bound - 1;
    }

    private boolean isLikely(double share) {
        return random.fraction() < share;
    }

    private ClientHistory draw() {
        for (int key = 0; key < keyCount; key++) {
            writersOfKey.add(new ArrayList<>(List.of(ClientHistory.INITIAL)));
        }
        while (txns.size() < txnCount) {
            Txn txn = new Txn(random.below(sessionCount), new ArrayList<>(), new ArrayList<>());
            if (run(txn)) {
                txn.writes.forEach(key -> writersOfKey.get(key).add(txns.size()));
                txns.add(txn);
            }
        }
        return build();
    }

    /** Returns whether the store committed it. A value is the number of the transaction that wrote it. */
    private boolean run(Txn txn) {
        store.begin(txn.session);
        int opCount = 1 + random.below(5);
        for (int op = 0; op < opCount; op++) {
            int key = random.below(keyCount);
            if (txn.writes.contains(key)) {
                continue;
            }
            if (!isLikely(readShare)) {
                txn.writes.add(key);
                if (!store.write(txn.session, key, txns.size())) {
                    return false;
                }
                continue;
            }
            long value = store.read(txn.session, key);
            if (value == Store.ABORTED) {
                return false;
            }
            List<Integer> writers = writersOfKey.get(key);
            int writer = value == Store.INITIAL ? ClientHistory.INITIAL : (int) value;
            txn.reads.add(new int[] {key, isLikely(wrongReads) ? writers.get(random.below(writers.size())) : writer});
        }
        return store.commit(txn.session);
    }

    private ClientHistory build() {
        int[] ordinalOf = new int[txnCount];
        int count = 0;
        for (int session = 0; session < sessionCount; session++) {
            for (int txn = 0; txn < txnCount; txn++) {
                ordinalOf[txn] = txns.get(txn).session == session ? count++ : ordinalOf[txn];
            }
        }
        ClientHistory.Builder builder = new ClientHistory.Builder();
        for (int session = 0; session < sessionCount; session++) {
            builder.beginSession();
            for (int txn = 0; txn < txnCount; txn++) {
                if (txns.get(txn).session == session) {
                    builder.beginTxn(1 + txn);
                    for (int[] read : txns.get(txn).reads) {
                        builder.read(read[0], read[1] == ClientHistory.INITIAL ? read[1] : ordinalOf[read[1]]);
                    }
                    txns.get(txn).writes.forEach(builder::write);
                }
            }
        }
        return builder.build();
    }
}
