package io.nightjar.jobs.flink;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
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
        public byte[] serialize(List<FeedSplit> splits) throws IOException {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            DataOutputStream out = new DataOutputStream(bytes);
            out.writeInt(splits.size());
            for (FeedSplit split : splits) {
                write(split, out);
            }
            return bytes.toByteArray();
        }

        @Override
        public List<FeedSplit> deserialize(int version, byte[] bytes) throws IOException {
            DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
            List<FeedSplit> splits = new ArrayList<>();
            for (int count = in.readInt(); count > 0; count--) {
                splits.add(read(in));
            }
            return splits;
        }
    }

    private static final int VERSION = 1;

    @Override
    public int getVersion() {
        return VERSION;
    }

    @Override
    public byte[] serialize(FeedSplit split) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        write(split, new DataOutputStream(bytes));
        return bytes.toByteArray();
    }

    @Override
    public FeedSplit deserialize(int version, byte[] bytes) throws IOException {
        return read(new DataInputStream(new ByteArrayInputStream(bytes)));
    }

    private static void write(FeedSplit split, DataOutputStream out) throws IOException {
        out.writeUTF(split.source());
        out.writeInt(split.share());
        out.writeInt(split.shares());
        out.writeInt(split.state().length);
        out.write(split.state());
    }

    private static FeedSplit read(DataInputStream in) throws IOException {
        return new FeedSplit(in.readUTF(), in.readInt(), in.readInt(), in.readNBytes(in.readInt()));
    }
}
