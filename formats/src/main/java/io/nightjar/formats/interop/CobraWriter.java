package io.nightjar.formats.interop;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistoryWriter;
import io.nightjar.formats.history.InputError;
import io.nightjar.formats.history.InputLocation;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.OpKind;
import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/**
 * Writes the logs of Cobra into a new directory, which appears when all of them are complete.
 *
 * <p>A read names the transaction that wrote the value. If the history does not name it, the writer is found by the
 * value; therefore the history is first buffered in memory.
 */
public final class CobraWriter implements HistoryWriter {

    private final Path directory;
    private final Path hidden;
    private final FormatLimits fit = new FormatLimits("cobra").committedOnly().signed();
    private final BufferedHistory history = new BufferedHistory();
    private final LongOpenHashSet keysOfTxn = new LongOpenHashSet();

    // Write ids are unique over the whole history.
    private final Long2LongOpenHashMap writerOf = new Long2LongOpenHashMap();
    private final Long2LongOpenHashMap keyOf = new Long2LongOpenHashMap();

    private boolean hasTimes = true;
    private boolean isDone;

    /** @throws IllegalArgumentException if the name exists already */
    public CobraWriter(Path directory) {
        if (Files.exists(directory)) {
            throw new IllegalArgumentException(
                    "output exists: path=%s; logs of Cobra go to a new directory".formatted(directory));
        }
        String suffix = UUID.randomUUID().toString().substring(0, 8);
        this.directory = directory;
        this.hidden = directory.resolveSibling("." + directory.getFileName() + "." + suffix + ".part");
        writerOf.defaultReturnValue(HistorySlice.NONE);
    }

    @Override
    public void write(HistorySlice slice) {
        for (int txn = 0; txn < slice.txnCount; txn++) {
            check(slice, txn);
            hasTimes &= slice.invokeNs != null && isTime(slice.invokeNs[txn]) && isTime(slice.completeNs[txn]);
        }
        history.add(slice);
    }

    @Override
    public void finish() throws IOException {
        if (history.size() == 0) {
            throw new MalformedHistoryException(
                    InputLocation.file(directory.toString()),
                    InputError.of("does not fit the format cobra")
                            .with("transactions=0")
                            .advise("a directory without logs is no history"));
        }
        history.sort();
        Files.createDirectory(hidden);
        for (int i = 0; i < history.size(); ) {
            int end = history.endOfSession(i);
            Path log = hidden.resolve("T" + history.session(i) + ".log");
            try (DataOutputStream out =
                    new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(log), 1 << 16))) {
                for (; i < end; i++) {
                    writeTxn(history.slice(i), history.txn(i), out);
                }
            }
        }
        Files.move(hidden, directory);
        isDone = true;
    }

    @Override
    public void close() throws IOException {
        if (isDone || !Files.exists(hidden)) {
            return;
        }
        try (DirectoryStream<Path> logs = Files.newDirectoryStream(hidden)) {
            for (Path log : logs) {
                Files.delete(log);
            }
        }
        Files.delete(hidden);
    }

    private void check(HistorySlice slice, int txn) {
        fit.check(slice, txn);
        if (slice.sessionId[txn] < 0) {
            throw fit.unfit(
                    slice, txn, "session_id=%d".formatted(slice.sessionId[txn]), "its sessions are counted from 0");
        }
        if (CobraRows.isInitial(slice.txnId[txn])) {
            throw fit.unfit(slice, txn, "is the number that it has for the initial state", "");
        }
        keysOfTxn.clear();
        for (int op = slice.firstOpOf[txn]; op < slice.firstOpOf[txn + 1]; op++) {
            boolean isWrite = slice.kind[op] == OpKind.WRITE;
            if (!isWrite && keysOfTxn.contains(slice.key[op])) {
                throw fit.unfit(
                        slice, txn, "key=%d read after an own write".formatted(slice.key[op]), "it has no such reads");
            }
            if (slice.kind[op] == OpKind.READ_NOTHING) {
                continue;
            }
            long value = slice.value[op];
            if (CobraRows.isInitial(value) || CobraRows.isEpochMark(value)) {
                throw fit.unfit(slice, txn, "value=%d".formatted(value), "the format reserves that number");
            }
            if (isWrite) {
                checkWrite(slice, txn, op);
            }
        }
    }

    private void checkWrite(HistorySlice slice, int txn, int op) {
        long key = slice.key[op];
        long value = slice.value[op];
        if (!keysOfTxn.add(key)) {
            throw fit.unfit(
                    slice, txn, "key=%d written twice".formatted(key), "it has one write a key and transaction");
        }
        long writer = writerOf.put(value, slice.txnId[txn]);
        keyOf.put(value, key);
        if (writer != HistorySlice.NONE) {
            throw fit.unfit(
                    slice,
                    txn,
                    "value=%d is written by txn_id=%d too".formatted(value, writer),
                    "its write ids are unique over the history");
        }
    }

    private static boolean isTime(long time) {
        return time >= 0 && time < CobraRows.TIME_LIMIT;
    }

    private void writeTxn(HistorySlice slice, int txn, DataOutputStream out) throws IOException {
        out.writeByte('S');
        out.writeLong(slice.txnId[txn]);
        if (hasTimes) {
            out.writeLong(slice.invokeNs[txn]);
        }
        for (int op = slice.firstOpOf[txn]; op < slice.firstOpOf[txn + 1]; op++) {
            long write = slice.kind[op] == OpKind.READ_NOTHING ? CobraRows.INITIAL : slice.value[op];
            if (slice.kind[op] == OpKind.WRITE) {
                out.writeByte('W');
            } else {
                out.writeByte('R');
                out.writeLong(write == CobraRows.INITIAL ? CobraRows.INITIAL : writer(slice, txn, op));
            }
            out.writeLong(write);
            out.writeLong(slice.key[op]);
            out.writeLong(write); // the hash of a value, which no reader uses
        }
        out.writeByte('C');
        out.writeLong(slice.txnId[txn]);
        if (hasTimes) {
            out.writeLong(slice.completeNs[txn]);
        }
    }

    private long writer(HistorySlice slice, int txn, int op) {
        if (slice.writerTxn != null && slice.writerTxn[op] != HistorySlice.NONE) {
            return slice.writerTxn[op];
        }
        long value = slice.value[op];
        long writer = writerOf.get(value);
        if (writer == HistorySlice.NONE || keyOf.get(value) != slice.key[op]) {
            throw fit.unfit(
                    slice,
                    txn,
                    "key=%d value=%d has no writer".formatted(slice.key[op], value),
                    "it has the writer of each read");
        }
        return writer;
    }
}
