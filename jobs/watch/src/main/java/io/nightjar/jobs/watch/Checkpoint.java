package io.nightjar.jobs.watch;

import io.nightjar.jobs.UsageException;
import io.nightjar.pipeline.check.ResultCodec;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * The state from which a watch resumes.
 *
 * @param watch engine, sources and options; a watch with others cannot resume
 * @param runId of the run to resume; null to begin another run
 * @param letterCount number of rejected rows
 * @param segments number of checked segments, whose results have a file; 0 for none
 * @param state of the engine
 */
record Checkpoint(String watch, @Nullable String runId, long letterCount, int segments, State state) {

    /**
     * The state of an engine.
     *
     * @param reports number of the last report that was read or written
     * @param rows the kept rows
     * @param base number of the file with the state of the online check, or 0
     * @param tooLate number of transactions that were rejected as too late
     * @param feeds state of {@link FeedRunner}; empty if tasks keep it
     */
    record State(long reports, RowArchive.Extent rows, int base, long tooLate, byte[] feeds) {
        static final State NONE = new State(0, RowArchive.Extent.NONE, 0, 0, new byte[0]);
    }

    static Checkpoint atBegin(String watch, @Nullable String runId) {
        return new Checkpoint(watch, runId, 0, 0, State.NONE);
    }

    /** Returns the engine, the sources and the options that must not differ when a watch resumes. */
    static String nameOf(WatchOptions options, String engine) {
        StringJoiner name = new StringJoiner(" ");
        options.arrivals().sources().forEach(source -> name.add("source=" + source));
        options.check().levels().forEach(level -> name.add("level=" + level.shortName()));
        name.add("initial-value=" + options.check().initialValue());
        name.add("initial=" + options.initial().name());
        name.add("archive=" + options.keeping().archive());
        return name.add("engine=" + engine).toString();
    }

    /** @throws UsageException if the checkpoint is not of the watch of this name */
    void expectSame(String name, Path folder) {
        if (!watch.equals(name)) {
            throw new UsageException("the checkpoint is of another watch: checkpoint=" + folder + " watch=" + watch
                    + "; name another folder, or repeat that call");
        }
    }

    void write(DataOutputStream out) throws IOException {
        out.writeBytes(CheckpointVersion.THIS);
        writeRecord(out, this);
    }

    /** @throws UsageException if another version wrote the checkpoint */
    static Checkpoint read(DataInputStream in) throws IOException {
        CheckpointVersion.require(
                new String(in.readNBytes(CheckpointVersion.THIS.length()), StandardCharsets.ISO_8859_1));
        return readRecord(in, Checkpoint.class);
    }

    static void writeRecord(DataOutputStream out, Record record) throws IOException {
        writeBytes(out, ResultCodec.bytes(record));
    }

    static <R extends Record> R readRecord(DataInputStream in, Class<R> type) throws IOException {
        return ResultCodec.decode(type, readBytes(in));
    }

    static void writeBytes(DataOutputStream out, ByteWriter bytes) throws IOException {
        out.writeInt(bytes.size());
        out.write(bytes.bytes(), 0, bytes.size());
    }

    static ByteReader readBytes(DataInputStream in) throws IOException {
        byte[] bytes = new byte[in.readInt()];
        in.readFully(bytes);
        return new ByteReader(bytes, 0, bytes.length);
    }
}
