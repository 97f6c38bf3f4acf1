package io.nightjar.pipeline.online;

import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;

/**
 * A transaction as the online check names it.
 *
 * @param startTs {@link OnlineCheck#NO_TIME} of a writer of which the commit is known only
 */
public record OnlineTxn(long txnId, long startTs, long commitTs) {

    void write(ByteWriter to) {
        to.putSigned(txnId);
        to.putSigned(startTs);
        to.putSigned(commitTs);
    }

    static OnlineTxn read(ByteReader from) {
        return new OnlineTxn(from.getSigned(), from.getSigned(), from.getSigned());
    }
}
