package io.nightjar.jobs.watch;

import io.nightjar.formats.file.Addresses;
import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.InputError;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.MissingRowIdException;
import io.nightjar.formats.history.NumberedRows;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.registry.Histories;
import io.nightjar.jobs.run.ProgressListener;
import io.nightjar.jobs.watch.WatchFeeds.FeedPlan;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reader of rows from a growing file, or from the files of a directory, which appear and grow. */
final class TailFeed implements RowFeed {

    private static final long POLL_MILLIS = 20;
    private static final long POLL_MILLIS_OF_STORE = 2_000; // each poll is a request
    private static final long NOTE_AFTER_MICROS = 1_000_000;
    private static final int MAX_BAD_ROWS = 1 << 14; // passed to the inbox at once

    private final String name;
    private final Path path;
    private final long pollMillis;
    private final boolean untilEnd;
    private final boolean mayCount;
    private final ProgressListener watcher;
    private final FeedShare share;
    private final Map<String, FeedPosition> positions;
    private final Map<Path, Tail> tails = new HashMap<>();
    private final Map<Path, Whole> wholes = new HashMap<>();
    private boolean hasNotedOthers;

    /** @param positions where to resume, by file */
    TailFeed(FeedPlan plan, Path path, Map<String, FeedPosition> positions, ProgressListener watcher) {
        this.name = plan.source();
        this.path = path;
        this.pollMillis = Addresses.isRemote(path) ? POLL_MILLIS_OF_STORE : POLL_MILLIS;
        this.untilEnd = plan.untilEnd();
        this.mayCount = plan.isAlone() && !Files.isDirectory(path);
        this.positions = positions;
        this.share = plan.share();
        this.watcher = watcher;
    }

    /** A growing file that is being read. */
    private static final class Tail {
        private final LineSplitter lines;
        private final InputStream in;
        private final @Nullable Object fileKey; // null where files have none
        private long bytesRead;

        Tail(LineSplitter lines, InputStream in, @Nullable Object fileKey) {
            this.lines = lines;
            this.in = in;
            this.fileKey = fileKey;
        }
    }

    /** A file that is read as a whole. */
    private static final class Whole {
        private long size = -1; // when it was read
        private @Nullable String whyNot; // reason to report if it cannot be read; else null
        private long triedMicros;
        private long badRows; // passed to the inbox so far
    }

    /** Passes bad rows of a complete file to the inbox; skips the rows that an earlier reading has passed. */
    private static final class BadRowsOfWhole implements BadRowHandler {

        private final Whole whole;
        private final String name;
        private final ArrivalSink inbox;
        private long count;

        BadRowsOfWhole(Whole whole, String name, ArrivalSink inbox) {
            this.whole = whole;
            this.name = name;
            this.inbox = inbox;
        }

        @Override
        public void add(String file, long row, InputError fault, @Nullable String rawText) {
            if (++count <= whole.badRows) {
                return;
            }
            inbox.badRows().add(file, row, fault, rawText);
            whole.badRows = count;
            try {
                if (count % MAX_BAD_ROWS == 0) {
                    inbox.put(null, new FeedPosition(name, 0, count));
                }
            } catch (InterruptedException stopped) { // the next put ends the reading
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean isResumable() {
        return true;
    }

    @Override
    public void run(ArrivalSink inbox) throws IOException, InterruptedException {
        try {
            while (!inbox.isClosed()) {
                boolean cameSomething = false;
                for (Path file : files()) {
                    cameSomething |= readOn(file, inbox);
                }
                if (!cameSomething && untilEnd) {
                    endAll();
                    return;
                }
                if (!cameSomething) {
                    Thread.sleep(pollMillis);
                }
            }
        } finally {
            for (Tail tail : tails.values()) {
                tail.in.close();
            }
        }
    }

    private List<Path> files() throws IOException {
        if (!Files.isDirectory(path)) {
            return List.of(path);
        }
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(path, "[!_.]*")) {
            for (Path entry : entries) {
                boolean isMine = share.hasFile(entry.getFileName().toString()) && Files.isRegularFile(entry);
                if (isMine && Histories.hasKnownExtension(entry)) {
                    files.add(entry);
                } else if (isMine) {
                    passOver(entry);
                }
            }
        }
        Collections.sort(files);
        return files;
    }

    /** Skips a file with the extension of no format: it may be renamed when it is complete. */
    private void passOver(Path file) {
        if (!hasNotedOthers) {
            hasNotedOthers = true;
            watcher.printNote("[" + file + "] skipped, like all files without the extension of a format"
                    + " (nightjar formats lists them)");
        }
    }

    private boolean readOn(Path file, ArrivalSink inbox) throws IOException, InterruptedException {
        try {
            return isWhole(file) ? readWhole(file, inbox) : readLines(file, inbox);
        } catch (NoSuchFileException gone) {
            if (untilEnd || Files.isDirectory(path)) {
                return false;
            }
            Thread.sleep(pollMillis); // it may be replaced just now
            return false;
        }
    }

    /**
     * Returns whether a file is read only when it is complete: true for objects, which do not grow, and for all known
     * formats except uncompressed JSON Lines.
     */
    private static boolean isWhole(Path file) {
        if (Addresses.isRemote(file)) {
            return true;
        }
        String name = file.getFileName().toString();
        boolean isPacked = name.endsWith(".gz") || name.endsWith(".zst");
        boolean isLines = name.endsWith(".jsonl") || name.endsWith(".ndjson");
        return isPacked || Histories.hasKnownExtension(file) && !isLines;
    }

    // ---------------------------------------------------------------- files that grow

    private boolean readLines(Path file, ArrivalSink inbox) throws IOException, InterruptedException {
        BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
        Tail tail = tails.get(file);
        if (tail != null && isAnother(file, now, tail)) {
            watcher.printNote("[" + file + "] file was replaced or cut: bytes=" + now.size() + " read=" + tail.bytesRead
                    + "; it is read from its beginning as a new file");
            tail.in.close();
            tail = null;
        }
        if (tail == null) {
            boolean isNew = !tails.containsKey(file);
            tail = open(file, inbox, now, isNew ? positions.get(file.toString()) : null);
            tails.put(file, tail);
        }
        if (now.size() == tail.bytesRead) {
            return false;
        }
        int count = tail.lines.read(tail.in);
        while (count > 0) {
            tail.bytesRead += count;
            count = inbox.isClosed() ? 0 : tail.lines.read(tail.in);
        }
        tail.lines.flush();
        return true;
    }

    private static boolean isAnother(Path file, BasicFileAttributes now, Tail tail) throws IOException {
        boolean isCutOrMoved = now.size() < tail.bytesRead || !Objects.equals(now.fileKey(), tail.fileKey);
        return isCutOrMoved || now.size() > tail.bytesRead && !tail.lines.isOf(file);
    }

    private Tail open(Path file, ArrivalSink inbox, BasicFileAttributes now, @Nullable FeedPosition from)
            throws IOException {
        boolean isFirst = mayCount && !tails.containsKey(file) && from == null;
        LineSplitter lines = new LineSplitter(file.toString(), inbox, badRows(isFirst, inbox.badRows()));
        Tail tail = new Tail(lines, Files.newInputStream(file), now.fileKey());
        FilePrefixHash head = from == null ? null : headOf(file, from, now);
        if (from != null && head != null) {
            tail.in.skipNBytes(from.bytes());
            tail.bytesRead = from.bytes();
            tail.lines.resumeAt(from, head);
        } else if (from != null) {
            watcher.printNote("[" + file + "] another file than was read before: bytes=" + now.size() + " read="
                    + from.bytes() + "; it is read from its beginning");
        }
        return tail;
    }

    /** Returns the hash of the file's bytes up to a position; null if another file was read up to there. */
    private static @Nullable FilePrefixHash headOf(Path file, FeedPosition from, BasicFileAttributes now)
            throws IOException {
        if (from.bytes() > now.size()) {
            return null;
        }
        FilePrefixHash head = FilePrefixHash.of(file, from.bytes());
        return head.value() == from.head() ? head : null;
    }

    private static BadRowHandler badRows(boolean mayCount, BadRowHandler badRows) {
        return mayCount ? badRows : new NumberedRows(badRows);
    }

    private void endAll() throws InterruptedException {
        for (Tail tail : tails.values()) {
            tail.lines.end();
        }
    }

    // ---------------------------------------------------------------- complete files

    /**
     * Reads a complete file. An unreadable file may still be being written: it is read again when its size has changed.
     */
    private boolean readWhole(Path file, ArrivalSink inbox) throws IOException, InterruptedException {
        long size = Files.size(file);
        Whole whole = wholes.computeIfAbsent(file, absent -> new Whole());
        FeedPosition before = positions.get(file.toString());
        if (whole.size == size || before != null && before.bytes() == size) {
            recordIncomplete(whole);
            return false;
        }
        whole.size = size;
        whole.whyNot = null;
        whole.badRows = Math.max(whole.badRows, before == null ? 0 : before.lines());
        try (HistorySource source = Histories.open(file, null)) {
            readSplits(source, file.toString(), whole, inbox);
        } catch (MissingRowIdException unnumbered) {
            throw unnumbered;
        } catch (MalformedHistoryException damaged) {
            if (untilEnd && !Files.isDirectory(path)) {
                throw damaged;
            } else if (untilEnd) {
                inbox.badRows().add(file.toString(), 0, damaged.fault(), null);
            }
            whole.whyNot = untilEnd ? null : damaged.getMessage();
            whole.triedMicros = WatchClock.micros();
            return false;
        }
        return true;
    }

    /** Reports why a file cannot be read yet: its writer may be slow, or it may be damaged. */
    private void recordIncomplete(Whole whole) {
        if (whole.whyNot != null && WatchClock.micros() - whole.triedMicros > NOTE_AFTER_MICROS) {
            watcher.printNote(whole.whyNot + " (it is read again when it has grown)");
            whole.whyNot = null;
        }
    }

    private void readSplits(HistorySource source, String name, Whole whole, ArrivalSink inbox)
            throws IOException, InterruptedException {
        BadRowHandler badRows = badRows(mayCount, new BadRowsOfWhole(whole, name, inbox));
        int splits = source.splits().size();
        for (int split = 0; split < splits; split++) {
            try (SliceReader reader = source.open(split, ColumnGroup.all(), badRows)) {
                HistorySlice slice = reader.next();
                while (slice != null) {
                    HistorySlice next = reader.next();
                    long bytes = split == splits - 1 && next == null ? whole.size : 0;
                    inbox.put(slice, new FeedPosition(name, bytes, whole.badRows));
                    slice = next;
                }
            }
        }
        inbox.put(null, new FeedPosition(name, whole.size, whole.badRows)); // if the last rows are bad
    }
}
