package io.nightjar.jobs.watch;

import static java.util.Objects.requireNonNull;

import io.nightjar.jobs.read.DeadLetters.DeadLetter;
import io.nightjar.jobs.read.HistorySummary;
import io.nightjar.pipeline.check.ResultCodec;
import io.nightjar.pipeline.online.OnlineFinding;
import io.nightjar.pipeline.online.OnlineFinding.Change;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Log of the reports of a watch's tasks: one file per checkpoint, read by the coordinating process. */
public final class TaskLog {

    /*
     * Layout.
     *
     *   .N         reports up to checkpoint N, which may never be complete
     *   log-N      the same, once checkpoint N is complete
     *
     *   .open      the same since the last checkpoint began
     *
     * A file is a sequence of entries (kind, length in bytes, content) and the CRC32C of these, as a long.
     */

    /** The kinds of entries. */
    public enum Entry {
        /** Changes of findings. */
        CHANGES,
        /** Rejected rows. */
        LETTERS,
        /** The name of a part of kept rows. */
        PART,
        /** Counts of a task. */
        COUNTS,
        /** The smallest watermark of all tasks. */
        WATERMARK,
        /** Keys with their initial states. */
        INITIAL,
        /** The validation summary of all rows. */
        SUMMARY
    }

    /** Consumer of changes. */
    @FunctionalInterface
    interface ChangeReader {
        void changed(Change change, OnlineFinding finding, boolean isWrong, long atMicros);
    }

    /** Consumer of the entries of a file. */
    interface Reader extends ChangeReader {

        void letter(DeadLetter letter);

        default void kept(String part) throws IOException {}

        /** @param start the attempt of the job in which the task counted */
        default void counted(long start, String task, LiveCounts counts) {}

        default void sealed(long watermark) {}

        /** @param keys a block of keys with their initial states */
        default void held(ByteReader keys) {}

        default void validated(HistorySummary summary) {}
    }

    private static final Entry[] ENTRIES = Entry.values();
    private static final Change[] CHANGES = Change.values();
    private static final String SHOWN = "log-";

    private TaskLog() {}

    // ---------------------------------------------------------------- entries

    /** Appends a change to the content of an entry. */
    public static void putChange(Change change, OnlineFinding finding, boolean isWrong, ByteWriter to) {
        putChange(change, finding, isWrong, WatchClock.micros(), to);
    }

    static void putChange(Change change, OnlineFinding finding, boolean isWrong, long atMicros, ByteWriter to) {
        to.putByte(change.ordinal());
        to.putByte(isWrong ? 1 : 0);
        to.putVarint(atMicros);
        ResultCodec.encode(finding, to);
    }

    /** Writes the content of an entry for counts. */
    public static void putCounts(long start, String task, LiveCounts counts, ByteWriter to) {
        to.putSigned(start);
        to.putString(task);
        counts.encode(to);
    }

    /** Writer of the reports between two checkpoints. */
    public static final class Writer implements AutoCloseable {

        private static final String OPEN = ".open";
        private static final int WRITE_AT = 1 << 16;

        private final Path folder;
        private final ByteWriter bytes = new ByteWriter(1 << 12);
        private final ByteWriter entry = new ByteWriter(1 << 8);
        private @Nullable FileChannel file; // null until something is written
        private final CRC32C sum = new CRC32C();

        public Writer(Path folder) throws IOException {
            this.folder = Files.createDirectories(folder);
            Files.deleteIfExists(folder.resolve(OPEN));
        }

        /** Adds an entry. */
        public void add(Entry kind, byte[] content, int length) throws IOException {
            bytes.putByte(kind.ordinal());
            bytes.putVarint(length);
            bytes.putBytes(content, 0, length);
            if (bytes.size() >= WRITE_AT) {
                write();
            }
        }

        void add(VerdictChange change) {
            entry.clear();
            putChange(change.change(), change.finding(), change.isWrong(), change.changedMicros(), entry);
            try {
                add(Entry.CHANGES, entry.bytes(), entry.size());
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }

        void addLetters(List<DeadLetter> letters) throws IOException {
            entry.clear();
            letters.forEach(letter -> ResultCodec.encode(letter, entry));
            if (entry.size() > 0) {
                add(Entry.LETTERS, entry.bytes(), entry.size());
            }
        }

        private FileChannel write() throws IOException {
            FileChannel to = file;
            if (to == null) {
                to = FileChannel.open(
                        folder.resolve(OPEN),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE);
                file = to;
            }
            sum.update(bytes.bytes(), 0, bytes.size());
            for (ByteBuffer rest = ByteBuffer.wrap(bytes.bytes(), 0, bytes.size()); rest.hasRemaining(); ) {
                to.write(rest);
            }
            bytes.clear();
            return to;
        }

        /** Completes the hidden file of a checkpoint on disk. */
        public void hide(long checkpoint) throws IOException {
            try (FileChannel to = write()) {
                to.write(ByteBuffer.allocate(Long.BYTES).putLong(sum.getValue()).flip());
                to.force(true);
            }
            sum.reset();
            file = null;
            Files.move(folder.resolve(OPEN), folder.resolve(hidden(checkpoint)));
        }

        /** Completes the file after a given one, if any entry was added; returns the number of the last file. */
        long complete(long last) throws IOException {
            if (file == null && bytes.size() == 0) {
                return last;
            }
            hide(last + 1);
            show(folder, folder, last + 1, List.of());
            return last + 1;
        }

        @Override
        public void close() throws IOException {
            if (file != null) {
                file.close();
            }
        }
    }

    // ---------------------------------------------------------------- files

    private static String hidden(long checkpoint) {
        return "." + checkpoint;
    }

    private static String shown(long checkpoint) {
        return String.format(Locale.ROOT, "%s%019d", SHOWN, checkpoint);
    }

    /** Completes a checkpoint: makes its parts and its reports visible. */
    public static void show(Path folder, Path rows, long checkpoint, List<String> parts) throws IOException {
        for (String part : parts) {
            KeptPart.show(rows, part);
        }
        Path hidden = folder.resolve(hidden(checkpoint));
        if (Files.exists(hidden)) {
            Files.move(hidden, folder.resolve(shown(checkpoint)));
        }
    }

    /** Returns the last checkpoint that has a visible file, or -1. */
    public static long last(Path folder) throws IOException {
        List<Long> all = checkpointsAfter(folder, -1);
        return all.isEmpty() ? -1 : all.get(all.size() - 1);
    }

    /** Removes the reports after a checkpoint, before a job resumes from it. */
    public static void deleteAfter(Path folder, long checkpoint) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(Files.createDirectories(folder))) {
            for (Path file : files) {
                if (file.endsWith(Writer.OPEN) || number(file) > checkpoint) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    private static long number(Path file) {
        String name = file.getFileName().toString();
        return Long.parseLong(name.startsWith(SHOWN) ? name.substring(SHOWN.length()) : name.substring(1));
    }

    /** Returns the checkpoints after the given number that have visible files, in order. */
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

    /** Reads the reports of a checkpoint, since the previous one. */
    static void read(Path folder, long checkpoint, Reader to) throws IOException {
        byte[] bytes = content(folder.resolve(shown(checkpoint)));
        ByteReader file = new ByteReader(bytes, 0, bytes.length - Long.BYTES);
        while (!file.isEmpty()) {
            Entry entry = ENTRIES[file.getByte()];
            int length = file.getCount();
            read(entry, new ByteReader(bytes, file.skip(length), length), to);
        }
    }

    /** Reads a file; requires that its sum is right. */
    private static byte[] content(Path file) throws IOException {
        try {
            byte[] bytes = Files.readAllBytes(file);
            CRC32C sum = new CRC32C();
            int length = Math.max(0, bytes.length - Long.BYTES);
            sum.update(bytes, 0, length);
            if (bytes.length >= Long.BYTES && ByteBuffer.wrap(bytes).getLong(length) == sum.getValue()) {
                return bytes;
            }
        } catch (NoSuchFileException gone) {
            // it is damaged as well
        }
        Path folder = requireNonNull(file.getParent());
        throw CheckpointException.damaged(requireNonNull(folder.getParent()), file.toString());
    }

    private static void readChanges(ByteReader from, ChangeReader to) {
        while (!from.isEmpty()) {
            Change change = CHANGES[from.getByte()];
            boolean isWrong = from.getByte() == 1;
            long at = from.getVarint();
            to.changed(change, ResultCodec.decode(OnlineFinding.class, from), isWrong, at);
        }
    }

    private static void read(Entry entry, ByteReader from, Reader to) throws IOException {
        while (!from.isEmpty()) {
            switch (entry) {
                case CHANGES -> readChanges(from, to::changed);
                case LETTERS -> to.letter(ResultCodec.decode(DeadLetter.class, from));
                case PART -> to.kept(from.getString());
                case COUNTS -> to.counted(from.getSigned(), from.getString(), LiveCounts.decode(from));
                case WATERMARK -> to.sealed(from.getSigned());
                case INITIAL -> to.held(from);
                case SUMMARY -> to.validated(ResultCodec.decode(HistorySummary.class, from));
            }
        }
    }
}
