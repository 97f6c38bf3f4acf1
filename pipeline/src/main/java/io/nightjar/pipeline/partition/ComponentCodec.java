package io.nightjar.pipeline.partition;

import io.nightjar.pipeline.infer.ClientHistory;
import io.nightjar.pipeline.infer.ClientHistoryCodec;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import io.nightjar.pipeline.primitive.PackedLongs;

/** Components as bytes for the wire: all that is needed to decide them, and where they belong. */
public final class ComponentCodec {

    private ComponentCodec() {}

    public static void encode(Component component, ByteWriter to) {
        ClientHistoryCodec.encode(component.history, to);
        PackedLongs.putInts(component.wholeTxnOf, component.history.txnCount, to);
    }

    public static Component decode(ByteReader from) {
        ClientHistory history = ClientHistoryCodec.decode(from);
        int[] wholeTxnOf = new int[history.txnCount];
        PackedLongs.getInts(from, wholeTxnOf, wholeTxnOf.length);
        return new Component(history, wholeTxnOf);
    }
}
