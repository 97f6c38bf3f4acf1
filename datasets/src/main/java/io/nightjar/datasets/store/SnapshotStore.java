package io.nightjar.datasets.store;

import io.nightjar.formats.history.HistorySlice;

/**
 * A store that reads from snapshots; the first committer of a key wins, and at {@code ser} transactions that read it
 * are aborted too.
 */
public final class SnapshotStore implements Store {

    private final boolean isSerializable;
    private final long tick;
    private final VersionedCells cells;
    private final TxnBuffer[] open;
    private final boolean[] isOpen;
    private final long[] start;
    private final long[] commit;
    private long clock;

    /** @param tick advance of the clock at each start and each commit */
    public SnapshotStore(boolean isSerializable, int sessions, int keys, long tick) {
        this.isSerializable = isSerializable;
        this.tick = tick;
        this.cells = new VersionedCells(keys, INITIAL);
        this.open = new TxnBuffer[sessions];
        for (int session = 0; session < sessions; session++) {
            open[session] = new TxnBuffer();
        }
        this.isOpen = new boolean[sessions];
        this.start = new long[sessions];
        this.commit = new long[sessions];
    }

    @Override
    public void begin(int session) {
        open[session].clear();
        isOpen[session] = true;
        clock += tick;
        start[session] = clock;
        commit[session] = HistorySlice.NONE;
    }

    @Override
    public long read(int session, int key) {
        TxnBuffer txn = open[session];
        int own = txn.writeOf(key);
        if (own >= 0) {
            return txn.written[own];
        }
        txn.read(key, 0);
        return cells.read(key, start[session]);
    }

    @Override
    public boolean write(int session, int key, long value) {
        open[session].write(key, value);
        return true;
    }

    @Override
    public boolean commit(int session) {
        TxnBuffer txn = open[session];
        boolean mayCommit = true;
        for (int write = 0; write < txn.writeCount; write++) {
            mayCommit &= !cells.changedSince(txn.writtenKey[write], start[session]);
        }
        for (int read = 0; isSerializable && read < txn.readCount; read++) {
            mayCommit &= !cells.changedSince(txn.readKey[read], start[session]);
        }
        isOpen[session] = false;
        if (mayCommit) {
            clock += tick;
            commit[session] = clock;
            long oldest = oldestStart();
            for (int write = 0; write < txn.writeCount; write++) {
                cells.install(txn.writtenKey[write], txn.written[write], clock, oldest);
            }
        }
        return mayCommit;
    }

    private long oldestStart() {
        long oldest = Long.MAX_VALUE;
        for (int session = 0; session < isOpen.length; session++) {
            oldest = isOpen[session] ? Math.min(oldest, start[session]) : oldest;
        }
        return oldest;
    }

    @Override
    public void abort(int session) {
        isOpen[session] = false;
    }

    @Override
    public long startTs(int session) {
        return start[session];
    }

    @Override
    public long commitTs(int session) {
        return commit[session];
    }
}
