package io.nightjar.jobs.watch;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.InputError;
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
 * The state from which a watch goes on: everything up to a moment, and nothing behind it.
 *
 * @param watch what is watched and decided, to be told from another watch
 * @param runId of the run that goes on; null to begin another one
 * @param changes how many have been told, and how long their log is
 * @param files those that count
 * @param intake what {@link ArrivalProcessor} keeps of itself
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
     * @param bytes of their log
     * @param sum the CRC32C of these
     */
    record Changes(long count, long bytes, long sum) {
        static final Changes NONE = new Changes(0, 0, 0);
    }

    /**
     * The files beside the checkpoint that belong to it.
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
        out.writeInt(letters.size());
        for (DeadLetter letter : letters) {
            writeText(out, letter.file());
            out.writeLong(letter.row());
            writeText(out, letter.fault().kind());
            writeText(out, letter.fault().details());
            writeText(out, letter.fault().advice());
            writeText(out, letter.rawText());
        }
    }

    /** @throws UsageException if another version wrote it */
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
        for (int count = in.readInt(); count > 0; count--) {
            letters.add(new DeadLetter(readText(in), in.readLong(), readFault(in), readTextOrNull(in)));
        }
        return new Checkpoint(watch, runId, watermark, changes, files, intake, positions, letters);
    }

    private static InputError readFault(DataInputStream in) throws IOException {
        return new InputError(readText(in), readText(in), readText(in));
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

    /** Reads a text of those that are never null. */
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
