package io.nightjar.formats.cdc;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistoryColumn;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.InputLocation;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.table.TxnAccumulator;
import io.nightjar.formats.table.VersionCounter;
import io.nightjar.formats.text.JsonText;
import io.nightjar.formats.text.RowSliceBuilder;
import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Assembles transactions from the events of a log of changes, in commit order: directly if the log contains each
 * transaction as a whole, otherwise through a {@link CommitSorter}.
 */
final class ChangeReader implements SliceReader {

    /** Name of the transaction of rows that existed when the log began. */
    static final String SNAPSHOT = "snapshot";

    /** Name prefix of transactions whose start precedes the beginning of the log. */
    static final String CUT = "cut ";

    private static final int NONE = -1;

    private final String uri;
    private final List<Path> files;
    private final ChangeFormat format;
    private final ChangeFacts facts;
    private final RowSliceBuilder sink;
    private final boolean isExtraWanted;
    private final EventFiles events;
    private final @Nullable CommitSorter sorter; // null if the log is in commit order
    private final TxnAccumulator txn = new TxnAccumulator();
    private final Long2LongOpenHashMap ordinalOf = new Long2LongOpenHashMap(); // ordinal by hash of the name
    private final DecodedChange record = new DecodedChange();
    private final Set<String> identities = new HashSet<>();

    // The transaction being assembled, the only one.
    private @Nullable String name; // null if none
    private int file;
    private long count;
    private long gathered;
    private boolean isEnded;
    private boolean isBeginMissing;

    private int sliceFile = NONE;
    private @Nullable HistorySlice full; // to be returned before any other slice
    private boolean isSorted;
    private boolean isAtEnd;
    private long commits;
    private long ordinals;

    ChangeReader(
            ChangeSource source,
            ChangeFacts facts,
            Set<ColumnGroup> wanted,
            BadRowHandler badRows,
            boolean rowsAreLines) {
        this.uri = source.uri();
        this.files = source.files();
        this.format = source.changeFormat();
        this.facts = facts;
        this.sink = new RowSliceBuilder(wanted, badRows, rowsAreLines);
        this.isExtraWanted = wanted.contains(ColumnGroup.EXTRA);
        this.events = new EventFiles(files, format, facts, sink);
        this.sorter = format.isFramed() ? null : new CommitSorter(uri, facts.hasOrders(), source.bufferBytes());
        txn.countVersions(new VersionCounter());
        facts.beginReading();
    }

    @Override
    public @Nullable HistorySlice next() throws IOException {
        if (sorter != null && !isSorted) {
            while (events.next(record)) {
                sorter.add(record);
            }
            isSorted = true;
        }
        ChangeRecords records = sorter == null ? events : sorter;
        while (full == null && !isAtEnd) {
            if (records.next(record)) {
                take();
            } else {
                isAtEnd = true;
                endTxn();
                facts.endReading();
            }
        }
        HistorySlice next = full;
        full = null;
        if (next == null && !sink.isEmpty()) {
            next = sink.take();
        }
        return next;
    }

    private void take() {
        if (!requireNonNull(record.txn).equals(name)) {
            endTxn();
            beginTxn();
        }
        switch (record.type) {
            case WRITE, DELETE -> change();
            case COMMIT -> isEnded = true;
            case ABORT -> {
                isEnded = true;
                txn.status(TxnStatus.ABORTED);
            }
            case BEGIN, NOTHING -> {
                // the transaction exists without operations
            }
        }
        takeTimes();
        if (isEnded) {
            count = record.count;
        }
        if (isEnded && format.isFramed()) {
            endTxn();
        }
    }

    private void change() {
        if (record.identity != null && !identities.add(record.identity)) {
            facts.duplicate(location(record.file, record.row));
            return;
        }
        record.addTo(txn);
        gathered++;
    }

    private void takeTimes() {
        if (record.start != HistorySlice.NONE) {
            txn.number(HistoryColumn.START_TS, record.start);
        }
        if (record.commit != HistorySlice.NONE) {
            txn.number(HistoryColumn.COMMIT_TS, record.commit);
        }
        if (isExtraWanted && record.extraName != null) {
            String member = JsonText.quoted(record.extraName) + ":" + JsonText.quoted(requireNonNull(record.extraText));
            String before = txn.extra();
            boolean hasIt = before != null && before.contains(JsonText.quoted(record.extraName) + ":");
            if (!hasIt) {
                txn.extra(
                        before == null
                                ? "{" + member + "}"
                                : before.substring(0, before.length() - 1) + "," + member + "}");
            }
        }
    }

    // ---------------------------------------------------------------- transactions

    private void beginTxn() {
        name = record.txn;
        file = record.file;
        count = HistorySlice.NONE;
        gathered = 0;
        isEnded = false;
        isBeginMissing = format.isFramed() && record.type != ChangeEvent.Type.BEGIN;
        identities.clear();
        long id = id(requireNonNull(name));
        txn.begin(format.isFramed() || files.size() == 1 ? record.row : ordinals, id, session(id));
        if (!facts.hasSessions()) {
            txn.number(HistoryColumn.SESSION_SEQ, 0);
        }
        if (isExtraWanted && !facts.areIdsIntegers()) {
            txn.extra("{\"txn\":" + JsonText.quoted(requireNonNull(name)) + "}");
        }
    }

    private long id(String of) {
        ordinals++;
        if (!facts.areIdsIntegers()) {
            // In a sorted log each name is unique; if an ordered log repeats a name, the id distinguishes the
            // transactions.
            return sorter == null ? ordinalOf.computeIfAbsent(hash(of), unseen -> ordinals) : ordinals;
        }
        if (of.equals(SNAPSHOT)) {
            return 0;
        }
        return of.startsWith(CUT) ? -Long.parseLong(of.substring(CUT.length())) : Long.parseLong(of);
    }

    /**
     * Returns the connection if the log states it; otherwise each transaction has a separate session, so that no order
     * is invented.
     */
    private long session(long id) {
        if (!facts.hasSessions()) {
            return id;
        }
        return record.session == null || SNAPSHOT.equals(name) ? -1 : Long.parseLong(record.session);
    }

    private void endTxn() {
        if (name == null) {
            return;
        }
        boolean isEndMissing = (format.isFramed() || facts.hasEnds() && !name.equals(SNAPSHOT)) && !isEnded;
        if (isBeginMissing || isEndMissing || name.startsWith(CUT)) {
            txn.status(TxnStatus.UNKNOWN);
            facts.cut(location(file, txn.row()) + " txn_id=" + txn.id());
        }
        if (count != HistorySlice.NONE && count != gathered) {
            facts.miscounted("txn_id=" + txn.id() + " events=" + gathered + " expected=" + count);
        }
        if (txn.status() == TxnStatus.COMMITTED && txn.number(HistoryColumn.COMMIT_TS) == HistorySlice.NONE) {
            txn.number(HistoryColumn.COMMIT_TS, ++commits);
        }
        emit();
        name = null;
    }

    private void emit() {
        int of = format.isFramed() ? file : 0;
        if (of != sliceFile) {
            full = sink.isEmpty() ? null : sink.take();
            sink.beginFile(
                    format.isFramed() || files.size() == 1 ? files.get(of).toString() : uri);
            sliceFile = of;
        }
        txn.emit(sink);
        if (full == null && sink.isFull()) {
            full = sink.take();
        }
    }

    private String location(int inFile, long row) {
        return InputLocation.line(files.get(inFile).toString(), row).toString();
    }

    private static long hash(String text) {
        long hash = text.length();
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * 0x9E3779B97F4A7C15L;
            hash ^= hash >>> 29;
        }
        return hash;
    }

    @Override
    public void close() throws IOException {
        events.close();
        if (sorter != null) {
            sorter.close();
        }
    }
}
