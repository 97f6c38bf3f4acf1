package io.nightjar.pipeline.online;

/** A row on its way to or from an {@link Attic}; one instance is filled again and again. */
public final class AtticRow {

    long at;
    long meta; // class, marks and flips, without a slot
    long value;
    long id;
    long start;
    long commit;
    long arrived;

    void set(long rowAt, long rowMeta, long rowValue) {
        at = rowAt;
        meta = rowMeta & 0xFFFFFFFFL;
        value = rowValue;
    }

    void copy(AtticRow other) {
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
        return meta | (long) slot << 32;
    }

    boolean isBefore(long otherAt, int otherClass, long otherId) {
        if (at != otherAt) {
            return at < otherAt;
        }
        int rowClass = SortedRows.rowClass(meta);
        return rowClass != otherClass ? rowClass < otherClass : id < otherId;
    }
}
