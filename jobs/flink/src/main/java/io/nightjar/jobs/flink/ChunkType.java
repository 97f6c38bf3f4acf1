package io.nightjar.jobs.flink;

import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/** Flink type of a {@link Chunk}, which has a custom serializer. */
final class ChunkType extends RecordType<Chunk> {

    private static final long serialVersionUID = 1;

    static final ChunkType INSTANCE = new ChunkType();

    private ChunkType() {
        super(Chunk.class);
    }

    @Override
    public TypeSerializer<Chunk> createSerializer(SerializerConfig config) {
        return ChunkSerializer.INSTANCE;
    }
}
