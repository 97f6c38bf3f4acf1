package io.nightjar.jobs.flink;

import io.nightjar.pipeline.check.ResultCodec;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import java.util.Arrays;
import java.util.List;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/** Splits of a watch as bytes. */
final class FeedSplits implements SimpleVersionedSerializer<FeedSplit> {

    /** Writes and reads several splits. */
    static final class Several implements SimpleVersionedSerializer<List<FeedSplit>> {

        @Override
        public int getVersion() {
            return VERSION;
        }

        @Override
        public byte[] serialize(List<FeedSplit> splits) {
            ByteWriter bytes = ResultCodec.bytes(new Splits(splits));
            return Arrays.copyOf(bytes.bytes(), bytes.size());
        }

        @Override
        public List<FeedSplit> deserialize(int version, byte[] bytes) {
            return ResultCodec.decode(Splits.class, new ByteReader(bytes, 0, bytes.length))
                    .all();
        }
    }

    private record Splits(List<FeedSplit> all) {}

    private static final int VERSION = 2;
    private static final Several SEVERAL = new Several();

    @Override
    public int getVersion() {
        return VERSION;
    }

    @Override
    public byte[] serialize(FeedSplit split) {
        return SEVERAL.serialize(List.of(split));
    }

    @Override
    public FeedSplit deserialize(int version, byte[] bytes) {
        return SEVERAL.deserialize(version, bytes).get(0);
    }
}
