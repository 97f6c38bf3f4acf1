package io.nightjar.jobs.mock;

import io.nightjar.formats.file.IncompleteRecording;
import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.HistoryWriter;
import io.nightjar.formats.registry.Histories;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Archive file that is a valid history at any time: each finished transaction is appended as a whole line, and until
 * the archive is finished its first line marks it as incomplete. An archive of another format is a directory with such
 * a part file until then.
 */
public final class MockArchive implements Closeable {

    private static final String JSON_LINES = ".jsonl";
    private static final String PART = "part-00000.jsonl";
    private static final String MANIFEST = "_manifest.json";
    private static final String TXN = "{\"txn\":";

    private final Path out;
    private final Path part;
    private final ArchivedLine line = new ArchivedLine();
    private @Nullable FileChannel channel;
    private long good;
    private long txnCount;
    private long committed;
    private long aborted;
    private @Nullable IOException failure;

    /** Transactions that write the initial contents, where searches are archived. */
    private final LongArrayList loaders = new LongArrayList();

    private MockArchive(Path out, Path part) {
        this.out = out;
        this.part = part;
    }

    /** Creates an archive at this path. */
    public static MockArchive of(Path out) {
        boolean isText = out.getFileName().toString().endsWith(JSON_LINES);
        return new MockArchive(out, isText ? out : out.resolve(PART));
    }

    /** Returns whether a folder is an unfinished archive. */
    public static boolean isUnfinished(Path folder) {
        return Files.isDirectory(folder)
                && Files.exists(folder.resolve(MANIFEST))
                && Files.exists(folder.resolve(PART));
    }

    /** Creates the file, replacing any file of this name. */
    public void begin() throws IOException {
        if (!part.equals(out)) {
            if (isUnfinished(out)) {
                openLocked().close();
                Files.delete(out.resolve(PART));
                Files.delete(out.resolve(MANIFEST));
            }
            Files.deleteIfExists(out);
            Files.createDirectory(out);
            Files.writeString(out.resolve(MANIFEST), "{\"schema\":1,\"complete\":false}\n");
        }
        FileChannel begun = openLocked();
        channel = begun;
        begun.truncate(0);
        begun.write(ByteBuffer.wrap(IncompleteRecording.mark()));
        good = begun.position();
    }

    /** Returns the open file. */
    private FileChannel channel() {
        return Objects.requireNonNull(channel);
    }

    /** Opens the file and locks it against other servers. */
    private FileChannel openLocked() throws IOException {
        FileChannel file = FileChannel.open(part, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        if (!isLocked(file)) {
            file.close();
            throw new IOException("another server writes this archive: --history=" + out
                    + "; give another name, or stop that server first");
        }
        return file;
    }

    private static boolean isLocked(FileChannel file) throws IOException {
        try {
            return file.tryLock() != null;
        } catch (OverlappingFileLockException ours) {
            return false;
        }
    }

    public Path out() {
        return out;
    }

    /** Returns the number of archived client transactions. */
    public long txnCount() {
        return txnCount;
    }

    public long committed() {
        return committed;
    }

    public long aborted() {
        return aborted;
    }

    /** Returns the reason why archiving stopped, null if it works. */
    public @Nullable IOException failure() {
        return failure;
    }

    /** Archives searches, deletions, and initial contents as writes from now on; null archives objects only. */
    void keepTables(@Nullable MockStore ofStore) {
        line.keepTables(ofStore);
    }

    /** Stops archiving for this reason; archived transactions remain. */
    public void abandon(IOException reason) {
        failure = failure == null ? reason : failure;
    }

    /** Appends a transaction, or records the failure to do so. */
    void add(ArchivedTxn txn) {
        if (line.tables() != null) {
            declare(txn, line.tables());
        }
        append(txn);
        if (failure == null) {
            txnCount++;
            committed += "committed".equals(txn.status) ? 1 : 0;
            aborted += "aborted".equals(txn.status) ? 1 : 0;
        }
    }

    /**
     * Adds a transaction that precedes all others and writes the initial contents which this transaction read first.
     */
    private void declare(ArchivedTxn txn, MockStore tables) {
        List<ArchivedTxn.Op> fresh = new ArrayList<>();
        for (ArchivedTxn.Op op : txn.ops) {
            for (ArchivedTxn.Op row :
                    op.search() == null ? List.of(op) : op.search().rows()) {
                boolean wasThere = row.version() == null || row.isWrite();
                if (wasThere && row.initial() != null && !row.initial().declare()) {
                    fresh.add(row);
                }
            }
        }
        if (!fresh.isEmpty()) {
            ArchivedTxn loader = tables.newLoader();
            for (ArchivedTxn.Op op : fresh) {
                InitialRow found = Objects.requireNonNull(op.initial());
                RowVersion version = new RowVersion(0, loader.id, found.content(), found.text(tables));
                loader.ops.add(new ArchivedTxn.Op(true, op.object(), op.name(), version, null, null));
            }
            loader.client = "initial state";
            loader.status = "committed";
            loaders.add(loader.id);
            append(loader);
        }
    }

    private void append(ArchivedTxn txn) {
        if (failure != null) {
            return;
        }
        try {
            ByteBuffer bytes = ByteBuffer.wrap(line.of(txn));
            while (bytes.hasRemaining()) {
                channel().write(bytes);
            }
            good += bytes.limit();
        } catch (IOException full) {
            IOException why = new IOException(
                    "the archive cannot be written: file=" + part + " reason=" + full.getMessage()
                            + "; it contains earlier transactions: transactions=" + txnCount,
                    full);
            failure = why;
            cutBack(why);
        }
    }

    private void cutBack(IOException why) {
        try {
            channel().truncate(good);
        } catch (IOException alsoFull) {
            why.addSuppressed(alsoFull);
        }
    }

    /** Completes the archive: adds timestamps if any exist, and converts it to its format. */
    void finish(@Nullable Long2ObjectOpenHashMap<long[]> timestamps) throws IOException {
        if (failure != null) {
            throw failure;
        }
        try {
            makeWhole(timestamps);
        } catch (IOException full) {
            throw new IOException(
                    "the archive cannot be finished: file=" + out + " reason=" + full.getMessage()
                            + "; it keeps all that ended, as one whose server was killed does: transactions="
                            + txnCount,
                    full);
        }
    }

    private void makeWhole(@Nullable Long2ObjectOpenHashMap<long[]> timestamps) throws IOException {
        boolean isText = part.equals(out);
        if (timestamps == null && isText) {
            channel().write(ByteBuffer.wrap(IncompleteRecording.endMark()), 0);
            channel().close();
            return;
        }
        channel().close();
        Path dated = out.toAbsolutePath().resolveSibling("." + out.getFileName() + ".dated" + JSON_LINES);
        try {
            addTimestamps(dated, timestamps);
            if (isText) {
                Files.move(dated, out, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
                return;
            }
            convert(dated);
        } finally {
            Files.deleteIfExists(dated);
        }
    }

    private void addTimestamps(Path to, @Nullable Long2ObjectOpenHashMap<long[]> timestamps) throws IOException {
        long shift = 2L * loaders.size();
        for (int loader = 0; timestamps != null && loader < loaders.size(); loader++) {
            timestamps.put(loaders.getLong(loader), new long[] {2L * loader + 1 - shift, 2L * loader + 2 - shift});
        }
        try (BufferedReader lines = Files.newBufferedReader(part, StandardCharsets.UTF_8);
                BufferedWriter writer = Files.newBufferedWriter(to, StandardCharsets.UTF_8)) {
            for (String text = lines.readLine(); text != null; text = lines.readLine()) {
                long[] times = timestamps == null || !text.startsWith(TXN)
                        ? null
                        : timestamps.get(Long.parseLong(text.substring(TXN.length(), text.indexOf(','))));
                String finished = ArchivedLine.finished(text.isBlank() ? "" : text); // without the mark
                if (times == null) {
                    writer.write(finished);
                } else {
                    writer.write(finished, 0, finished.length() - 1);
                    writer.write(",\"start\":" + (shift + times[0]) + ",\"commit\":" + (shift + times[1]) + "}");
                }
                writer.write('\n');
            }
        }
    }

    private void convert(Path dated) throws IOException {
        Path whole = out.resolveSibling(".whole-" + out.getFileName());
        try (HistorySource source = Histories.open(dated, "jsonl");
                HistoryWriter writer = Histories.create(whole, null)) {
            source.forEachSlice(BadRowHandler.REJECT, writer::write);
            writer.finish();
        } catch (IOException full) {
            Files.deleteIfExists(whole);
            throw full;
        }
        Files.delete(part);
        Files.delete(out.resolve(MANIFEST));
        Files.delete(out);
        Files.move(whole, out, StandardCopyOption.ATOMIC_MOVE);
    }

    @Override
    public void close() throws IOException {
        if (channel != null) {
            channel.close();
        }
    }
}
