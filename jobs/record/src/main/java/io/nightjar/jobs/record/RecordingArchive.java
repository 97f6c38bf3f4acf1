package io.nightjar.jobs.record;

import io.nightjar.datasets.workload.RecordedTxn;
import io.nightjar.datasets.workload.SliceRecorder;
import io.nightjar.datasets.workload.WorkloadKeys;
import io.nightjar.formats.file.Addresses;
import io.nightjar.formats.file.AtomicFile;
import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.HistoryWriter;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.registry.Histories;
import io.nightjar.jobs.ScratchFolder;
import io.nightjar.jobs.UsageException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Archive of a recording: a directory of part files while it runs, and a single file when it is complete. */
final class RecordingArchive implements AutoCloseable {

    /*
     * Algorithm. Sessions append their transactions, each after the transactions it has read from, to the open slice; a
     * thread encodes full slices from a queue.
     *
     * Invariant. A part file is complete when the next is started: a killed process loses only the open part. The
     * manifest is rewritten with every part.
     *
     * Cost. Parts start small and grow with the recording, so that little can be lost and a long recording has some
     * hundreds.
     */

    /** Change applied to the rows of a recording when its parts are merged. */
    @FunctionalInterface
    interface LastTouch {
        HistorySlice of(HistorySlice slice) throws IOException;
    }

    static final String MANIFEST = "_manifest.json";

    private static final int SLICES_WAITING = 16;
    private static final long SHORTEST_PART_NS = 400_000_000L;
    private static final long MAX_PART_NS = 20_000_000_000L;
    private static final int PARTS_PER_DOUBLING = 8;
    private static final long MAX_TXNS_OF_PART = 1 << 20;
    private static final long POLL_MS = 50;

    private final Path out;
    private final Path directory;
    private final @Nullable ScratchFolder scratch;
    private final @Nullable String formatName;
    private final boolean becomesFile;
    private final WorkloadKeys keys;
    private final BiFunction<List<String>, RecordingCounts, byte[]> manifest;
    private final RecordingCounts held = new RecordingCounts(); // in complete parts
    private final SliceRecorder recorder;
    private final CausalOrderBuffer order;
    private final BlockingQueue<HistorySlice> queue = new ArrayBlockingQueue<>(SLICES_WAITING);
    private final List<String> parts = new ArrayList<>();
    private final Thread thread = new Thread(this::writeParts, "archive");
    private final long startNs = System.nanoTime();
    private volatile boolean isOver;
    private volatile @Nullable IOException failure;
    private volatile @Nullable RuntimeException fault;
    private @Nullable Path earlier;
    private @Nullable String doubt;
    private @Nullable HistoryWriter part;
    private long partSinceNs;
    private long txnsOfPart;
    private RecordingCounts ofPart = new RecordingCounts();

    /** @param manifest returns the manifest of these parts and their counts, marked as incomplete */
    RecordingArchive(
            Path out,
            @Nullable String formatName,
            WorkloadKeys keys,
            BiFunction<List<String>, RecordingCounts, byte[]> manifest)
            throws IOException {
        this.out = out;
        this.formatName = formatName;
        this.keys = keys;
        this.manifest = manifest;
        this.becomesFile = formatName != null || Histories.hasKnownExtension(out) || AtomicFile.isStream(out);
        probe();
        this.scratch = AtomicFile.isStream(out)
                ? ScratchFolder.create(Path.of(System.getProperty("java.io.tmpdir")), "nightjar-record-")
                : null;
        this.directory =
                scratch == null ? out : Files.createDirectory(scratch.path().resolve("parts"));
        this.recorder = new SliceRecorder(keys, this::take);
        this.order = new CausalOrderBuffer(recorder::record);
        if (scratch == null) {
            if (Files.isRegularFile(out)) {
                earlier = earlierOf(out);
                Files.move(out, earlier);
            }
            Files.createDirectories(directory);
        }
        writeManifest();
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Checks that an archive can be created at a path.
     *
     * @throws UsageException if not
     */
    static void requireFreeSpace(Path out) throws IOException {
        if (AtomicFile.isStream(out)) {
            return;
        }
        if (Addresses.isFile(out) && Addresses.isRemote(out)) { // it would hide the parts, and cannot be renamed
            throw new UsageException("output exists: path=" + out + "; remove it or choose another location");
        }
        Path parent = out.toAbsolutePath().normalize().getParent();
        if (!Addresses.isRemote(out) && (parent == null || !Files.isDirectory(parent))) {
            throw new UsageException("no such directory: path=" + parent + "; make it first");
        }
        Path earlier = earlierOf(out);
        if (Files.isRegularFile(out) && Files.exists(earlier)) {
            throw new UsageException(
                    "output exists: path=" + earlier
                            + " holds=files from before a recording that did not end; remove it or move it to another directory");
        }
        if (!Files.isDirectory(out)) {
            return;
        }
        try (Stream<Path> files = Files.list(out)) {
            if (files.findAny().isEmpty()) {
                return;
            }
        }
        String what = Files.exists(out.resolve(MANIFEST)) ? "a recording" : "something";
        throw new UsageException(
                "output exists: path=" + out + " holds=" + what + "; remove it or choose another location");
    }

    /** Returns the path that preserves an existing file until the recording is complete. */
    static Path earlierOf(Path out) {
        return out.resolveSibling(out.getFileName() + ".before");
    }

    /** Returns the file of an earlier recording; null if none exists, or if this recording has replaced it. */
    @Nullable
    Path earlier() {
        return earlier;
    }

    private void deleteEarlier() throws IOException {
        if (earlier != null) {
            Files.delete(earlier);
            earlier = null;
        }
    }

    /** Begins a transaction of a session, which will {@link #record} it. */
    void begin(long txnId) {
        synchronized (recorder) {
            order.begin(txnId);
        }
    }

    /** Appends a finished transaction as observed by its session. */
    void record(RecordedTxn txn) throws IOException {
        throwFailure();
        synchronized (recorder) {
            order.end(txn);
        }
    }

    /** Returns the counts of the complete parts on disk. */
    RecordingCounts held() {
        return held;
    }

    private void take(HistorySlice slice) throws IOException {
        if (Thread.currentThread() == thread) {
            write(slice);
            return;
        }
        try {
            while (!queue.offer(slice, POLL_MS, TimeUnit.MILLISECONDS)) {
                throwFailure();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while recording");
        }
    }

    private void throwFailure() throws IOException {
        if (failure != null) {
            throw new IOException(failure.getMessage(), failure);
        }
        if (fault != null) {
            throw fault;
        }
    }

    /** Checks that the format supports such a history, before expensive work could be lost. */
    private void probe() throws IOException {
        if (!becomesFile) {
            return;
        }
        String name = out.getFileName() == null ? "history" : out.getFileName().toString();
        try (ScratchFolder folder =
                ScratchFolder.create(Path.of(System.getProperty("java.io.tmpdir")), "nightjar-record-")) {
            Path file = folder.path().resolve(AtomicFile.isStream(out) ? "history.jsonl" : name);
            try (HistoryWriter writer = Histories.create(file, formatName)) {
                SliceRecorder one = new SliceRecorder(keys, writer::write);
                RecordedTxn txn = new RecordedTxn();
                txn.clear();
                txn.id = 1;
                txn.status = TxnStatus.COMMITTED;
                txn.invokeNs = HistorySlice.NONE;
                txn.completeNs = HistorySlice.NONE;
                txn.add(keys.areLists() ? OpKind.APPEND : OpKind.WRITE, 0, 0, ClientSession.VALUES_OF_A_TXN);
                if (keys.comeAndGo()) {
                    txn.add(OpKind.DELETE, 0, 0, 0);
                }
                one.record(txn);
                one.finish();
                writer.finish();
            } catch (MalformedHistoryException doesNotFit) {
                throw new UsageException(
                        "format cannot hold this workload: path=" + out + " reason="
                                + doesNotFit.fault().text(),
                        doesNotFit);
            }
        }
    }

    // ---------------------------------------------------------------- parts

    private void writeParts() {
        try {
            while (!isOver || !queue.isEmpty()) {
                HistorySlice slice = queue.poll(POLL_MS, TimeUnit.MILLISECONDS);
                if (slice != null) {
                    write(slice);
                }
                long nowNs = System.nanoTime();
                long lengthNs =
                        Math.min(MAX_PART_NS, Math.max(SHORTEST_PART_NS, (nowNs - startNs) / PARTS_PER_DOUBLING));
                if (nowNs - Math.max(partSinceNs, startNs) >= lengthNs || txnsOfPart >= MAX_TXNS_OF_PART) {
                    flush();
                    endPart();
                    partSinceNs = nowNs;
                }
            }
            flush();
            endPart();
        } catch (IOException e) {
            failure = cannotWrite(
                    "earlier transactions are in the archive; free disk space or choose another directory", e);
        } catch (RuntimeException e) {
            fault = e;
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        } finally {
            closePart();
        }
    }

    private void flush() throws IOException {
        synchronized (recorder) {
            recorder.finish();
        }
    }

    private void write(HistorySlice slice) throws IOException {
        if (part == null) {
            part = Histories.create(directory.resolve(nameOf(parts.size())), "parquet");
        }
        part.write(slice);
        txnsOfPart += slice.txnCount;
        ofPart.add(slice);
    }

    private void endPart() throws IOException {
        if (part == null && !parts.isEmpty()) {
            return;
        }
        if (part == null) {
            part = Histories.create(directory.resolve(nameOf(0)), "parquet"); // creates an empty history
        }
        part.finish();
        closePart();
        parts.add(nameOf(parts.size()));
        txnsOfPart = 0;
        held.add(ofPart.totals());
        ofPart = new RecordingCounts();
        writeManifest();
    }

    private static String nameOf(int number) {
        return "part-%05d.parquet".formatted(number);
    }

    private void closePart() {
        if (part == null) {
            return;
        }
        try {
            part.close();
        } catch (IOException e) {
            failure = failure == null ? e : failure;
        }
        part = null;
    }

    private void writeManifest() throws IOException {
        AtomicFile.write(directory.resolve(MANIFEST), manifest.apply(List.copyOf(parts), held));
    }

    // ---------------------------------------------------------------- the end

    /** Completes the parts after the last transaction. */
    void end() throws IOException {
        isOver = true;
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while writing");
        }
        throwFailure();
    }

    /**
     * Merges the parts into the requested output and marks it as complete.
     *
     * @param doubt reason why no level can hold; null if none
     * @param completeManifest called when all rows have been processed
     */
    void publish(LastTouch lastTouch, @Nullable String doubt, Supplier<byte[]> completeManifest) throws IOException {
        this.doubt = doubt;
        if (scratch != null) {
            merge(out, formatName == null && !Histories.hasKnownExtension(out) ? "jsonl" : formatName, lastTouch);
            return;
        }
        if (Addresses.isInBucket(out)) {
            publishObjects(lastTouch, completeManifest);
            return;
        }
        Path hidden = sibling(".merged."); // includes the extension, which determines the compression
        if (becomesFile) {
            merge(hidden, formatName, lastTouch);
            Path old = sibling(".parts.");
            deleteFolder(old);
            AtomicFile.write(directory.resolve(MANIFEST), completeManifest.get());
            Files.move(directory, old);
            Files.move(hidden, out, StandardCopyOption.ATOMIC_MOVE);
            deleteFolder(old);
            deleteEarlier();
            return;
        }
        merge(hidden, "parquet", lastTouch);
        for (int number = 1; number < parts.size(); number++) {
            Files.delete(directory.resolve(nameOf(number)));
        }
        Files.move(hidden, directory.resolve(nameOf(0)), StandardCopyOption.REPLACE_EXISTING);
        AtomicFile.write(directory.resolve(MANIFEST), completeManifest.get());
        deleteEarlier();
    }

    /** Objects are not renamed, but appear as a whole: an object of the name of the folder, or new content of each part. */
    private void publishObjects(LastTouch lastTouch, Supplier<byte[]> completeManifest) throws IOException {
        if (!becomesFile) {
            for (String name : parts) {
                merge(directory.resolve(name), directory.resolve(name), "parquet", lastTouch);
            }
            AtomicFile.write(directory.resolve(MANIFEST), completeManifest.get());
            return;
        }
        merge(out, formatName, lastTouch);
        AtomicFile.write(directory.resolve(MANIFEST), completeManifest.get());
        for (String name : parts) {
            Files.delete(directory.resolve(name));
        }
        Files.delete(directory.resolve(MANIFEST));
    }

    private Path sibling(String prefix) {
        Path absolute = out.toAbsolutePath().normalize();
        return absolute.resolveSibling(prefix + absolute.getFileName());
    }

    private void merge(Path file, @Nullable String format, LastTouch lastTouch) throws IOException {
        merge(directory, file, format, lastTouch);
    }

    private void merge(Path from, Path file, @Nullable String format, LastTouch lastTouch) throws IOException {
        try {
            copy(from, file, format, lastTouch);
        } catch (MalformedHistoryException doesNotFit) {
            throw new UsageException(
                    "format cannot hold this recording: path=" + out + " reason="
                            + doesNotFit.fault().text()
                            + (scratch == null ? "; it is there as a directory of parts, convert that" : ""),
                    doesNotFit);
        } catch (IOException e) {
            if (scratch != null) {
                throw e;
            }
            throw cannotWrite(
                    "the recording is kept as a directory of parts; free disk space and convert that directory", e);
        }
    }

    private IOException cannotWrite(String whatIsThere, IOException reason) {
        return new IOException(
                "[" + out + "] cannot write: reason=" + reason.getMessage() + "; " + whatIsThere, reason);
    }

    private void copy(Path from, Path file, @Nullable String format, LastTouch lastTouch) throws IOException {
        try (HistorySource source = Histories.open(from, "parquet");
                HistoryWriter writer = Histories.create(file, format)) {
            source.forEachSlice(BadRowHandler.REJECT, slice -> writer.write(lastTouch.of(slice)));
            if (doubt != null) {
                writer.doubt(doubt);
            }
            writer.finish();
        }
    }

    private static void deleteFolder(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }

    /** Closes the archive; the parts remain unless they were merged. */
    @Override
    public void close() throws IOException {
        isOver = true;
        thread.interrupt();
        if (scratch != null) {
            scratch.close();
        }
    }
}
