package io.nightjar.pipeline.check.commitorder;

import io.nightjar.datasets.random.SeededRandom;
import io.nightjar.pipeline.infer.ClientHistory;
import java.util.Arrays;

/** Histories of some tens of transactions from a store that keeps a level, or nearly, with few reads: hard to decide. */
final class RandomClients {

    private RandomClients() {}

    /**
     * @param store 0 serial, 1 snapshots without conflicts, 2 snapshots
     * @param spoiled reads of a hundred that return any version
     */
    static ClientHistory of(
            long seed, int sessions, int txnCount, int keys, int ops, double readShare, int store, int spoiled) {
        SeededRandom random = new SeededRandom(seed);
        int[] sessionOf = new int[txnCount];
        int[][] keyOf = new int[txnCount][];
        int[][] writerOf = new int[txnCount][]; // by operation: Integer.MAX_VALUE for a write
        int[] lastOf = new int[sessions];
        Arrays.fill(lastOf, -1);
        int[][] installed = new int[txnCount + 1][];
        installed[0] = new int[keys];
        Arrays.fill(installed[0], ClientHistory.INITIAL);
        int[] writtenAt = new int[keys];
        for (int txn = 0; txn < txnCount; txn++) {
            int session = random.below(sessions);
            sessionOf[txn] = session;
            keyOf[txn] = new int[ops];
            writerOf[txn] = new int[ops];
            boolean[] isWrite = new boolean[ops];
            int earliest = lastOf[session] + 1;
            for (int op = 0; op < ops; op++) {
                keyOf[txn][op] = random.below(keys);
                isWrite[op] = random.fraction() >= readShare;
                if (store == 1 && isWrite[op]) {
                    earliest = Math.max(earliest, writtenAt[keyOf[txn][op]]);
                }
            }
            int lag = Math.min(txn - earliest, random.below(6));
            int snapshot = store == 0 ? txn : txn - lag;
            installed[txn + 1] = installed[txn].clone();
            for (int op = 0; op < ops; op++) {
                int key = keyOf[txn][op];
                if (isWrite[op]) {
                    writerOf[txn][op] = Integer.MAX_VALUE;
                    installed[txn + 1][key] = txn;
                    writtenAt[key] = txn + 1;
                } else {
                    boolean isSpoiled = random.below(100) < spoiled;
                    writerOf[txn][op] = installed[isSpoiled ? random.below(txn + 1) : snapshot][key];
                }
            }
            lastOf[session] = txn;
        }
        return build(sessions, sessionOf, keyOf, writerOf);
    }

    private static ClientHistory build(int sessions, int[] sessionOf, int[][] keyOf, int[][] writerOf) {
        int[] ordinalOf = new int[sessionOf.length];
        int count = 0;
        for (int session = 0; session < sessions; session++) {
            for (int txn = 0; txn < sessionOf.length; txn++) {
                if (sessionOf[txn] == session) {
                    ordinalOf[txn] = count++;
                }
            }
        }
        ClientHistory.Builder builder = new ClientHistory.Builder();
        for (int session = 0; session < sessions; session++) {
            builder.beginSession();
            for (int txn = 0; txn < sessionOf.length; txn++) {
                if (sessionOf[txn] != session) {
                    continue;
                }
                builder.beginTxn(txn);
                boolean[] isOwn =
                        new boolean[1 + Arrays.stream(keyOf[txn]).max().orElse(0)];
                for (int op = 0; op < keyOf[txn].length; op++) {
                    int key = keyOf[txn][op];
                    int writer = writerOf[txn][op];
                    if (writer == Integer.MAX_VALUE) {
                        if (!isOwn[key]) {
                            builder.write(key);
                        }
                        isOwn[key] = true;
                    } else if (!isOwn[key]) {
                        builder.read(key, writer == ClientHistory.INITIAL ? writer : ordinalOf[writer]);
                    }
                }
            }
        }
        return builder.build();
    }
}
