package io.nightjar.pipeline.online;

import static java.util.Objects.requireNonNull;

import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import org.jspecify.annotations.Nullable;

/** Encodes transactions as bytes, to be kept. */
final class OnlineTxnCodec {

    private OnlineTxnCodec() {}

    static void putTxn(@Nullable OnlineTxn txn, ByteWriter to) {
        to.putByte(txn == null ? 0 : 1);
        if (txn != null) {
            to.putSigned(txn.txnId());
            to.putSigned(txn.startTs());
            to.putSigned(txn.commitTs());
        }
    }

    static @Nullable OnlineTxn getTxn(ByteReader from) {
        return from.getByte() == 0 ? null : new OnlineTxn(from.getSigned(), from.getSigned(), from.getSigned());
    }

    /** Returns the next transaction of a feed, where there always is one. */
    static OnlineTxn getOneTxn(ByteReader from) {
        return requireNonNull(getTxn(from));
    }
}
