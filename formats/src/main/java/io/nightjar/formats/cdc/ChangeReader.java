package io.nightjar.formats.cdc;

import io.nightjar.formats.history.BadRows;
import io.nightjar.formats.history.Column;
import io.nightjar.formats.history.HistoryColumn;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.Place;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.table.TxnGatherer;
import io.nightjar.formats.table.VersionCounter;
import io.nightjar.formats.text.BadRowException;
import io.nightjar.formats.text.JsonText;
import io.nightjar.formats.text.RowSink;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntArrays;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Makes transactions of the events of a log of changes, in the order of their commits: one by one where the log has each as a
 * whole, else all of them when everything has been read.
 */
final class ChangeReader implements SliceReader {

    /** The transaction that rows belong to which were there when the log began. */
    static final String SNAPSHOT = "snapshot";

    private static final String CUT = "cut ";

    private final List<Path> files;
    private final ChangeFormat format;
    private final ChangeFacts facts;
    private final RowSink sink;
    private final boolean isExtraWanted;
    private final ChangeOps ops;
    private final TxnGatherer txns = new TxnGatherer();
    private final VersionCounter versions = new VersionCounter();
    private final ChangeEvent event = new ChangeEvent();
    private final Map<String, Integer> txnOf = new HashMap<>();
    private final Map<String, Integer> ordinalOf = new HashMap<>();
    private final LongOpenHashSet identities = new LongOpenHashSet();

    // Transaction t of those being gathered.
    private final LongArrayList orderOf = new LongArrayList();
    private final LongArrayList suborderOf = new LongArrayList();
    private final LongArrayList countOf = new LongArrayList();
    private final IntArrayList eventsOf = new IntArrayList();
    private final IntArrayList isEnded = new IntArrayList();
    private final IntArrayList isCut = new IntArrayList();

    private int nextFile;
    private ChangeParser parser;
    private String open; // the transaction that events without a name belong to
    private long cutSeen;
    private long commits;
    private int[] sorted;
    private int emitted;

    ChangeReader(
            List<Path> files,
            ChangeFormat format,
            ChangeFacts facts,
            Set<Column> wanted,
            BadRows badRows,
            boolean rowsAreLines) {
        this.files = files;
        this.format = format;
        this.facts = facts;
        this.sink = new RowSink(wanted, badRows, rowsAreLines);
        this.isExtraWanted = wanted.contains(Column.EXTRA);
        this.ops = new ChangeOps(facts, txns);
        txns.countVersions(versions);
        facts.beginReading();
    }

    @Override
    public HistorySlice next() throws IOException {
        while (sorted == null) {
            if (parser == null && !openNext()) {
                sort();
                break;
            }
            if (!readEvent()) {
                endFile();
            }
            if (!sink.isEmpty() && (sink.isFull() || parser == null)) {
                return sink.take();
            }
        }
        while (emitted < sorted.length) {
            emit(sorted[emitted++]);
            if (sink.isFull()) {
                return sink.take();
            }
        }
        if (sink.isEmpty()) {
            facts.endReading();
            return null;
        }
        return sink.take();
    }

    private boolean openNext() throws IOException {
        if (nextFile == files.size()) {
            return false;
        }
        Path file = files.get(nextFile);
        if (nextFile == 0 || format.isFramed()) {
            sink.beginFile(file.toString());
        }
        nextFile++;
        try {
            parser = format.open(file);
        } catch (BadRowException notOne) {
            throw new MalformedHistoryException(Place.file(file.toString()), notOne.getMessage(), notOne);
        }
        return true;
    }

    private void endFile() throws IOException {
        parser.close();
        parser = null;
        if (format.isFramed() && nextFile == files.size()) {
            for (int txn = 0; txn < txns.size(); txn++) {
                emit(txn);
            }
            forgetTxns();
        }
    }

    private boolean readEvent() throws IOException {
        String file = files.get(nextFile - 1).toString();
        try {
            if (!parser.advance(event)) {
                return false;
            }
            take();
            return true;
        } catch (BadRowException bad) {
            if (parser.isLost()) {
                throw sink.malformed(file, parser.row(), bad.getMessage(), bad);
            }
            sink.refuseLine(file, parser.row(), bad.getMessage(), parser.raw());
            return true;
        }
    }

    private void take() {
        switch (event.type) {
            case BEGIN -> {
                open = event.txn == null ? "#" + (ordinalOf.size() + 1) : event.txn;
                txn(open);
            }
            case WRITE, DELETE -> change();
            case COMMIT, ABORT -> end();
            case NOTHING -> {
                return;
            }
        }
    }

    private void change() {
        String name = event.txn != null ? event.txn : open != null ? open : cut();
        if (event.identity != null && !identities.add(hash(name + ' ' + event.identity))) {
            facts.duplicate(place());
            return;
        }
        int txn = txn(name);
        ops.add(txn, event);
        eventsOf.set(txn, eventsOf.getInt(txn) + 1);
        takeTimes(txn);
    }

    /** Changes without a beginning: the log begins in the middle of a transaction, which ends with the next commit. */
    private String cut() {
        cutSeen++;
        open = CUT + cutSeen;
        return open;
    }

    private void end() {
        String name =
                event.txn != null && format.isFramed() && open != null ? open : event.txn != null ? event.txn : open;
        if (name == null) {
            name = cut();
        }
        int txn = txn(name);
        isEnded.set(txn, 1);
        countOf.set(txn, event.count);
        takeTimes(txn);
        if (event.type == ChangeEvent.Type.ABORT) {
            txns.status(txn, TxnStatus.ABORTED);
        }
        if (format.isFramed()) {
            emit(txn);
            forgetTxns();
            open = null;
        }
    }

    private void takeTimes(int txn) {
        if (event.order != HistorySlice.NONE) {
            orderOf.set(txn, event.order);
        }
        if (orderOf.getLong(txn) == HistorySlice.NONE || event.suborder != 0) {
            suborderOf.set(txn, Math.max(suborderOf.getLong(txn), event.suborder));
        }
        if (event.start != HistorySlice.NONE) {
            txns.numbers(HistoryColumn.START_TS).set(txn, event.start);
        }
        if (event.commit != HistorySlice.NONE) {
            txns.numbers(HistoryColumn.COMMIT_TS).set(txn, event.commit);
        }
        if (isExtraWanted && event.extraName != null) {
            String member = JsonText.quoted(event.extraName) + ":" + JsonText.quoted(event.extraText);
            String before = txns.extra(txn);
            boolean hasIt = before != null && before.contains(JsonText.quoted(event.extraName) + ":");
            if (!hasIt) {
                txns.extra(
                        txn,
                        before == null
                                ? "{" + member + "}"
                                : before.substring(0, before.length() - 1) + "," + member + "}");
            }
        }
    }

    // ---------------------------------------------------------------- transactions

    private int txn(String name) {
        Integer known = txnOf.get(name);
        if (known != null) {
            return known;
        }
        long id = id(name);
        int txn = txns.begin(parser.row(), id, session(id, name));
        txnOf.put(name, txn);
        orderOf.add(HistorySlice.NONE);
        suborderOf.add(0);
        countOf.add(HistorySlice.NONE);
        eventsOf.add(0);
        isEnded.add(0);
        isCut.add(name.startsWith(CUT) ? 1 : 0);
        if (isExtraWanted && !facts.areIdsIntegers()) {
            txns.extra(txn, "{\"txn\":" + JsonText.quoted(name) + "}");
        }
        return txn;
    }

    private long id(String name) {
        if (facts.areIdsIntegers()) {
            if (name.equals(SNAPSHOT)) {
                return 0;
            }
            if (name.startsWith(CUT)) {
                return -cutSeen;
            }
            return Long.parseLong(name);
        }
        return 1L + ordinalOf.computeIfAbsent(name, unseen -> ordinalOf.size());
    }

    /** The connection where the log says it; else each transaction has a session of its own, so that no order is made up. */
    private long session(long id, String name) {
        if (!facts.hasSessions()) {
            return id;
        }
        return event.session == null || name.equals(SNAPSHOT) ? -1 : Long.parseLong(event.session);
    }

    private void forgetTxns() {
        txns.clear();
        txnOf.clear();
        orderOf.clear();
        suborderOf.clear();
        countOf.clear();
        eventsOf.clear();
        isEnded.clear();
        isCut.clear();
    }

    /** Everything has been read: what is left is handed on in the order of commits. */
    private void sort() {
        sorted = new int[txns.size()];
        for (int txn = 0; txn < sorted.length; txn++) {
            sorted[txn] = txn;
        }
        IntArrays.mergeSort(sorted, (left, right) -> {
            int byOrder = Long.compare(order(left), order(right));
            return byOrder != 0 ? byOrder : Long.compare(suborderOf.getLong(left), suborderOf.getLong(right));
        });
    }

    /** What was there before comes first, what was cut last. */
    private long order(int txn) {
        if (isSnapshot(txn)) {
            return Long.MIN_VALUE;
        }
        if (!facts.hasOrders()) {
            return suborderOf.getLong(txn);
        }
        long order = orderOf.getLong(txn);
        return order == HistorySlice.NONE ? Long.MAX_VALUE : order;
    }

    private void emit(int txn) {
        boolean isFrameMissing = format.isFramed() && isEnded.getInt(txn) == 0;
        boolean isEndMissing = facts.hasEnds() && isEnded.getInt(txn) == 0 && !isSnapshot(txn);
        if (isFrameMissing || isEndMissing || isCut.getInt(txn) == 1) {
            txns.status(txn, TxnStatus.UNKNOWN);
            facts.cut(Place.line(files.get(0).toString(), txns.row(txn)) + " txn_id=" + txns.id(txn));
        }
        long expected = countOf.getLong(txn);
        if (expected != HistorySlice.NONE && expected != eventsOf.getInt(txn)) {
            facts.miscounted("txn_id=" + txns.id(txn) + " events=" + eventsOf.getInt(txn) + " expected=" + expected);
        }
        if (txns.status(txn) == TxnStatus.COMMITTED
                && txns.numbers(HistoryColumn.COMMIT_TS).getLong(txn) == HistorySlice.NONE) {
            txns.numbers(HistoryColumn.COMMIT_TS).set(txn, ++commits);
        }
        txns.emit(txn, sink);
    }

    private boolean isSnapshot(int txn) {
        Integer snapshot = txnOf.get(SNAPSHOT);
        return snapshot != null && snapshot == txn;
    }

    private String place() {
        return Place.line(files.get(nextFile - 1).toString(), parser.row());
    }

    private static long hash(String text) {
        long hash = 1125899906842597L;
        for (int i = 0; i < text.length(); i++) {
            hash = 31 * hash + text.charAt(i);
        }
        return hash * 0x9E3779B97F4A7C15L ^ hash >>> 29;
    }

    @Override
    public void close() throws IOException {
        if (parser != null) {
            parser.close();
            parser = null;
        }
    }
}
