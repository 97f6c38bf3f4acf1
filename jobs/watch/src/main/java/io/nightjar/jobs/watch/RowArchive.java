package io.nightjar.jobs.watch;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.HistoryWriter;
import io.nightjar.formats.history.ValueType;
import io.nightjar.formats.registry.Histories;
import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.read.HistorySummary;
import io.nightjar.jobs.read.ParallelScan;
import io.nightjar.jobs.shrink.SliceHistory;
import io.nightjar.pipeline.validate.Validation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Archive of all consumed rows, as a history: Parquet files in a persistent folder, or packed rows in a scratch folder.
 *
 * <p>A part becomes visible when it is complete. A dropped part that a checkpoint may still need is deleted later.
 */
final class RowArchive implements AutoCloseable {

    private static final int SLICES_IN_FLIGHT = 4;
    private static final long OPS_IN_PART = 8_000_000;
    private static final long OPS_IN_PACKED_PART = 1_000_000;
    private static final long MIN_OPS_IN_PART = 20_000;

    private final Path folder;
    private final boolean isPacked; // since only this process reads the rows
    private final List<Part> complete = new ArrayList<>();
    private final boolean keepsDropped; // until a checkpoint without them is written
    private final List<Path> dropped = new ArrayList<>();
    private @Nullable Validation seen; // null if not requested, or some rows were not added
    private final ExecutorService writing = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "watch-keep");
        thread.setDaemon(true);
        return thread;
    });
    private final Semaphore slots = new Semaphore(SLICES_IN_FLIGHT);
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private @Nullable HistoryWriter writer;
    private long opsOfPart;
    private long lastCommit = Long.MIN_VALUE; // in the open part
    private int firstPart;
    private int nextPart;
    private long opsInPart;
    private long rowsInPart;
    private volatile long bytes;
    private ValueType valueType = ValueType.NONE;

    private RowArchive(Path folder, boolean isPacked, boolean keepsDropped) {
        this.folder = folder;
        this.isPacked = isPacked;
        this.keepsDropped = keepsDropped;
        this.opsOfPart = isPacked ? OPS_IN_PACKED_PART : OPS_IN_PART;
    }

    /** A complete part whose rows are not all checked yet. */
    record Part(int number, Path file, long bytes, long lastCommit) {}

    /**
     * The kept parts.
     *
     * @param first number of the first part
     * @param lastCommits last commit of each part
     */
    record Extent(int first, long[] lastCommits) {

        static final Extent NONE = new Extent(0, new long[0]);

        /** Returns the number after that of the last part. */
        int end() {
            return first + lastCommits.length;
        }
    }

    static RowArchive inScratch(Path folder) throws IOException {
        return new RowArchive(Files.createDirectories(folder), true, false);
    }

    /** @throws UsageException if the folder contains files already */
    static RowArchive inFolder(Path folder) throws IOException {
        createFolder(folder, "archive");
        if (!entries(folder, "[!_.]*").isEmpty()) {
            throw new UsageException(
                    "folder is not empty: archive=" + folder + "; rows of another watch must not mix with these");
        }
        return new RowArchive(folder, false, false);
    }

    /** @throws UsageException if a file of that name exists */
    static void createFolder(Path folder, String option) throws IOException {
        if (Files.exists(folder) && !Files.isDirectory(folder)) {
            throw new UsageException(
                    "not a folder: " + option + "=" + folder + "; name a folder, or a path that does not exist yet");
        }
        Files.createDirectories(folder);
    }

    /** Resumes with the parts of a checkpoint; other parts are removed. */
    static RowArchive reopen(Path folder, Extent extent) throws IOException {
        Files.createDirectories(folder);
        RowArchive rows = new RowArchive(folder, false, true);
        List<Path> superfluous = entries(folder, "*");
        for (int number = extent.first(); number < extent.end(); number++) {
            Path part = rows.part(number);
            superfluous.remove(part);
            long size = Files.size(part);
            rows.bytes += size;
            rows.complete.add(new Part(number, part, size, extent.lastCommits()[number - extent.first()]));
        }
        for (Path file : superfluous) {
            if (file.getFileName().toString().contains("part-")) {
                Files.delete(file);
            }
        }
        rows.firstPart = extent.first();
        rows.nextPart = extent.end();
        return rows;
    }

    /** Opens an empty archive on a folder that tasks write to. */
    static RowArchive ofOthers(Path folder) {
        return new RowArchive(folder, false, false);
    }

    /** Adds a part that a task has written. */
    synchronized void add(Path part) throws IOException {
        long size = Files.size(part);
        complete.add(new Part(nextPart++, part, size, Long.MAX_VALUE));
        bytes += size;
    }

    /** Returns the kept parts. */
    synchronized Extent extent() {
        return new Extent(
                firstPart, complete.stream().mapToLong(Part::lastCommit).toArray());
    }

    /** Returns the number of parts ever completed. */
    synchronized int parts() {
        return nextPart;
    }

    /** Limits the size of parts so that several of them fit the given number of bytes. */
    void setTotalBytes(long bytesOfAll) {
        opsOfPart = Math.max(MIN_OPS_IN_PART, Math.min(opsOfPart, bytesOfAll / 32));
    }

    /** Returns the last commit in the older half of the parts, or the watermark if it is smaller. */
    synchronized long cut(long watermark) {
        long to = Long.MIN_VALUE;
        for (Part part : complete.subList(0, (complete.size() + 1) / 2)) {
            to = Math.max(to, part.lastCommit());
        }
        return Math.min(to, watermark);
    }

    /** Removes the first parts up to a number (exclusive), while their last commits are not after a time. */
    synchronized void drop(int before, long time) throws IOException {
        while (!complete.isEmpty()
                && complete.get(0).number() < before
                && complete.get(0).lastCommit() <= time) {
            Part part = complete.remove(0);
            dropped.add(part.file());
            bytes -= part.bytes();
            firstPart++;
        }
        if (!keepsDropped) {
            deleteDropped();
        }
    }

    /** Deletes dropped parts, which no checkpoint needs any more. */
    synchronized void deleteDropped() throws IOException {
        for (Path part : dropped) {
            Files.delete(part);
        }
        dropped.clear();
    }

    private static List<Path> entries(Path folder, String pattern) throws IOException {
        List<Path> all = new ArrayList<>();
        if (Files.exists(folder)) { // a folder of a bucket exists while it has objects
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, pattern)) {
                entries.forEach(all::add);
            }
        }
        return all;
    }

    /** Returns the bytes of complete parts. */
    long bytes() {
        return bytes;
    }

    /** Writes rows asynchronously. */
    void write(HistorySlice slice) throws IOException {
        checkWriting();
        slots.acquireUninterruptibly();
        writing.execute(() -> {
            try {
                writeNow(slice);
            } catch (IOException | RuntimeException | Error failed) {
                failure.compareAndSet(null, failed);
            } finally {
                slots.release();
            }
        });
    }

    /** Completes the part with all rows written so far, asynchronously; then returns all parts. */
    CompletableFuture<List<Part>> partsOfAllTaken() {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return endPartsOfAllTaken();
                    } catch (IOException failed) {
                        throw new UncheckedIOException(failed);
                    }
                },
                writing);
    }

    private synchronized List<Part> endPartsOfAllTaken() throws IOException {
        checkWriting();
        endPart();
        return List.copyOf(complete);
    }

    /** Opens some parts as a history. */
    HistorySource open(List<Part> parts, String name) throws IOException {
        if (parts.isEmpty()) {
            return new SliceHistory(name, List.of());
        }
        return PackedRows.isOf(parts.get(0).file())
                ? new PackedRows(parts, name)
                : Histories.openParts("parquet", parts.stream().map(Part::file).toList(), name);
    }

    /** Validates all rows as they are written, for {@link #summary}; ids and positions must be unique. */
    void collectSummary(long memoryBytes) {
        seen = Validation.ofUnique(memoryBytes);
    }

    /** Returns the validation summary of all rows ever written; null if it requires another pass. Called once. */
    @Nullable
    HistorySummary summary() throws IOException {
        awaitWriting();
        return seen == null || seen.needsAnotherPass() ? null : HistorySummary.of(seen);
    }

    /** Waits until all rows are written. */
    private void awaitWriting() throws IOException {
        slots.acquireUninterruptibly(SLICES_IN_FLIGHT);
        slots.release(SLICES_IN_FLIGHT);
        checkWriting();
    }

    private void checkWriting() throws IOException {
        ParallelScan.rethrow(failure.get());
    }

    private synchronized void writeNow(HistorySlice slice) throws IOException {
        if (writer == null) {
            writer = PackedRows.createPart(part(nextPart));
        }
        writer.write(slice);
        if (seen != null) {
            seen.add(slice);
        }
        valueType = slice.valueType == ValueType.NONE ? valueType : slice.valueType;
        opsInPart += slice.opCount + slice.txnCount;
        for (int txn = 0; slice.commitTs != null && txn < slice.txnCount; txn++) {
            lastCommit = Math.max(lastCommit, FilteredSource.commit(slice, txn));
        }
        rowsInPart += slice.txnCount;
        if (opsInPart >= opsOfPart && valueType != ValueType.NONE) {
            endPart();
        }
    }

    private Path part(int number) {
        String extension = isPacked ? PackedRows.EXTENSION : ".parquet";
        return folder.resolve(String.format(Locale.ROOT, "part-%05d", number) + extension);
    }

    /** Completes the open part. */
    void finishPart() throws IOException {
        awaitWriting();
        endPart();
    }

    private synchronized void endPart() throws IOException {
        if (writer != null && rowsInPart > 0) {
            writer.finish();
            writer.close();
            long size = Files.size(part(nextPart));
            bytes += size;
            complete.add(new Part(nextPart, part(nextPart), size, lastCommit));
            lastCommit = Long.MIN_VALUE;
            nextPart++;
            writer = null;
            opsInPart = 0;
            rowsInPart = 0;
        }
    }

    /** Opens all rows as a history of this name; completes the last part. */
    HistorySource open(String name) throws IOException {
        finishPart();
        return open(complete, name);
    }

    @Override
    public void close() throws IOException {
        slots.acquireUninterruptibly(SLICES_IN_FLIGHT);
        writing.shutdown();
        if (writer != null) {
            writer.close();
        }
    }
}
