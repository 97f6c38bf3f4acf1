package io.nightjar.jobs.watch;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.InputError;
import io.nightjar.jobs.read.DeadLetters.DeadLetter;
import io.nightjar.pipeline.online.FindingCodec;
import io.nightjar.pipeline.online.OnlineFinding;
import io.nightjar.pipeline.online.OnlineFinding.Change;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** What tasks of a watch have to say to the process that began it: files in a folder, one for each checkpoint. */
public final class TaskLog {

    /*
     *   .N         said up to checkpoint N, which may never be complete
     *   log-N      the same, once it is
     *
     * A file is a sequence of entries: what it is, how many bytes, and those.
     */

    /** The kinds of entries. */
    public enum Entry {
        /** Findings that came, turned or went. */
        CHANGES,
        /** Rows that were not taken. */
        LETTERS,
        /** Rows that were kept: the name of their part. */
        PART,
        /** What a task has counted. */
        COUNTS,
        /** Up to where all tasks have sealed. */
        WATERMARK,
        /** Keys with what they held before their first version. */
        INITIAL
    }

    /** Called with what a file says. */
    interface Reader {

        void changed(Change change, OnlineFinding finding, boolean isWrong, long atMicros);

        void letter(DeadLetter letter);

        void kept(String part, long rows) throws IOException;

        /** @param task who has counted, in which start of the job */
        void counted(long start, String task, LiveCounts counts);

        void sealed(long watermark);

        /** @param keys a block of them */
        void held(ByteReader keys);
    }

    private static final Entry[] ENTRIES = Entry.values();
    private static final Change[] CHANGES = Change.values();
    private static final String SHOWN = "log-";

    private TaskLog() {}

    // ---------------------------------------------------------------- entries

    /** Appends a change to what will be an entry. */
    public static void putChange(Change change, OnlineFinding finding, boolean isWrong, ByteWriter to) {
        putChange(change, finding, isWrong, WatchClock.micros(), to);
    }

    static void putChange(Change change, OnlineFinding finding, boolean isWrong, long atMicros, ByteWriter to) {
        to.putByte(change.ordinal());
        to.putByte(isWrong ? 1 : 0);
        to.putVarint(atMicros);
        FindingCodec.encode(finding, to);
    }

    /** Appends a letter likewise. */
    public static void putLetter(DeadLetter letter, ByteWriter to) {
        FindingCodec.putText(letter.file(), to);
        to.putSigned(letter.row());
        to.putString(letter.fault().kind());
        to.putString(letter.fault().details());
        to.putString(letter.fault().advice());
        FindingCodec.putText(letter.rawText(), to);
    }

    /** Makes an entry of a part's name. */
    public static void putPart(String part, long rows, ByteWriter to) {
        to.putString(part);
        to.putVarint(rows);
    }

    /** Makes an entry of counts. */
    public static void putCounts(long start, String task, LiveCounts counts, ByteWriter to) {
        to.putSigned(start);
        to.putString(task);
        counts.encode(to);
    }

    /** Appends an entry to what will be a file. */
    public static void putEntry(Entry entry, byte[] bytes, int length, ByteWriter to) {
        to.putByte(entry.ordinal());
        to.putVarint(length);
        to.putBytes(bytes, 0, length);
    }

    // ---------------------------------------------------------------- files

    /** The name of what was said up to a checkpoint that may never be complete. */
    public static String hidden(long checkpoint) {
        return "." + checkpoint;
    }

    private static String shown(long checkpoint) {
        return String.format(Locale.ROOT, "%s%019d", SHOWN, checkpoint);
    }

    /** Completes a checkpoint: the parts that were kept up to it count, and what was said up to it becomes visible. */
    public static void show(Path folder, Path rows, long checkpoint, List<String> parts) throws IOException {
        for (String part : parts) {
            KeptPart.show(rows, part);
        }
        Path hidden = folder.resolve(hidden(checkpoint));
        if (Files.exists(hidden)) {
            Files.move(hidden, folder.resolve(shown(checkpoint)));
        }
    }

    /** The last checkpoint whose file is there, or -1. */
    public static long last(Path folder) throws IOException {
        List<Long> all = checkpointsAfter(folder, -1);
        return all.isEmpty() ? -1 : all.get(all.size() - 1);
    }

    /** Removes what was said behind a checkpoint that is gone on from, or would have been. */
    public static void deleteAfter(Path folder, long checkpoint) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                if (number(file) > checkpoint) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    private static long number(Path file) {
        String name = file.getFileName().toString();
        return Long.parseLong(name.startsWith(SHOWN) ? name.substring(SHOWN.length()) : name.substring(1));
    }

    /** The checkpoints behind one whose files are there, in order. */
    static List<Long> checkpointsAfter(Path folder, long checkpoint) throws IOException {
        List<Long> numbers = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, SHOWN + "*")) {
            for (Path file : files) {
                if (number(file) > checkpoint) {
                    numbers.add(number(file));
                }
            }
        } catch (NoSuchFileException nothingYet) {
            return List.of();
        }
        Collections.sort(numbers);
        return numbers;
    }

    /** Reads what was said up to a checkpoint, since the one before. */
    static void read(Path folder, long checkpoint, Reader to) throws IOException {
        byte[] bytes = Files.readAllBytes(folder.resolve(shown(checkpoint)));
        ByteReader file = new ByteReader(bytes, 0, bytes.length);
        while (!file.isEmpty()) {
            Entry entry = ENTRIES[file.getByte()];
            int length = file.getCount();
            read(entry, new ByteReader(bytes, file.skip(length), length), to);
        }
    }

    /** The next text of those that are never null. */
    private static String text(ByteReader from) {
        return requireNonNull(FindingCodec.getText(from));
    }

    private static InputError fault(ByteReader from) {
        return new InputError(from.getString(), from.getString(), from.getString());
    }

    private static void read(Entry entry, ByteReader from, Reader to) throws IOException {
        while (!from.isEmpty()) {
            switch (entry) {
                case CHANGES -> {
                    Change change = CHANGES[from.getByte()];
                    boolean isWrong = from.getByte() == 1;
                    long at = from.getVarint();
                    to.changed(change, FindingCodec.decode(from), isWrong, at);
                }
                case LETTERS ->
                    to.letter(new DeadLetter(text(from), from.getSigned(), fault(from), FindingCodec.getText(from)));
                case PART -> to.kept(from.getString(), from.getVarint());
                case COUNTS -> to.counted(from.getSigned(), from.getString(), LiveCounts.decode(from));
                case WATERMARK -> to.sealed(from.getSigned());
                case INITIAL -> to.held(from);
            }
        }
    }
}
