package io.nightjar.jobs.watch;

import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.read.DeadLetters.DeadLetter;
import io.nightjar.pipeline.check.ResultCodec;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The state from which a watch resumes.
 *
 * @param watch sources and options; a watch with others cannot resume
 * @param runId of the run to resume; null to begin another run
 * @param changes number of the last file of changes; on Flink, of the last report that was read
 * @param files other files of the checkpoint
 * @param tooLate number of transactions that were rejected as too late
 * @param positions how far each file was read, by name
 * @param letters the first rejected rows; all of them are counted
 */
record Checkpoint(
        String watch,
        @Nullable String runId,
        long watermark,
        long changes,
        Files files,
        long tooLate,
        Map<String, FeedPosition> positions,
        List<DeadLetter> letters,
        long letterCount) {

    /**
     * Other files of the checkpoint.
     *
     * @param rows the kept rows
     * @param base number of the file with the state of the online check, or 0
     * @param segments number of the state of {@link SegmentedCheck}, or 0
     */
    record Files(RowArchive.Extent rows, int base, int segments) {
        static final Files NONE = new Files(RowArchive.Extent.NONE, 0, 0);
    }

    static Checkpoint atBegin(String watch, @Nullable String runId) {
        return new Checkpoint(watch, runId, Long.MIN_VALUE, 0, Files.NONE, 0, Map.of(), List.of(), 0);
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
