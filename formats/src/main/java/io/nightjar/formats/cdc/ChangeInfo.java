package io.nightjar.formats.cdc;

import io.nightjar.formats.history.HistorySlice;
import org.jspecify.annotations.Nullable;

/** An event of a change log without its row. */
abstract class ChangeInfo {

    ChangeEvent.Type type = ChangeEvent.Type.NOTHING;

    /** The database's name of the transaction; null for the open transaction. */
    @Nullable
    String txn;

    /** The connection that ran it; null if the log does not state it. */
    @Nullable
    String session;

    /** A number, or a pair of numbers, that orders commits. */
    long order;

    long suborder;

    /** Unique identity in the transaction, for logs that may deliver an event twice; null if it has none. */
    @Nullable
    String identity;

    /** Position of the change in its transaction, if the log states it. */
    long position;

    /** Number of changes of the transaction, as stated by its end. */
    long count;

    /** The database's timestamps, if the log contains real ones. */
    long start;

    long commit;

    /** A member for {@code extra} of the transaction: its name and text. */
    @Nullable
    String extraName;

    @Nullable
    String extraText;

    void clear() {
        type = ChangeEvent.Type.NOTHING;
        txn = null;
        session = null;
        order = HistorySlice.NONE;
        suborder = 0;
        identity = null;
        position = HistorySlice.NONE;
        count = HistorySlice.NONE;
        start = HistorySlice.NONE;
        commit = HistorySlice.NONE;
        extraName = null;
        extraText = null;
    }

    final void copy(ChangeInfo other) {
        type = other.type;
        txn = other.txn;
        session = other.session;
        order = other.order;
        suborder = other.suborder;
        identity = other.identity;
        position = other.position;
        count = other.count;
        start = other.start;
        commit = other.commit;
        extraName = other.extraName;
        extraText = other.extraText;
    }
}
