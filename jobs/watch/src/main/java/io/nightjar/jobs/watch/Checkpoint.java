package io.nightjar.jobs.watch;

import static java.util.Objects.requireNonNull;

import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.read.DeadLetters.DeadLetter;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The state from which a watch resumes.
 *
 * @param watch sources and options; a watch with others cannot resume
 * @param runId of the run to resume; null to begin another run
 * @param changes number of reported changes, and the length of their log
 * @param files other files of the checkpoint
 * @param intake state of {@link ArrivalProcessor}
 * @param positions how far each file was read, by name
 */
record Checkpoint(
        String watch,
        @Nullable String runId,
        long watermark,
        Changes changes,
        Files files,
        byte[] intake,
        Map<String, FeedPosition> positions,
        List<DeadLetter> letters) {

    static final byte[] NO_STATE = {};

    /**
     * Changes of verdicts.
     *
     * @param bytes length of their log
     * @param sum CRC32C of these bytes
     */
    record Changes(long count, long bytes, long sum) {
        static final Changes NONE = new Changes(0, 0, 0);
    }

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
        return new Checkpoint(watch, runId, Long.MIN_VALUE, Changes.NONE, Files.NONE, NO_STATE, Map.of(), List.of());
    }

    void write(DataOutputStream out) throws IOException {
        out.writeBytes(CheckpointVersion.THIS);
        writeText(out, watch);
        writeText(out, runId);
        out.writeLong(watermark);
        out.writeLong(changes.count());
        out.writeLong(changes.bytes());
        out.writeLong(changes.sum());
        files.rows().write(out);
        out.writeInt(files.base());
        out.writeInt(files.segments());
        out.writeInt(intake.length);
        out.write(intake);
        out.writeInt(positions.size());
        for (FeedPosition position : positions.values()) {
            position.write(out);
        }
        ByteWriter bytes = new ByteWriter(1 << 8);
        bytes.putVarint(letters.size());
        letters.forEach(letter -> TaskLog.putLetter(letter, bytes));
        writeBytes(out, bytes);
    }

    /** @throws UsageException if another version wrote the checkpoint */
    static Checkpoint read(DataInputStream in) throws IOException {
        CheckpointVersion.require(
                new String(in.readNBytes(CheckpointVersion.THIS.length()), StandardCharsets.ISO_8859_1));
        String watch = readText(in);
        String runId = readTextOrNull(in);
        long watermark = in.readLong();
        Changes changes = new Changes(in.readLong(), in.readLong(), in.readLong());
        Files files = new Files(RowArchive.Extent.read(in), in.readInt(), in.readInt());
        byte[] intake = in.readNBytes(in.readInt());
        Map<String, FeedPosition> positions = new HashMap<>();
        for (int count = in.readInt(); count > 0; count--) {
            FeedPosition position = FeedPosition.read(in);
            positions.put(position.name(), position);
        }
        List<DeadLetter> letters = new ArrayList<>();
        ByteReader bytes = readBytes(in);
        for (int count = bytes.getCount(); count > 0; count--) {
            letters.add(TaskLog.getLetter(bytes));
        }
        return new Checkpoint(watch, runId, watermark, changes, files, intake, positions, letters);
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

    /** Reads a text that is never null. */
    static String readText(DataInputStream in) throws IOException {
        return requireNonNull(readTextOrNull(in));
    }

    static void writeText(DataOutputStream out, @Nullable String text) throws IOException {
        out.writeBoolean(text != null);
        if (text != null) {
            byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
            out.writeInt(utf8.length);
            out.write(utf8);
        }
    }

    /** Reads a text that may have been null. */
    static @Nullable String readTextOrNull(DataInputStream in) throws IOException {
        if (!in.readBoolean()) {
            return null;
        }
        byte[] utf8 = new byte[in.readInt()];
        in.readFully(utf8);
        return new String(utf8, StandardCharsets.UTF_8);
    }
}
