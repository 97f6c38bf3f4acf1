package io.nightjar.jobs.join;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistoryColumn;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.HistoryWriter;
import io.nightjar.formats.history.InputError;
import io.nightjar.formats.history.InputLocation;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SliceBuilder;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.history.ValueType;
import io.nightjar.formats.text.JsonText;
import io.nightjar.jobs.join.CommitLog.Change;
import io.nightjar.jobs.join.CommitLog.Commit;
import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Joins the observations of clients and the commit order of the database into one history.
 *
 * <p>A transaction of a client keeps its session, operations and times. If the log contains it, it is committed,
 * independently of the status that the client recorded; it gets the rank of its commit and its writes their versions,
 * and so do reads of values that were written once according to the log. Transactions that only the log contains
 * follow, in separate sessions. The log is stored on disk; memory holds 30 bytes a transaction and 25 a change, and 20
 * more a key if clients name keys without their tables.
 */
public final class CommitJoin {

    /** The version of a value that was written twice, or never. */
    private static final long NONE = HistorySlice.NONE;

    private final HistorySource reads;
    private final HistorySource commits;
    private final String column;
    private final BadRowHandler badRows;
    private final CommitLog log;
    private final RowMapping mapping = new RowMapping();
    private final JoinReport report = new JoinReport();
    private final Long2LongOpenHashMap versionOf = new Long2LongOpenHashMap(); // by a hash of key and value
    private ValueType keyType = ValueType.NONE;
    private ValueType valueType = ValueType.NONE;
    private long maxId;
    private long maxSession;
    private boolean isNamed; // some transaction of the clients names its transaction in the log
    private long matched;
    private @Nullable String firstWriter; // the location of the first committed transaction of the clients that wrote
    private final LongOpenHashSet leftOut = new LongOpenHashSet(); // hashes of key and value of omitted rows

    private CommitJoin(
            HistorySource reads, HistorySource commits, String column, BadRowHandler badRows, CommitLog log) {
        this.reads = reads;
        this.commits = commits;
        this.column = column;
        this.badRows = badRows;
        this.log = log;
        versionOf.defaultReturnValue(NONE);
    }

    /**
     * Joins two sources.
     *
     * @param column the identifier that both have of a transaction: {@code txn_id}, or a member of {@code extra}
     * @param writer receives the transactions; the caller finishes it
     */
    public static JoinReport join(
            HistorySource reads, HistorySource commits, String column, BadRowHandler badRows, HistoryWriter writer)
            throws IOException {
        try (CommitLog log = CommitLog.read(commits, column, badRows)) {
            CommitJoin join = new CommitJoin(reads, commits, column, badRows, log);
            join.learn();
            join.write(writer);
            return join.report;
        }
    }

    // ---------------------------------------------------------------- learning

    private void learn() throws IOException {
        forEachSlice(BadRowHandler.PASS_OVER, slice -> {
            keyType = slice.keyType == ValueType.NONE ? keyType : slice.keyType;
            valueType = slice.valueType == ValueType.NONE ? valueType : slice.valueType;
            for (int txn = 0; txn < slice.txnCount; txn++) {
                maxId = Math.max(maxId, slice.txnId[txn]);
                maxSession = Math.max(maxSession, slice.sessionId[txn]);
                Commit commit = commitOf(slice, txn);
                if (commit != null) {
                    matched++;
                    search(slice, txn, commit);
                } else if (firstWriter == null && slice.status[txn] == TxnStatus.COMMITTED && isWriter(slice, txn)) {
                    firstWriter = slice.locationOf(txn) + " txn_id=" + slice.txnId[txn];
                }
            }
        });
        if (!isNamed) {
            throw new MalformedHistoryException(
                    InputLocation.file(reads.uri()),
                    InputError.of("no transaction has the member to join on")
                            .with("--join-on=" + column)
                            .advise("name txn_id, or a member of rows other than ops"));
        }
        if (matched == 0 && firstWriter != null) {
            throw new MalformedHistoryException(
                    InputLocation.file(reads.uri()),
                    InputError.of("no transaction is in the log")
                            .with(
                                    "--join-on=%s log=%s commits=%d first=%s of-clients=%s",
                                    column,
                                    commits.uri(),
                                    log.size(),
                                    log.size() == 0 ? "none" : log.get(0).name(),
                                    firstWriter)
                            .advise("both sides have to name a transaction in the same way"));
        }
        mapping.decide();
        report.mapping = mapping.shown();
        for (int number = 0; number < log.size(); number++) {
            log.get(number).changes().forEach(mapping::meet);
        }
        if (mapping.clash() != null) {
            throw new MalformedHistoryException(
                    InputLocation.file(reads.uri()),
                    InputError.of("clients wrote rows of several tables under one key")
                            .with(mapping.clash())
                            .advise("name rows TABLE/KEY in the clients' records"));
        }
        for (int number = 0; number < log.size(); number++) {
            for (Change change : log.get(number).changes()) {
                if (mapping.isLeftOut(change)) {
                    leftOut.add(hash(mapping.key(change), mapping.value(change)));
                    report.changesOfTables++;
                    report.tablesLeftOut.add(RowMapping.table(change.key()));
                    continue;
                }
                long write = hash(mapping.key(change), mapping.value(change));
                versionOf.put(write, versionOf.containsKey(write) ? NONE : change.version());
            }
        }
    }

    private static long hash(String key, @Nullable String value) {
        return CommitLog.hash(key + '\n' + value);
    }

    private void search(HistorySlice slice, int txn, Commit commit) {
        for (int op = slice.firstOpOf[txn]; op < slice.firstOpOf[txn + 1]; op++) {
            if (slice.kind[op] == OpKind.WRITE) {
                String key = CommitLog.key(slice, op);
                String value = CommitLog.value(slice, slice.value[op]);
                for (Change change : commit.changes()) {
                    mapping.inspect(key, value, change);
                }
            }
        }
    }

    private @Nullable Commit commitOf(HistorySlice slice, int txn) throws IOException {
        String name = CommitLog.nameOfClient(slice.extra == null ? null : slice.extra[txn], slice.txnId[txn], column);
        isNamed |= name != null;
        return log.find(name);
    }

    /** Processes a slice. */
    @FunctionalInterface
    private interface OfSlice {
        void search(HistorySlice slice) throws IOException;
    }

    private void forEachSlice(BadRowHandler badRows, OfSlice lookup) throws IOException {
        for (int split = 0; split < reads.splits().size(); split++) {
            try (SliceReader reader = reads.open(split, ColumnGroup.all(), badRows)) {
                for (HistorySlice slice = reader.next(); slice != null; slice = reader.next()) {
                    if (slice.isConditional()) {
                        throw new MalformedHistoryException(
                                slice.locationOf(slice.firstTxnBeyondItems()),
                                InputError.of("conditional writes cannot be joined with a log")
                                        .advise("record them as reads and writes"));
                    }
                    lookup.search(slice);
                }
            }
        }
    }

    // ---------------------------------------------------------------- writing

    private void write(HistoryWriter writer) throws IOException {
        forEachSlice(badRows, slice -> {
            SliceBuilder joined = builder(slice.file);
            for (int txn = 0; txn < slice.txnCount; txn++) {
                add(slice, txn, joined);
            }
            writer.write(joined.build());
        });
        SliceBuilder rest = builder(reads.uri());
        for (int number = 0; number < log.size(); number++) {
            if (!log.isSeen(number)) {
                addUnrecorded(log.get(number), rest);
            }
            if (rest.weight() >= SliceReader.SLICE_WEIGHT) {
                writer.write(rest.build());
                rest = builder(reads.uri());
            }
        }
        if (rest.txnCount() > 0) {
            writer.write(rest.build());
        }
    }

    private SliceBuilder builder(String file) {
        SliceBuilder builder = new SliceBuilder(file);
        if (keyType == ValueType.STRING || keyType == ValueType.NONE) {
            builder.keysAreStrings();
        } else {
            builder.keysAreLongs();
        }
        if (valueType == ValueType.STRING || valueType == ValueType.NONE) {
            builder.valuesAreStrings();
        } else {
            builder.valuesAreLongs();
        }
        return builder;
    }

    private void add(HistorySlice slice, int txn, SliceBuilder joined) throws IOException {
        Commit commit = commitOf(slice, txn);
        count(slice, txn, commit, isWriter(slice, txn));
        joined.copyTxn(slice, txn);
        List<Change> left = commit == null ? List.of() : new ArrayList<>(commit.changes());
        setVersions(slice, txn, joined, left);
        if (commit == null) {
            return;
        }
        log.see(commit);
        joined.reopenTxn();
        joined.status(TxnStatus.COMMITTED);
        boolean hasTimes = slice.startTs != null
                && (slice.startTs[txn] != HistorySlice.NONE || slice.commitTs[txn] != HistorySlice.NONE);
        if (!hasTimes) {
            joined.txnNumber(HistoryColumn.COMMIT_TS, commit.commitTs());
        }
        for (Change change : left) {
            boolean isAdded = mapping.isLearned() && addChange(change, joined);
            report.changesAdded += isAdded ? 1 : 0;
            report.changesLeftOut += isAdded ? 0 : 1;
        }
        joined.endTxn();
    }

    private void count(HistorySlice slice, int txn, @Nullable Commit commit, boolean isWriter) {
        byte status = slice.status[txn];
        String location = slice.locationOf(txn) + " txn_id=" + slice.txnId[txn];
        if (commit != null) {
            report.matched++;
            report.resolved += status == TxnStatus.UNKNOWN ? 1 : 0;
            if (status == TxnStatus.ABORTED) {
                report.contradicted++;
                report.firstContradicted = report.firstContradicted == null ? location : report.firstContradicted;
            }
        } else if (status == TxnStatus.COMMITTED && isWriter) {
            report.onlyInReads++;
            report.firstOnlyInReads = report.firstOnlyInReads == null ? location : report.firstOnlyInReads;
        } else if (status == TxnStatus.COMMITTED) {
            report.readOnly++;
        }
    }

    /**
     * Assigns the versions of the log to operations, instead of versions that a client may have counted differently;
     * removes the client's own changes from those left.
     */
    private void setVersions(HistorySlice slice, int txn, SliceBuilder joined, List<Change> left) {
        int first = joined.opCount() - (slice.firstOpOf[txn + 1] - slice.firstOpOf[txn]);
        boolean hasOthers = mapping.isLearned() && slice.numbers(HistoryColumn.VERSION) != null;
        for (int op = slice.firstOpOf[txn]; op < slice.firstOpOf[txn + 1]; op++) {
            byte kind = slice.kind[op];
            int at = first + op - slice.firstOpOf[txn];
            if (hasOthers) {
                joined.setOpNumber(HistoryColumn.VERSION, at, NONE);
            }
            if (kind == OpKind.READ) {
                String key = CommitLog.key(slice, op);
                long version = versionOf.get(hash(key, CommitLog.value(slice, slice.value[op])));
                if (version != NONE) {
                    joined.setOpNumber(HistoryColumn.VERSION, at, version);
                }
                requireKnownTable(slice, txn, op, key);
            } else if (kind == OpKind.WRITE || kind == OpKind.DELETE) {
                String value = kind == OpKind.DELETE ? null : CommitLog.value(slice, slice.value[op]);
                Change change = take(left, CommitLog.key(slice, op), value);
                report.writesMatched += change == null ? 0 : 1;
                report.writesUnmatched += change == null && slice.status[txn] == TxnStatus.COMMITTED ? 1 : 0;
                if (change != null && change.version() != HistorySlice.NONE) {
                    joined.setOpNumber(HistoryColumn.VERSION, at, change.version());
                }
            }
        }
    }

    /**
     * Rejects a read of a row of an omitted table: it would be reported as a read of a value that was never written.
     */
    private void requireKnownTable(HistorySlice slice, int txn, int op, String key) {
        String value = CommitLog.value(slice, slice.value[op]);
        long read = hash(key, value);
        if (leftOut.contains(read) && !versionOf.containsKey(read)) {
            throw new MalformedHistoryException(
                    slice.locationOf(txn),
                    InputError.of(
                                    "a client read a row of a table that is not joined, since clients wrote no row of it and another table"
                                            + " has its key")
                            .with(
                                    "txn_id=%d key=%s value=%s tables=%s",
                                    slice.txnId[txn], key, value, String.join(",", report.tablesLeftOut))
                            .advise("name rows TABLE/KEY in the clients' records"));
        }
    }

    private static boolean isWriter(HistorySlice slice, int txn) {
        for (int op = slice.firstOpOf[txn]; op < slice.firstOpOf[txn + 1]; op++) {
            if (OpKind.isWrite(slice.kind[op])) {
                return true;
            }
        }
        return false;
    }

    private @Nullable Change take(List<Change> left, String key, @Nullable String value) {
        for (int i = 0; i < left.size(); i++) {
            Change change = left.get(i);
            boolean isIt = !mapping.isLeftOut(change)
                    && mapping.key(change).equals(key)
                    && Objects.equals(mapping.value(change), value);
            if (isIt) {
                left.remove(i);
                return change;
            }
        }
        return null;
    }

    private void addUnrecorded(Commit commit, SliceBuilder rest) {
        report.onlyInCommits++;
        report.firstOnlyInCommits = report.firstOnlyInCommits == null ? commit.location() : report.firstOnlyInCommits;
        long number = report.onlyInCommits;
        rest.beginTxn(number, maxId + number, maxSession + number, 0)
                .txnNumber(HistoryColumn.COMMIT_TS, commit.commitTs())
                .extra("{" + JsonText.quoted(column) + ":" + JsonText.quoted(commit.name()) + "}");
        for (Change change : commit.changes()) {
            report.changesLeftOut += addChange(change, rest) ? 0 : 1;
        }
        rest.endTxn();
    }

    /** Adds a change in the types that keys and values of clients have; false if they do not include it. */
    private boolean addChange(Change change, SliceBuilder to) {
        String key = mapping.key(change);
        String value = mapping.value(change);
        boolean isKeyFit = keyType != ValueType.LONG || isLong(key);
        boolean isValueFit = value == null || valueType != ValueType.LONG || isLong(value);
        if (!isKeyFit || !isValueFit || mapping.isLeftOut(change)) {
            return false;
        }
        long of =
                keyType == ValueType.LONG ? Long.parseLong(key) : to.keyNames().intern(key);
        long content = value == null
                ? 0
                : valueType == ValueType.LONG
                        ? Long.parseLong(value)
                        : to.valueNames().intern(value);
        to.op(value == null ? OpKind.DELETE : OpKind.WRITE, of, content);
        if (change.version() != HistorySlice.NONE) {
            to.version(change.version());
        }
        return true;
    }

    private static boolean isLong(String text) {
        return text.matches("-?\\d{1,18}");
    }
}
