package io.nightjar.pipeline.partition;

import io.nightjar.pipeline.infer.ClientHistory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Small histories from a seed in which keys are shared by few sessions: cut sessions, private keys, many components. */
public final class RandomComponents {

    /*
     * Each key is open to one to three sessions. Transactions happen one after the other; a read returns the latest
     * version, or, as often as the temper of the seed says, any earlier one. Some transactions read a key twice, some are
     * empty; some histories know how the versions of some keys followed each other, or only whom a transaction saw.
     */

    private final Random random;
    private final int sessionCount;
    private final int txnCount;
    private final int keyCount;
    private final int[][] keysOfSession;
    private final double readShare;
    private final double staleness;
    private final boolean knowsVersions;

    private final int[] sessionOf;
    private final List<List<int[]>> readsOf = new ArrayList<>();
    private final List<List<Integer>> writesOf = new ArrayList<>();
    private final List<List<Integer>> writersOfKey = new ArrayList<>();

    private RandomComponents(long seed, int maxTxns) {
        random = new Random(seed * 0x9E3779B97F4A7C15L);
        sessionCount = 2 + random.nextInt(3);
        txnCount = sessionCount + random.nextInt(maxTxns - sessionCount + 1);
        keyCount = 2 + random.nextInt(5);
        keysOfSession = new int[sessionCount][];
        readShare = 0.4 + 0.1 * random.nextInt(4);
        staleness = 0.15 * random.nextInt(4);
        knowsVersions = random.nextInt(4) == 0;
        sessionOf = new int[txnCount];
    }

    public static ClientHistory of(long seed, int maxTxns) {
        return new RandomComponents(seed, maxTxns).draw();
    }

    private ClientHistory draw() {
        openKeys();
        for (int txn = 0; txn < txnCount; txn++) {
            sessionOf[txn] = txn < sessionCount ? txn : random.nextInt(sessionCount);
            happen(txn);
        }
        return build();
    }

    private void openKeys() {
        List<List<Integer>> open = new ArrayList<>();
        for (int session = 0; session < sessionCount; session++) {
            open.add(new ArrayList<>());
        }
        for (int key = 0; key < keyCount; key++) {
            writersOfKey.add(new ArrayList<>());
            int sharing = 1 + random.nextInt(random.nextInt(4) == 0 ? 3 : 2);
            for (int i = 0; i < sharing; i++) {
                List<Integer> keys = open.get(random.nextInt(sessionCount));
                if (!keys.contains(key)) {
                    keys.add(key);
                }
            }
        }
        for (int session = 0; session < sessionCount; session++) {
            keysOfSession[session] =
                    open.get(session).stream().mapToInt(Integer::intValue).toArray();
        }
    }

    private void happen(int txn) {
        List<int[]> reads = new ArrayList<>();
        List<Integer> writes = new ArrayList<>();
        int[] keys = keysOfSession[sessionOf[txn]];
        int opCount = keys.length == 0 ? 0 : random.nextInt(5);
        for (int op = 0; op < opCount; op++) {
            int key = keys[random.nextInt(keys.length)];
            if (random.nextDouble() >= readShare) {
                if (!writes.contains(key)) {
                    writes.add(key);
                }
            } else if (!writes.contains(key)) {
                read(key, reads);
            }
        }
        writes.forEach(key -> writersOfKey.get(key).add(txn));
        readsOf.add(reads);
        writesOf.add(writes);
    }

    private void read(int key, List<int[]> reads) {
        List<Integer> writers = writersOfKey.get(key);
        int newest = writers.size() - 1;
        int version = random.nextDouble() < staleness ? random.nextInt(writers.size() + 1) - 1 : newest;
        reads.add(new int[] {key, version < 0 ? ClientHistory.INITIAL : writers.get(version)});
        if (knowsVersions && version > 0 && random.nextInt(3) == 0) {
            reads.add(new int[] {ClientHistory.NO_KEY, writers.get(random.nextInt(version))});
        }
    }

    private ClientHistory build() {
        int[] ordinalOf = new int[txnCount];
        int count = 0;
        for (int session = 0; session < sessionCount; session++) {
            for (int txn = 0; txn < txnCount; txn++) {
                if (sessionOf[txn] == session) {
                    ordinalOf[txn] = count++;
                }
            }
        }
        ClientHistory.Builder builder = new ClientHistory.Builder();
        long[] happened = new long[txnCount];
        for (int session = 0; session < sessionCount; session++) {
            builder.beginSession();
            for (int txn = 0; txn < txnCount; txn++) {
                if (sessionOf[txn] == session) {
                    happened[ordinalOf[txn]] = txn;
                    builder.beginTxn(100 + txn);
                    for (int[] read : readsOf.get(txn)) {
                        builder.read(read[0], read[1] == ClientHistory.INITIAL ? read[1] : ordinalOf[read[1]]);
                    }
                    writesOf.get(txn).forEach(builder::write);
                }
            }
        }
        int[] logKeys = new int[keyCount];
        for (int key = 0; key < keyCount; key++) {
            logKeys[key] = 10 + key;
        }
        builder.logKeys(logKeys).hints(new long[][] {happened});
        if (knowsVersions) {
            builder.versions(versions(ordinalOf));
        }
        return builder.build();
    }

    private int[][] versions(int[] ordinalOf) {
        int[][] versions = new int[keyCount][];
        for (int key = 0; key < keyCount; key++) {
            List<Integer> writers = writersOfKey.get(key);
            int known = random.nextInt(writers.size() + 1);
            versions[key] = known == 0 ? null : new int[known];
            for (int version = 0; version < known; version++) {
                versions[key][version] = ordinalOf[writers.get(version)];
            }
        }
        return versions;
    }
}
