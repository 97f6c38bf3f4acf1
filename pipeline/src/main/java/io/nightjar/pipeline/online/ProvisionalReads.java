package io.nightjar.pipeline.online;

import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The reads of each register that are not sealed, checked again when a version is placed before them. */
final class ProvisionalReads {

    private final RegisterTimelines registers;
    private final Int2ObjectOpenHashMap<KeyReads> readsOf = new Int2ObjectOpenHashMap<>();
    private final IntArrayList changedKeys = new IntArrayList(); // with new reads, or reads after new versions

    ProvisionalReads(RegisterTimelines registers) {
        this.registers = registers;
    }

    /** Reads of a key in the order of arrival: a batch, and the indexes of a transaction and an operation in it. */
    private static final class KeyReads {
        private final List<OperationBatch> batches = new ArrayList<>();
        private final IntArrayList txns = new IntArrayList();
        private final IntArrayList ops = new IntArrayList();
        private boolean isChanged;
        private int checkedCount; // the first ones, which were checked when they arrived
        private long firstVersion = Long.MAX_VALUE; // time of the first version placed since

        private boolean isAfter(int read, long time) {
            OperationBatch batch = batches.get(read);
            int txn = txns.getInt(read);
            return Math.max(batch.start(txn), batch.commit(txn)) >= time;
        }
    }

    /** Adds a read; {@link #check} checks it, unless it was checked before a restart. */
    void add(OperationBatch batch, int txn, int op) {
        KeyReads reads = readsOf.computeIfAbsent(batch.key(op), absent -> new KeyReads());
        reads.batches.add(batch);
        reads.txns.add(txn);
        reads.ops.add(op);
        recordChange(batch.key(op), reads);
    }

    /** Records a new version, before which reads keep their verdicts. */
    void addVersion(int key, long commit) {
        KeyReads reads = readsOf.get(key);
        if (reads != null) {
            reads.firstVersion = Math.min(reads.firstVersion, commit);
            recordChange(key, reads);
        }
    }

    private void recordChange(int key, KeyReads reads) {
        if (!reads.isChanged) {
            reads.isChanged = true;
            changedKeys.add(key);
        }
    }

    /** Checks the reads that are new or may have changed. */
    void check() {
        for (int i = 0; i < changedKeys.size(); i++) {
            KeyReads reads = readsOf.get(changedKeys.getInt(i));
            for (int read = 0; reads != null && read < reads.ops.size(); read++) {
                OperationBatch batch = reads.batches.get(read);
                int op = reads.ops.getInt(read);
                boolean isNew = read >= reads.checkedCount && !batch.isPlaced(op);
                if (isNew || reads.isAfter(read, reads.firstVersion)) {
                    registers.checkProvisionally(batch, reads.txns.getInt(read), op);
                    batch.setPlaced(op);
                }
            }
            if (reads != null) {
                reads.isChanged = false;
                reads.checkedCount = reads.ops.size();
                reads.firstVersion = Long.MAX_VALUE;
            }
        }
        changedKeys.clear();
    }

    /** Removes the reads of a key up to a watermark, whose verdicts are final. */
    void removeSealed(int key, long watermark) {
        KeyReads reads = readsOf.get(key);
        if (reads == null) {
            return;
        }
        int left = 0;
        for (int read = 0; read < reads.ops.size(); read++) {
            if (reads.batches.get(read).commit(reads.txns.getInt(read)) > watermark) {
                reads.batches.set(left, reads.batches.get(read));
                reads.txns.set(left, reads.txns.getInt(read));
                reads.ops.set(left++, reads.ops.getInt(read));
            }
        }
        reads.batches.subList(left, reads.batches.size()).clear();
        reads.txns.size(left);
        reads.ops.size(left);
        reads.checkedCount = left;
        if (left == 0) {
            readsOf.remove(key);
        }
    }

    /** Withdraws the findings of a key that is not checked as a register. */
    void drop(int key) {
        @Nullable KeyReads reads = readsOf.remove(key);
        for (int read = 0; reads != null && read < reads.ops.size(); read++) {
            registers.withdraw(reads.batches.get(read), reads.txns.getInt(read), reads.ops.getInt(read));
        }
    }
}
