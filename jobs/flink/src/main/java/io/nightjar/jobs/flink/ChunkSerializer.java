package io.nightjar.jobs.flink;

import java.io.IOException;
import java.util.Arrays;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.TypeSerializerSingleton;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** A {@link Chunk} as bytes: kind, key, length, and its bytes in one go. */
public final class ChunkSerializer extends TypeSerializerSingleton<Chunk> {

    private static final long serialVersionUID = 1;

    static final ChunkSerializer INSTANCE = new ChunkSerializer();

    @Override
    public void serialize(Chunk chunk, DataOutputView to) throws IOException {
        to.writeByte(chunk.kind.ordinal());
        to.writeInt(chunk.key);
        to.writeInt(chunk.length);
        to.write(chunk.bytes, 0, chunk.length);
    }

    @Override
    public Chunk deserialize(DataInputView from) throws IOException {
        Chunk.Kind kind = Chunk.kind(from.readByte());
        int key = from.readInt();
        byte[] bytes = new byte[from.readInt()];
        from.readFully(bytes);
        return new Chunk(kind, key, bytes);
    }

    /** Reads a chunk into new objects, since its receiver may keep it. */
    @Override
    public Chunk deserialize(Chunk reuse, DataInputView from) throws IOException {
        return deserialize(from);
    }

    @Override
    public void copy(DataInputView from, DataOutputView to) throws IOException {
        to.writeByte(from.readByte());
        to.writeInt(from.readInt());
        int length = from.readInt();
        to.writeInt(length);
        to.write(from, length);
    }

    @Override
    public Chunk copy(Chunk chunk) {
        return new Chunk(chunk.kind, chunk.key, Arrays.copyOf(chunk.bytes, chunk.length));
    }

    @Override
    public Chunk copy(Chunk chunk, Chunk reuse) {
        return copy(chunk);
    }

    @Override
    public Chunk createInstance() {
        return new Chunk(Chunk.Kind.MESSAGE, 0, new byte[0]);
    }

    @Override
    public boolean isImmutableType() {
        return false;
    }

    @Override
    public int getLength() {
        return -1;
    }

    @Override
    public TypeSerializerSnapshot<Chunk> snapshotConfiguration() {
        return new Snapshot();
    }

    /** Found by Flink by its name. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<Chunk> {

        public Snapshot() {
            super(() -> INSTANCE);
        }
    }
}
