package io.nightjar.jobs.flink;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.jupiter.api.Test;

class ChunkSerializerTest {

    private static final ChunkSerializer SERIALIZER = ChunkSerializer.INSTANCE;

    @Test
    void onlyTheValidBytesTravel() throws IOException {
        Chunk sent = new Chunk(Chunk.Kind.LANE, -7, new byte[] {1, 2, 3, 99, 99}, 3);

        Chunk received = SERIALIZER.deserialize(written(sent));

        assertThat(received.kind).isEqualTo(Chunk.Kind.LANE);
        assertThat(received.key).isEqualTo(-7);
        assertThat(received.length).isEqualTo(3);
        assertThat(received.bytes).containsExactly(1, 2, 3);
    }

    @Test
    void copiedBytesAreThoseThatWereWritten() throws IOException {
        Chunk sent = new Chunk(Chunk.Kind.ANSWER, 12, new byte[] {5, 6}, 2);
        DataOutputSerializer copy = new DataOutputSerializer(16);
        SERIALIZER.copy(written(sent), copy);

        Chunk received = SERIALIZER.deserialize(new DataInputDeserializer(copy.getCopyOfBuffer()));

        assertThat(received.kind).isEqualTo(Chunk.Kind.ANSWER);
        assertThat(received.key).isEqualTo(12);
        assertThat(received.bytes).containsExactly(5, 6);
    }

    @Test
    void aCopyDoesNotChangeWithItsOriginal() {
        byte[] buffer = {1, 2};
        Chunk copy = SERIALIZER.copy(new Chunk(Chunk.Kind.SLICE, 0, buffer, 2));

        buffer[0] = 9;

        assertThat(copy.bytes).containsExactly(1, 2);
    }

    private static DataInputDeserializer written(Chunk chunk) throws IOException {
        DataOutputSerializer to = new DataOutputSerializer(16);
        SERIALIZER.serialize(chunk, to);
        return new DataInputDeserializer(to.getCopyOfBuffer());
    }
}
