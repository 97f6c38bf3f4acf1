package io.nightjar.jdbc;

import io.nightjar.jdbc.RecordedTable.RowImage;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.SQLException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The folder of a recording: part files with one transaction per line, and a manifest that records whether they are
 * complete.
 */
final class JdbcArchive {

    /*
     * A transaction is written as one line when it ends, so a killed process leaves all that had ended. The manifest
     * contains "complete" as long as no connection is open: an application that closes its pool leaves a complete
     * recording, and so does one whose process ends in order.
     *
     * A disk error ends the recording and not the application.
     */

    private static final System.Logger LOG = System.getLogger("io.nightjar.jdbc");
    private static final String MANIFEST = "_manifest.json";
    private static final long BYTES_OF_A_PART = 256L << 20;
    private static final long LOADER_SESSION = 0;
    private static final String LOADER_HEAD =
            ",\"session\":" + LOADER_SESSION + ",\"seq\":0,\"status\":\"committed\",\"ops\":[";
    private static final String LOADER_TAIL = "],\"extra\":{\"initial\":true}}\n";

    private final Path folder;
    private final long maxBytes;
    private final AtomicLong loads = new AtomicLong();
    private final AtomicLong txns = new AtomicLong();
    private final AtomicLong sessions = new AtomicLong(LOADER_SESSION);
    private final XminIndex writers = new XminIndex();
    private final CausalOrderBuffer order = new CausalOrderBuffer(this::write);
    private final Map<String, String> notRecorded = new LinkedHashMap<>(); // tables, and why
    private final Set<String> remarks = new LinkedHashSet<>();
    private final Instant since = Instant.now();
    private String database = "";
    private @Nullable RandomAccessFile part; // no channel: an interrupt of the application would close it
    private int partCount;
    private long bytesOfPart;
    private long written;
    private long loaderTxn; // 0 without rows from before
    private long loaderBytes; // its length at the beginning of the first part
    private int connections;
    private boolean isEnded;
    private volatile boolean isBroken;

    /** Begins a recording in a folder that does not exist yet, or is empty. */
    JdbcArchive(Path folder) throws SQLException {
        this(folder, BYTES_OF_A_PART);
    }

    /** @param maxBytes of a part of it, if it has more than one line */
    JdbcArchive(Path folder, long maxBytes) throws SQLException {
        this.folder = folder;
        this.maxBytes = maxBytes;
        try {
            Files.createDirectories(folder);
            try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
                if (files.iterator().hasNext()) {
                    throw RecordingAddress.refused("archive exists: folder=" + folder
                            + "; remove it or name another one, {pid} and {time} in the name make it new each time");
                }
            }
            nextPart();
            writeManifest();
        } catch (IOException e) {
            throw new SQLException("[jdbc:nightjar] cannot write the archive: folder=" + folder + " reason=" + e, e);
        }
    }

    XminIndex writers() {
        return writers;
    }

    boolean isBroken() {
        return isBroken;
    }

    long nextTxn() {
        return txns.incrementAndGet();
    }

    long nextSession() {
        return sessions.incrementAndGet();
    }

    // ---------------------------------------------------------------- connections

    synchronized void database(String name) {
        database = name;
        manifestChanged();
    }

    synchronized void opened() {
        connections++;
        if (connections == 1) {
            manifestChanged();
        }
    }

    synchronized void closed() {
        connections--;
        if (connections == 0) {
            manifestChanged();
        }
    }

    /** Completes the archive when the process ends. */
    synchronized void end() {
        boolean isReported = connections == 0 && order.waitingCount() == 0;
        isEnded = true;
        order.endAll();
        if (!isReported) {
            manifestChanged();
        }
        closePart();
    }

    // ---------------------------------------------------------------- rows from before

    /** Begins to load rows, which the loader has once that is closed. */
    LoadedRows load() {
        return new LoadedRows(this, folder.resolve(".rows-" + loads.incrementAndGet()));
    }

    /** Returns the loader's id. */
    synchronized long loaderTxn() {
        if (loaderTxn == 0) {
            loaderTxn = nextTxn();
        }
        return loaderTxn;
    }

    /**
     * Writes rows from before the recording as a committed transaction of a separate session.
     *
     * @param rows operations, each with a comma in front
     */
    synchronized void addToLoader(RandomAccessFile rows) throws IOException {
        if (isBroken) {
            return;
        }
        Path first = folder.resolve(partName(0));
        Path hidden = folder.resolve("." + partName(0));
        long bytes;
        try (RandomAccessFile old = new RandomAccessFile(first.toFile(), "r");
                RandomAccessFile copy = new RandomAccessFile(hidden.toFile(), "rw")) {
            if (loaderBytes == 0) {
                write("\n{\"txn\":" + loaderTxn() + LOADER_HEAD, copy);
                rows.seek(1);
                old.seek(1);
            } else {
                copy(old, 1 + loaderBytes - LOADER_TAIL.length(), copy);
                old.seek(1 + loaderBytes);
            }
            copy(rows, rows.length() - rows.getFilePointer(), copy);
            write(LOADER_TAIL, copy);
            bytes = copy.length() - 1;
            copy(old, old.length() - old.getFilePointer(), copy);
        }
        boolean isOpen = partCount == 1;
        if (isOpen) {
            closePart();
        }
        Files.move(hidden, first, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        written += loaderBytes == 0 ? 1 : 0;
        loaderBytes = bytes;
        if (isOpen) {
            RandomAccessFile next = new RandomAccessFile(first.toFile(), "rw");
            part = next;
            bytesOfPart = next.length();
            next.seek(bytesOfPart);
        }
    }

    private static void write(String text, RandomAccessFile to) throws IOException {
        to.write(text.getBytes(StandardCharsets.UTF_8));
    }

    private static void copy(RandomAccessFile from, long count, RandomAccessFile to) throws IOException {
        byte[] buffer = new byte[1 << 16];
        for (long left = count; left > 0; ) {
            int length = (int) Math.min(left, buffer.length);
            from.readFully(buffer, 0, length);
            to.write(buffer, 0, length);
            left -= length;
        }
    }

    private static String partName(int number) {
        return "part-%05d.jsonl".formatted(number);
    }

    // ---------------------------------------------------------------- transactions

    synchronized void isAtWork(JdbcTxn txn, RecordedTable table) {
        order.isAtWork(txn, table);
    }

    synchronized void wrote(JdbcTxn txn, RowImage row) {
        order.wrote(txn, row);
    }

    synchronized void read(JdbcTxn txn, RecordedTable table, RowImage row) {
        order.read(txn, table, row);
    }

    /** Records that a transaction found a row of unknown content by its key. */
    synchronized void found(JdbcTxn txn, RecordedTable table, String key) {
        order.found(txn, table, key);
    }

    synchronized void ended(JdbcTxn txn) {
        order.end(txn);
    }

    private void write(JdbcTxn txn) {
        try {
            append(txn.line());
        } catch (SQLException unreadable) {
            fail("a value cannot be read: " + unreadable.getMessage());
        }
    }

    private void append(String line) {
        RandomAccessFile to = part;
        if (isBroken || to == null) {
            return;
        }
        byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
        try {
            if (bytesOfPart + bytes.length > maxBytes && bytesOfPart > 1) {
                to = nextPart();
                writeManifest();
            }
            to.write(bytes);
            bytesOfPart += bytes.length;
            written++;
        } catch (IOException full) {
            cutBack();
            fail("cannot write: " + full.getMessage());
        }
    }

    /** Takes half a line back, if a part was begun that may have one. */
    private void cutBack() {
        try {
            if (part != null) {
                part.setLength(bytesOfPart);
            }
        } catch (IOException stillThere) {
            LOG.log(System.Logger.Level.DEBUG, "half a line is left", stillThere);
        }
    }

    private RandomAccessFile nextPart() throws IOException {
        closePart();
        Path file = Files.createFile(folder.resolve(partName(partCount++)));
        RandomAccessFile next = new RandomAccessFile(file.toFile(), "rw");
        part = next;
        bytesOfPart = 0;
        next.write('\n'); // a file without a byte would be no history
        bytesOfPart = 1;
        return next;
    }

    private void closePart() {
        try {
            if (part != null) {
                part.close();
            }
        } catch (IOException e) {
            fail("cannot close: " + e.getMessage());
        }
        part = null;
    }

    /** Ends the recording; the application continues. */
    synchronized void fail(String why) {
        if (!isBroken) {
            isBroken = true;
            LOG.log(
                    System.Logger.Level.WARNING,
                    "recording stopped, the application continues: folder=" + folder + " reason=" + why);
        }
    }

    // ---------------------------------------------------------------- the manifest

    synchronized void notRecorded(String table, String why) {
        notRecorded.put(table, why);
        LOG.log(System.Logger.Level.WARNING, "table is not recorded: table=" + table + " reason=" + why);
        manifestChanged();
    }

    /** Records a remark on the recording as a whole, once. */
    synchronized void remark(String what) {
        if (remarks.add(what)) {
            LOG.log(System.Logger.Level.WARNING, what);
            manifestChanged();
        }
    }

    private void manifestChanged() {
        if (isBroken) {
            return;
        }
        try {
            writeManifest();
        } catch (IOException full) {
            fail("cannot write: " + full.getMessage());
        }
    }

    private void writeManifest() throws IOException {
        StringBuilder json = new StringBuilder("{\n  \"schema\" : 1,\n  \"complete\" : ");
        json.append((connections == 0 && partCount > 0 && written > 0 || isEnded) && order.waitingCount() == 0);
        put("made_by", "nightjar-jdbc", json);
        put("database", database, json);
        put("started_at", since.toString(), json);
        put("written_at", Instant.now().toString(), json);
        json.append(",\n  \"not_recorded\" : {");
        boolean isFirst = true;
        for (Map.Entry<String, String> table : notRecorded.entrySet()) {
            ColumnJson.putText(table.getKey(), json.append(isFirst ? "" : ", "));
            ColumnJson.putText(table.getValue(), json.append(" : "));
            isFirst = false;
        }
        json.append("},\n  \"remarks\" : [");
        isFirst = true;
        for (String remark : remarks) {
            ColumnJson.putText(remark, json.append(isFirst ? "" : ", "));
            isFirst = false;
        }
        json.append("]\n}\n");
        Path hidden = folder.resolve("." + MANIFEST);
        Files.writeString(hidden, json);
        Files.move(
                hidden, folder.resolve(MANIFEST), StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    private static void put(String name, String value, StringBuilder json) {
        ColumnJson.putText(name, json.append(",\n  "));
        ColumnJson.putText(value, json.append(" : "));
    }
}
