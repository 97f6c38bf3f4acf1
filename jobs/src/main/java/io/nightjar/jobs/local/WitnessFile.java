package io.nightjar.jobs.local;

import io.nightjar.formats.file.HiddenFile;
import io.nightjar.pipeline.check.CommitOrder;
import io.nightjar.pipeline.decide.DecidedLevels;
import io.nightjar.pipeline.infer.ClientHistory;
import io.nightjar.pipeline.primitive.RadixSort;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Writes the order that proves a level: a line of JSON about it, then one for each transaction as it commits. */
final class WitnessFile {

    private WitnessFile() {}

    /** Writes the strongest proof there is, if one was asked for and there is one. */
    static void write(HistoryCheck check, CheckOptions options) throws IOException {
        if (options.witness() == null || !check.isProvedByWitness()) {
            return;
        }
        DecidedLevels decided = check.byValues().decided();
        CommitOrder order = decided.witness();
        ClientHistory history = check.byValues().inference().history();
        try (HiddenFile file = new HiddenFile(options.witness())) {
            try (OutputStream out = new BufferedOutputStream(file.open(), 1 << 16)) {
                out.write(("{\"witness\":\""
                                + decided.witnessLevel().longName() + "\",\"transactions\":"
                                + history.txnCount + "}\n")
                        .getBytes(StandardCharsets.UTF_8));
                for (int txn : inCommitOrder(history, order)) {
                    out.write(("{\"txn\":" + history.txnIdOf[txn]
                                    + ",\"snapshot\":" + order.snapshotOf[txn]
                                    + ",\"commit\":" + order.commitOf[txn] + "}\n")
                            .getBytes(StandardCharsets.UTF_8));
                }
            }
            file.publish();
        }
    }

    private static int[] inCommitOrder(ClientHistory history, CommitOrder order) {
        long[] commits = new long[history.txnCount];
        int[] txns = new int[history.txnCount];
        for (int txn = 0; txn < txns.length; txn++) {
            commits[txn] = order.commitOf[txn];
            txns[txn] = txn;
        }
        RadixSort.sort(commits, txns, txns.length);
        return txns;
    }
}
