package io.nightjar.pipeline.check;

import io.nightjar.formats.finding.EdgeReason;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import io.nightjar.pipeline.primitive.RecordCodec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Codec for results of checks: findings, and records of them. */
public final class ResultCodec {

    private static final RecordCodec CODEC = new RecordCodec()
            .with(Findings.class, Findings.State.class, Findings::state, Findings::of)
            .with(
                    EdgeReason.class,
                    Reason.class,
                    reason -> new Reason(reason.word(), reason.fields()),
                    reason -> EdgeReason.of(reason.word(), reason.fields()))
            .with(
                    CommitOrder.class,
                    Order.class,
                    order -> new Order(order.commitOf, order.snapshotOf == order.commitOf ? null : order.snapshotOf),
                    order -> new CommitOrder(
                            order.snapshotOf() == null ? order.commitOf() : order.snapshotOf(), order.commitOf()));

    private record Reason(String word, List<@Nullable String> fields) {}

    /** @param snapshotOf null if it is the same as {@code commitOf} */
    private record Order(int[] commitOf, int @Nullable [] snapshotOf) {}

    private ResultCodec() {}

    public static void encode(Object result, ByteWriter to) {
        CODEC.encode(result, to);
    }

    /** Returns a result as bytes. */
    public static ByteWriter bytes(Object result) {
        ByteWriter to = new ByteWriter(1 << 10);
        encode(result, to);
        return to;
    }

    /** Returns the next result of a feed. */
    public static <T> T decode(Class<T> type, ByteReader from) {
        return CODEC.decode(type, from);
    }
}
