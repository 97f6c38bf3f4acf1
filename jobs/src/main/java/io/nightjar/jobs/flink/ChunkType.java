package io.nightjar.jobs.flink;

import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/** Tells Flink that a {@link Chunk} has a serializer of its own. */
final class ChunkType extends TypeInformation<Chunk> {

    private static final long serialVersionUID = 1;

    static final ChunkType INSTANCE = new ChunkType();

    @Override
    public TypeSerializer<Chunk> createSerializer(SerializerConfig config) {
        return ChunkSerializer.INSTANCE;
    }

    @Override
    public Class<Chunk> getTypeClass() {
        return Chunk.class;
    }

    @Override
    public boolean isBasicType() {
        return false;
    }

    @Override
    public boolean isTupleType() {
        return false;
    }

    @Override
    public int getArity() {
        return 1;
    }

    @Override
    public int getTotalFields() {
        return 1;
    }

    @Override
    public boolean isKeyType() {
        return false;
    }

    @Override
    public boolean canEqual(Object other) {
        return other instanceof ChunkType;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ChunkType;
    }

    @Override
    public int hashCode() {
        return ChunkType.class.hashCode();
    }

    @Override
    public String toString() {
        return "Chunk";
    }
}
