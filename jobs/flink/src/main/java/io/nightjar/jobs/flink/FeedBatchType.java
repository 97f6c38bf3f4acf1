package io.nightjar.jobs.flink;

import io.nightjar.jobs.read.DeadLetters.DeadLetter;
import io.nightjar.jobs.watch.FeedRunner.Fed;
import io.nightjar.pipeline.check.ResultCodec;
import io.nightjar.pipeline.partition.SliceCodec;
import io.nightjar.pipeline.partition.SliceForm;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.TypeSerializerSingleton;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Flink type of a feed batch; it is rarely serialized, since the next stage is usually chained. */
final class FeedBatchType extends RecordType<Fed> {

    private static final long serialVersionUID = 1;

    static final FeedBatchType INSTANCE = new FeedBatchType();

    private FeedBatchType() {
        super(Fed.class);
    }

    @Override
    public TypeSerializer<Fed> createSerializer(SerializerConfig config) {
        return Serializer.INSTANCE;
    }

    /** Serializer of feed batches: transactions as columns, bad rows, and the position of the feed. */
    public static final class Serializer extends TypeSerializerSingleton<Fed> {

        private static final long serialVersionUID = 1;

        private static final Serializer INSTANCE = new Serializer();

        @Override
        public void serialize(Fed fed, DataOutputView to) throws IOException {
            ByteWriter bytes = new ByteWriter(1 << 12);
            bytes.putSigned(fed.arrivedMicros());
            bytes.putVarint(fed.repeated());
            bytes.putVarint(fed.letters().size());
            fed.letters().forEach(letter -> ResultCodec.encode(letter, bytes));
            if (fed.slice() != null) {
                new SliceCodec().encode(fed.slice(), SliceForm.ALL, bytes);
            }
            to.writeInt(bytes.size());
            to.write(bytes.bytes(), 0, bytes.size());
        }

        @Override
        public Fed deserialize(DataInputView from) throws IOException {
            byte[] bytes = new byte[from.readInt()];
            from.readFully(bytes);
            ByteReader fed = new ByteReader(bytes, 0, bytes.length);
            long arrived = fed.getSigned();
            long repeated = fed.getVarint();
            List<DeadLetter> letters = new ArrayList<>();
            for (int count = fed.getCount(); count > 0; count--) {
                letters.add(ResultCodec.decode(DeadLetter.class, fed));
            }
            return new Fed(fed.isEmpty() ? null : new SliceCodec().decode(fed), arrived, letters, repeated);
        }

        @Override
        public Fed deserialize(Fed reuse, DataInputView from) throws IOException {
            return deserialize(from);
        }

        @Override
        public void copy(DataInputView from, DataOutputView to) throws IOException {
            serialize(deserialize(from), to);
        }

        /** Returns the same object, which is immutable. */
        @Override
        public Fed copy(Fed fed) {
            return fed;
        }

        @Override
        public Fed copy(Fed fed, Fed reuse) {
            return fed;
        }

        @Override
        public Fed createInstance() {
            return new Fed(null, 0, List.of(), 0);
        }

        @Override
        public boolean isImmutableType() {
            return true;
        }

        @Override
        public int getLength() {
            return -1;
        }

        @Override
        public TypeSerializerSnapshot<Fed> snapshotConfiguration() {
            return new Snapshot();
        }

        /** Found by Flink by its name. */
        public static final class Snapshot extends SimpleTypeSerializerSnapshot<Fed> {

            public Snapshot() {
                super(() -> INSTANCE);
            }
        }
    }
}
