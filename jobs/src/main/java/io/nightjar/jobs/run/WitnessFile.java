package io.nightjar.jobs.run;

import io.nightjar.formats.file.HiddenFile;
import io.nightjar.pipeline.decide.Witness;
import io.nightjar.pipeline.primitive.RadixSort;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Writes the order that proves a level: a line of JSON about it, then one for each transaction as it commits. */
public final class WitnessFile {

    private WitnessFile() {}

    /** Writes the strongest proof there is, if one was asked for and there is one. */
    public static void write(Conclusion conclusion) throws IOException {
        CheckOptions options = conclusion.options();
        if (options.witness() == null || !conclusion.isProvedByWitness()) {
            return;
        }
        Witness witness = conclusion.values().witness();
        try (HiddenFile file = new HiddenFile(options.witness())) {
            try (OutputStream out = new BufferedOutputStream(file.open(), 1 << 16)) {
                out.write(("{\"witness\":\"" + witness.level().longName() + "\",\"transactions\":"
                                + witness.txnIds().length + "}\n")
                        .getBytes(StandardCharsets.UTF_8));
                for (int txn : inCommitOrder(witness)) {
                    out.write(("{\"txn\":" + witness.txnIds()[txn]
                                    + ",\"snapshot\":" + witness.snapshotOf()[txn]
                                    + ",\"commit\":" + witness.commitOf()[txn] + "}\n")
                            .getBytes(StandardCharsets.UTF_8));
                }
            }
            file.publish();
        }
    }

    private static int[] inCommitOrder(Witness witness) {
        int[] txns = new int[witness.txnIds().length];
        long[] commits = new long[txns.length];
        for (int txn = 0; txn < txns.length; txn++) {
            commits[txn] = witness.commitOf()[txn];
            txns[txn] = txn;
        }
        RadixSort.sort(commits, txns, txns.length);
        return txns;
    }
}
