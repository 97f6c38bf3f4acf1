package io.nightjar.pipeline.verify;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SliceBuilder;

/** A slice with named keys and numbers as values, written row by row. */
final class Rows {

    private final SliceBuilder builder;
    private long row = 1;
    private boolean isOpen;

    Rows(String file) {
        builder = new SliceBuilder(file);
        builder.keysAreStrings();
        builder.valuesAreLongs();
    }

    /** Begins a row in a session of its own. */
    Rows txn(long id, long start, long commit) {
        return txn(id, id, 0, start, commit);
    }

    Rows txn(long id, long session, long seq, long start, long commit) {
        endRow();
        builder.beginTxn(row, id, session, seq).timestamps(start, commit);
        row++;
        isOpen = true;
        return this;
    }

    Rows status(byte status) {
        builder.status(status);
        return this;
    }

    Rows extra(String json) {
        builder.extra(json);
        return this;
    }

    Rows write(String key, long value) {
        builder.op(OpKind.WRITE, key(key), value);
        return this;
    }

    Rows append(String key, long value) {
        builder.op(OpKind.APPEND, key(key), value);
        return this;
    }

    Rows read(String key, long value) {
        builder.op(OpKind.READ, key(key), value);
        return this;
    }

    Rows readNothing(String key) {
        builder.op(OpKind.READ_NOTHING, key(key), 0);
        return this;
    }

    Rows readList(String key, long... elements) {
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
