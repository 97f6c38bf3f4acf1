package io.nightjar.jobs.watch;

import io.nightjar.jobs.read.DeadLetters.DeadLetter;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * From where a watch goes on: everything up to a moment, and nothing behind it.
 *
 * @param watch what is watched and decided, to be told from another watch
 * @param runId of the run that goes on; null to begin another one
 * @param parts of the kept rows that are complete
 * @param changeSeq of the last change
 * @param changeBytes of the log of changes
 * @param positions how far each file was read, by name
 */
record Checkpoint(
        String watch,
        String runId,
        int parts,
        long watermark,
        long changeSeq,
        long changeBytes,
        Map<String, FeedPosition> positions,
        List<DeadLetter> letters) {

    private static final int MAGIC = 0x4E4A5731;

    static Checkpoint atBegin(String watch, String runId) {
        return new Checkpoint(watch, runId, 0, Long.MIN_VALUE, 0, 0, Map.of(), List.of());
    }

    void write(DataOutputStream out) throws IOException {
        out.writeInt(MAGIC);
        writeText(out, watch);
        writeText(out, runId);
        out.writeInt(parts);
        out.writeLong(watermark);
        out.writeLong(changeSeq);
        out.writeLong(changeBytes);
        out.writeInt(positions.size());
        for (FeedPosition position : positions.values()) {
            writeText(out, position.name());
            out.writeLong(position.bytes());
            out.writeLong(position.lines());
        }
        out.writeInt(letters.size());
        for (DeadLetter letter : letters) {
            writeText(out, letter.file());
            out.writeLong(letter.row());
            writeText(out, letter.reason());
            writeText(out, letter.rawText());
        }
    }

    static Checkpoint read(DataInputStream in) throws IOException {
        if (in.readInt() != MAGIC) {
            throw new IOException("not a checkpoint of this version");
        }
        String watch = readText(in);
        String runId = readText(in);
        int parts = in.readInt();
        long watermark = in.readLong();
        long changeSeq = in.readLong();
        long changeBytes = in.readLong();
        Map<String, FeedPosition> positions = new HashMap<>();
        for (int count = in.readInt(); count > 0; count--) {
            FeedPosition position = new FeedPosition(readText(in), in.readLong(), in.readLong());
            positions.put(position.name(), position);
        }
        List<DeadLetter> letters = new ArrayList<>();
        for (int count = in.readInt(); count > 0; count--) {
            letters.add(new DeadLetter(readText(in), in.readLong(), readText(in), readText(in)));
        }
        return new Checkpoint(watch, runId, parts, watermark, changeSeq, changeBytes, positions, letters);
    }

    static void writeText(DataOutputStream out, String text) throws IOException {
        out.writeBoolean(text != null);
        if (text != null) {
            byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
            out.writeInt(utf8.length);
            out.write(utf8);
        }
    }

    static String readText(DataInputStream in) throws IOException {
        if (!in.readBoolean()) {
            return null;
        }
        byte[] utf8 = new byte[in.readInt()];
        in.readFully(utf8);
        return new String(utf8, StandardCharsets.UTF_8);
    }
}
