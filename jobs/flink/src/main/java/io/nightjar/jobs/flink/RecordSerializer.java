package io.nightjar.jobs.flink;

import io.nightjar.pipeline.check.ResultCodec;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import java.util.Arrays;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/** Serializer of records in Flink's checkpoints. */
final class RecordSerializer<T extends Record> implements SimpleVersionedSerializer<T> {

    private static final int VERSION = 2;

    private final Class<T> type;

    RecordSerializer(Class<T> type) {
        this.type = type;
    }

    @Override
    public int getVersion() {
        return VERSION;
    }

    @Override
    public byte[] serialize(T object) {
        ByteWriter bytes = ResultCodec.bytes(object);
        return Arrays.copyOf(bytes.bytes(), bytes.size());
    }

    @Override
    public T deserialize(int version, byte[] bytes) {
        return ResultCodec.decode(type, new ByteReader(bytes, 0, bytes.length));
    }
}
