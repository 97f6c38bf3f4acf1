package io.nightjar.pipeline.online;

import io.nightjar.pipeline.primitive.ByteReader;

/** A row on its way to or from an {@link SealedRowStore}; one instance is filled again and again. */
public final class SealedRow {

    long at;
    long meta; // class, marks and flips, without a slot
    long value;
    long id;
    long start;
    long commit;
    long arrived;

    void set(long rowAt, long rowMeta, long rowValue) {
        at = rowAt;
        meta = RowMeta.withoutSlot(rowMeta);
        value = rowValue;
    }

    void copy(SealedRow other) {
        at = other.at;
        meta = other.meta;
        value = other.value;
        id = other.id;
        start = other.start;
        commit = other.commit;
        arrived = other.arrived;
    }

    void setTxn(WindowTxns txns, int slot) {
        id = txns.id(slot);
        start = txns.start(slot);
        commit = txns.commit(slot);
        arrived = txns.arrived(slot);
    }

    /** The meta number with a slot again. */
    long meta(int slot) {
        return RowMeta.withSlot(meta, slot);
    }

    boolean isBefore(long otherAt, int otherClass, long otherId) {
        if (at != otherAt) {
            return at < otherAt;
        }
        int rowClass = RowMeta.rowClass(meta);
        return rowClass != otherClass ? rowClass < otherClass : id < otherId;
    }

    /** A version of which the state of a check has the writer and nothing else. */
    void readVersion(ByteReader from, int rowClass, OnlineKeys keys) {
        at = from.getSigned();
        meta = rowClass;
        id = from.getSigned();
        value = keys.readValue(from);
        start = at;
        commit = at;
        arrived = 0;
    }
}
