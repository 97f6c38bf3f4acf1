package io.nightjar.jobs.join;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistoryColumn;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.history.ValueType;
import io.nightjar.formats.text.JsonItems;
import io.nightjar.jobs.spill.SpillFile;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import io.nightjar.pipeline.primitive.Mix;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The transactions of a log of changes on disk, found by the name that joins them with client transactions. */
final class CommitLog implements Closeable {

    /*
     * In memory a transaction is its offset in the file, the hash of its name, and the next one with that hash: 30
     * bytes.
     */

    /** The member with the database's name of a transaction, if the name is not a number. */
    private static final String NAME = "txn";

    private static final int NONE = -1;

    /**
     * A transaction of the log.
     *
     * @param number its ordinal
     * @param name the joining name
     * @param location of its row
     */
    record Commit(int number, String name, long commitTs, String location, List<Change> changes) {}

    /**
     * A change of a row.
     *
     * @param value null if the row was deleted
     */
    record Change(String key, @Nullable String value, long version) {}

    private final SpillFile file = new SpillFile(new SpillFile.Folders(
            List.of(Path.of(System.getProperty("java.io.tmpdir"))), "set TMPDIR to a folder with free space"));
    private final LongArrayList positionOf = new LongArrayList();
    private final IntArrayList nextOf = new IntArrayList();
    private final Long2IntOpenHashMap lastByHash = new Long2IntOpenHashMap();
    private final BitSet seen = new BitSet();
    private final ByteWriter row = new ByteWriter(1 << 12);
    private final byte[] scratch = new byte[1 << 16];

    private CommitLog() {
        lastByHash.defaultReturnValue(NONE);
    }

    static CommitLog read(HistorySource source, String column, BadRowHandler badRows) throws IOException {
        CommitLog log = new CommitLog();
        for (int split = 0; split < source.splits().size(); split++) {
            try (SliceReader reader = source.open(split, ColumnGroup.all(), badRows)) {
                for (HistorySlice slice = reader.next(); slice != null; slice = reader.next()) {
                    for (int txn = 0; txn < slice.txnCount; txn++) {
                        if (slice.status[txn] == TxnStatus.COMMITTED) {
                            log.add(slice, txn, column);
                        }
                    }
                }
            }
        }
        return log;
    }

    private void add(HistorySlice slice, int txn, String column) {
        String name = nameOf(slice.extra == null ? null : slice.extra[txn], slice.txnId[txn], column);
        long[] versions = slice.numbers(HistoryColumn.VERSION);
        row.clear();
        row.putString(name);
        row.putSigned(slice.commitTs == null ? HistorySlice.NONE : slice.commitTs[txn]);
        row.putString(slice.locationOf(txn) + " " + column + "=" + name);
        for (int op = slice.firstOpOf[txn]; op < slice.firstOpOf[txn + 1]; op++) {
            byte kind = slice.kind[op];
            if (OpKind.isWrite(kind)) {
                row.putByte(OpKind.hasValue(kind) ? 1 : 0);
                row.putString(key(slice, op));
                if (OpKind.hasValue(kind)) {
                    row.putString(value(slice, slice.value[op]));
                }
                row.putSigned(versions == null ? HistorySlice.NONE : versions[op]);
            }
        }
        nextOf.add(lastByHash.put(hash(name), positionOf.size()));
        positionOf.add(file.byteCount());
        file.append(row.bytes(), row.size());
    }

    /**
     * Returns the joining name of a transaction of the log: the member of this name that its source adds to the
     * columns, else its id.
     */
    static String nameOf(@Nullable String extra, long id, String column) {
        Object members = extra == null ? null : JsonItems.parse(extra);
        String named = JsonItems.text(JsonItems.member(members, column));
        String original = named != null ? named : JsonItems.text(JsonItems.member(members, NAME));
        return original != null ? original : Long.toString(id);
    }

    /** Returns the joining name of a transaction of a client; null if its row has none. */
    static @Nullable String nameOfClient(@Nullable String extra, long id, String column) {
        if (column.equals("txn_id") || column.equals(NAME)) {
            return Long.toString(id);
        }
        Object members = extra == null ? null : JsonItems.parse(extra);
        return JsonItems.text(JsonItems.member(members, column));
    }

    static String key(HistorySlice slice, int op) {
        return slice.keyType == ValueType.STRING
                ? slice.keyNames.get((int) slice.key[op])
                : Long.toString(slice.key[op]);
    }

    static String value(HistorySlice slice, long scalar) {
        return slice.valueType == ValueType.STRING ? slice.valueNames.get((int) scalar) : Long.toString(scalar);
    }

    // ---------------------------------------------------------------- finding

    int size() {
        return positionOf.size();
    }

    /** Returns a transaction by its number in the order of commits. */
    Commit get(int number) throws IOException {
        ByteReader from = file.frameAt(positionOf.getLong(number), scratch);
        String name = from.getString();
        long commit = from.getSigned();
        String location = from.getString();
        List<Change> changes = new ArrayList<>();
        while (!from.isEmpty()) {
            boolean hasValue = from.getByte() == 1;
            String key = from.getString();
            changes.add(new Change(key, hasValue ? from.getString() : null, from.getSigned()));
        }
        return new Commit(number, name, commit, location, changes);
    }

    /** Returns the last transaction of this name; null if the log does not have it. */
    @Nullable
    Commit find(@Nullable String name) throws IOException {
        int number = name == null ? NONE : lastByHash.get(hash(name));
        while (number != NONE) {
            Commit commit = get(number);
            if (commit.name().equals(name)) {
                return commit;
            }
            number = nextOf.getInt(number);
        }
        return null;
    }

    /** Notes that a client has recorded it. */
    void see(Commit commit) {
        seen.set(commit.number());
    }

    boolean isSeen(int number) {
        return seen.get(number);
    }

    static long hash(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        return Mix.hash(utf8, 0, utf8.length);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
