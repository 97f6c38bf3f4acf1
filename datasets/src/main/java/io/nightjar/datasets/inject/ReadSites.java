package io.nightjar.datasets.inject;

import io.nightjar.datasets.inject.KeyAccesses.Access;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import java.util.List;

/** Sites where one read can be made to return another value, so that exactly one EXT appears. */
final class ReadSites {

    /*
     * The victim is a transaction's only read of its key, before any write of its key: so nothing inside the
     * transaction can contradict the result of the read, and the check of no other transaction depends on it.
     */

    private static final long NO_TXN = -1;

    private final KeyVersions versions;
    private final KeyAccesses footprint;
    private final List<IsolationLevel> levels;
    private final boolean isList;
    private long lastAborted = NO_TXN;

    ReadSites(KeyVersions versions, KeyAccesses footprint, List<IsolationLevel> levels, boolean isList) {
        this.versions = versions;
        this.footprint = footprint;
        this.levels = levels;
        this.isList = isList;
    }

    /** Takes an aborted transaction that has an operation. */
    void abortedTxn(long txnId) {
        lastAborted = txnId;
    }

    /** Offers at most one read of the loaded transaction; the search begins at {@code firstLocal}. */
    void offer(Fault fault, FaultPlanner.Row row, int firstLocal, Reservoir reservoir) {
        for (int i = 0; i < footprint.accesses().size(); i++) {
            Access access = footprint
                    .accesses()
                    .get((firstLocal + i) % footprint.accesses().size());
            if (access.isReadOnce() && isSite(fault, access)) {
                if (reservoir.wants()) {
                    reservoir.put(site(fault, row, access));
                }
                return;
            }
        }
    }

    private boolean isSite(Fault fault, Access access) {
        int key = access.key;
        int version = access.version;
        boolean hasWriter = version != KeyVersions.UNKNOWN && version != KeyVersions.INITIAL;
        return switch (fault) {
            case STALE_READ -> hasWriter && (version == 1 || versions.isKept(key, version - 1));
            case ABORTED_READ -> versions.hasAbortedWrite(key) || lastAborted != NO_TXN;
            case INTERMEDIATE_READ ->
                hasWriter
                        && (versions.overwritten(key, version) != HistorySlice.NONE
                                || !isList && versions.readBefore(key, version) != KeyVersions.NO_OP);
            default -> true;
        };
    }

    private FaultSite site(Fault fault, FaultPlanner.Row row, Access access) {
        int key = access.key;
        int version = access.version;
        long reader = row.txnId();
        int op = access.firstRead;
        FaultSite site = new FaultSite(fault, versions.keyText(key), reader);
        switch (fault) {
            case STALE_READ -> {
                site.transactions.add(versions.writer(key, version));
                long before = versions.state(key, version - 1, isList);
                site.edits.add(TxnEdit.readOfState(reader, op, HistorySlice.NONE, isList, before));
            }
            case ABORTED_READ -> addAborted(site, op, key);
            case INTERMEDIATE_READ -> addIntermediate(site, op, key, version);
            default -> site.edits.add(TxnEdit.readOfForeign(reader, op, isList, TxnEdit.SYNTHETIC));
        }
        for (IsolationLevel level : levels) {
            site.expected.add(new ExpectedAnomaly(Anomaly.EXT, level, List.of(reader), site.key));
        }
        return site;
    }

    private void addAborted(FaultSite site, int op, int key) {
        long seen = versions.abortedValue(key);
        if (versions.hasAbortedWrite(key)) {
            site.transactions.add(versions.abortedWriter(key));
        } else {
            // Reads of an aborted transaction are never checked, so its first operation can become a write of the key.
            seen = TxnEdit.SYNTHETIC;
            byte kind = isList ? OpKind.APPEND : OpKind.WRITE;
            site.transactions.add(lastAborted);
            site.edits.add(new TxnEdit.Write(lastAborted, 0, kind, versions.keyId(key), seen));
            site.isSecondChoice = true;
        }
        site.edits.add(TxnEdit.readOfForeign(site.victim(), op, isList, seen));
    }

    private void addIntermediate(FaultSite site, int op, int key, int version) {
        long writer = versions.writer(key, version);
        long seen = versions.overwritten(key, version);
        site.transactions.add(writer);
        if (seen == HistorySlice.NONE) {
            // The writer wrote the key once: one of its reads before becomes a first write, which it overwrites.
            seen = TxnEdit.SYNTHETIC;
            site.edits.add(new TxnEdit.Write(
                    writer, versions.readBefore(key, version), OpKind.WRITE, versions.keyId(key), TxnEdit.SYNTHETIC));
            site.isSecondChoice = true;
        }
        site.edits.add(TxnEdit.readOfState(site.victim(), op, HistorySlice.NONE, isList, seen));
    }
}
