package io.nightjar.jobs.run;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.file.AtomicFile;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.decide.Witness;
import io.nightjar.pipeline.primitive.RadixSort;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Writes the order that proves a level: a line of JSON about it, then one for each transaction as it commits. */
public final class WitnessFile {

    private WitnessFile() {}

    /** Writes the strongest proof, if a witness was requested and a level is proved. */
    public static void write(Conclusion conclusion) throws IOException {
        long[] serial = conclusion.serialOrderOfTables();
        Witness witness = serial == null ? conclusion.witness() : null;
        if (conclusion.options().witness() == null || serial == null && witness == null) {
            return;
        }
        try (AtomicFile file = new AtomicFile(conclusion.options().witness())) {
            try (OutputStream out = new BufferedOutputStream(file.open(), 1 << 16)) {
                if (serial != null) {
                    write(serial, out);
                } else {
                    write(requireNonNull(witness), out);
                }
            }
            file.publish();
        }
    }

    private static void write(Witness witness, OutputStream out) throws IOException {
        writeHead(witness.level(), witness.txnIds().length, out);
        for (int txn : inCommitOrder(witness)) {
            writeTxn(witness.txnIds()[txn], witness.snapshotOf()[txn], witness.commitOf()[txn], out);
        }
    }

    /** Writes a serial order, in which each transaction observes the writes of its predecessors. */
    private static void write(long[] serial, OutputStream out) throws IOException {
        writeHead(IsolationLevel.SERIALIZABLE, serial.length, out);
        for (int position = 0; position < serial.length; position++) {
            writeTxn(serial[position], 2L * position, 2L * position + 1, out);
        }
    }

    private static void writeHead(IsolationLevel level, int count, OutputStream out) throws IOException {
        String head = "{\"witness\":\"" + level.longName() + "\",\"transactions\":" + count + "}\n";
        out.write(head.getBytes(StandardCharsets.UTF_8));
    }

    private static void writeTxn(long id, long snapshot, long commit, OutputStream out) throws IOException {
        String line = "{\"txn\":" + id + ",\"snapshot\":" + snapshot + ",\"commit\":" + commit + "}\n";
        out.write(line.getBytes(StandardCharsets.UTF_8));
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
