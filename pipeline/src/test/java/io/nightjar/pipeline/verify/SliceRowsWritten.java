package io.nightjar.pipeline.verify;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SliceBuilder;

/** A slice with named keys and numbers as values, written row by row. */
final class SliceRowsWritten {

    private final SliceBuilder builder;
    private long row = 1;
    private boolean isOpen;

    SliceRowsWritten(String file) {
        builder = new SliceBuilder(file);
        builder.keysAreStrings();
        builder.valuesAreLongs();
    }

    /** Begins a row in a session of its own. */
    SliceRowsWritten txn(long id, long start, long commit) {
        return txn(id, id, 0, start, commit);
    }

    SliceRowsWritten txn(long id, long session, long seq, long start, long commit) {
        endRow();
        builder.beginTxn(row, id, session, seq).timestamps(start, commit);
        row++;
        isOpen = true;
        return this;
    }

    SliceRowsWritten status(byte status) {
        builder.status(status);
        return this;
    }

    SliceRowsWritten extra(String json) {
        builder.extra(json);
        return this;
    }

    SliceRowsWritten write(String key, long value) {
        builder.op(OpKind.WRITE, key(key), value);
        return this;
    }

    SliceRowsWritten append(String key, long value) {
        builder.op(OpKind.APPEND, key(key), value);
        return this;
    }

    SliceRowsWritten read(String key, long value) {
        builder.op(OpKind.READ, key(key), value);
        return this;
    }

    SliceRowsWritten readNothing(String key) {
        builder.op(OpKind.READ_NOTHING, key(key), 0);
        return this;
    }

    SliceRowsWritten readList(String key, long... elements) {
        builder.beginList();
        for (long element : elements) {
            builder.element(element);
        }
        builder.listRead(key(key));
        return this;
    }

    HistorySlice slice() {
        endRow();
        return builder.build();
    }

    private long key(String name) {
        return builder.keyNames().intern(name);
    }

    private void endRow() {
        if (isOpen) {
            builder.endTxn();
            isOpen = false;
        }
    }
}
