package io.nightjar.formats.table;

import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SourceDiagnostic;
import io.nightjar.formats.history.StringPool;
import io.nightjar.formats.text.BadRowException;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Facts about a table as a whole that determine how each row is read, found by one scan. */
final class TableFacts {

    private static final long BYTES_OF_ID = 16; // in a hash table of ids

    private final OpWord words = OpWord.ofOps();

    /** True if the rows of each transaction are contiguous. */
    private boolean isGathered = true;

    private final long maxBytes;
    private long firstPosition = Long.MAX_VALUE;
    private List<SourceDiagnostic> remarks = List.of(); // of the last complete reading
    private boolean hasOutcomes;
    private boolean hasAppends;
    private boolean isSeqOfOps;
    private boolean hasSessions;
    private final Likeness keys = new Likeness();
    private final Likeness values = new Likeness();

    private boolean areTxnsIntegers = true;
    private boolean areSessionsIntegers = true;

    // State of the previous row.
    private long firstInRow = 1; // first id of a range of consecutive ids; other ids are in a set
    private long lastInRow;
    private LongOpenHashSet seen = new LongOpenHashSet();
    private StringPool seenNames = new StringPool();
    private byte[] lastName = {};
    private long lastId;
    private boolean hasLast;
    private long lastSeq = Long.MIN_VALUE;

    private TableFacts(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** Types of the cells of a column. */
    private static final class Likeness {
        private boolean hasText;

        private void add(Cell cell) {
            hasText |= !hasText && !cell.isNull() && !cell.isInteger() && !cell.isOtherNumber();
        }
    }

    /**
     * Scans all files once. Malformed rows are left to the reader, which encounters and reports them at the same
     * location.
     *
     * @param maxBytes maximum memory for the test whether rows are contiguous; a table with more transactions counts
     * as scattered
     */
    static TableFacts find(List<RowFile> files, Map<ColumnRole, String> given, long maxBytes) throws IOException {
        TableFacts facts = new TableFacts(maxBytes);
        try {
            for (RowFile file : files) {
                facts.scan(file, given);
            }
        } catch (MalformedHistoryException rejected) {
            return facts; // the reader will report the location
        } finally {
            facts.forgetTxns();
        }
        return facts;
    }

    private void forgetTxns() {
        seen = new LongOpenHashSet();
        seenNames = new StringPool();
    }

    private void scan(RowFile file, Map<ColumnRole, String> given) throws IOException {
        hasLast = false; // a transaction that continues in the next file is scattered
        try (TableRows rows = file.open()) {
            TableColumns columns = new TableColumns(rows, given);
            boolean hasMore = true;
            while (hasMore) {
                try {
                    hasMore = rows.advance();
                    if (hasMore) {
                        columns.update();
                        scan(columns);
                    }
                } catch (BadRowException bad) {
                    hasMore = !rows.isLost();
                }
            }
        }
    }

    private void scan(TableColumns columns) {
        Cell txn = columns.cell(ColumnRole.TXN);
        if (txn.isNull()) {
            return;
        }
        boolean isSameTxn = scanTxn(txn);
        if (columns.has(ColumnRole.SEQ)) {
            scanSeq(columns, isSameTxn);
        }
        Cell session = columns.cell(ColumnRole.SESSION);
        hasSessions |= !session.isNull();
        if (areSessionsIntegers && !session.isNull()) {
            areSessionsIntegers = session.isIntegerWhereNeeded() || session.isOtherNumber();
        }
        hasOutcomes |= columns.has(ColumnRole.STATUS);
        scanOp(columns);
    }

    /** Returns whether this row belongs to the transaction of the previous row. */
    private boolean scanTxn(Cell txn) {
        if (areTxnsIntegers) {
            areTxnsIntegers = txn.isIntegerWhereNeeded() || txn.isOtherNumber();
        }
        boolean isSame;
        if (txn.isInteger()) {
            long id = txn.longValue();
            isSame = hasLast && lastName.length == 0 && id == lastId;
            if (!isSame) {
                lastId = id;
                lastName = new byte[0];
                isGathered = isGathered && isNewWithinMemory(add(id));
            }
        } else {
            byte[] bytes = txn.bytes();
            int from = txn.from();
            int to = from + txn.length();
            isSame = hasLast && Arrays.equals(lastName, 0, lastName.length, bytes, from, to);
            if (!isSame) {
                lastName = Arrays.copyOfRange(bytes, from, to);
                int before = seenNames.size();
                isGathered = isGathered && isNewWithinMemory(seenNames.intern(bytes, from, txn.length()) == before);
            }
        }
        hasLast = true;
        return isSame;
    }

    private boolean add(long id) {
        if (firstInRow > lastInRow) {
            firstInRow = id;
            lastInRow = id;
            return true;
        }
        if (id != lastInRow + 1) {
            return (id < firstInRow || id > lastInRow) && seen.add(id);
        }
        lastInRow = id;
        return seen.isEmpty() || !seen.contains(id);
    }

    private boolean isNewWithinMemory(boolean isNew) {
        long bytes = ((long) seen.size() + seenNames.size()) * BYTES_OF_ID + seenNames.byteSize();
        if (isNew && bytes <= maxBytes) {
            return true;
        }
        seen = new LongOpenHashSet(); // not used again
        seenNames = new StringPool();
        return false;
    }

    private void scanSeq(TableColumns columns, boolean isSameTxn) {
        Cell seq = columns.cell(ColumnRole.SEQ);
        if (!isSeqOfOps && seq.isIntegerWhereNeeded()) {
            long number = seq.longValue();
            isSeqOfOps = isSameTxn && number != lastSeq;
            lastSeq = number;
        }
    }

    private void scanOp(TableColumns columns) {
        Cell op = columns.cell(ColumnRole.OP);
        if (op.isNull()) {
            return;
        }
        Cell position = columns.cell(ColumnRole.OP_INDEX);
        if (position.isIntegerWhereNeeded()) {
            firstPosition = Math.min(firstPosition, position.longValue());
        }
        int code = words.code(op);
        hasOutcomes |= code >= OpWord.OUTCOME;
        hasAppends |= code == OpKind.APPEND || code == OpKind.ADD;
        keys.add(columns.cell(ColumnRole.KEY));
        if (!columns.cell(ColumnRole.TABLE).isNull()) {
            keys.hasText = true;
        }
        Cell value = columns.cell(ColumnRole.VALUE);
        if (code != OpKind.READ || !value.isArray()) {
            values.add(value);
        }
    }

    boolean isGathered() {
        return isGathered;
    }

    /** Returns the smallest position of any row in its transaction. */
    long firstPosition() {
        return firstPosition;
    }

    /**
     * Records the result of a complete reading. If positions are missing in most transactions, they number other events
     * besides operations.
     *
     * @param positioned transactions whose rows have positions
     * @param incomplete transactions in which some positions are missing
     */
    synchronized void endReading(long positioned, long incomplete, @Nullable String example) {
        List<SourceDiagnostic> found = new ArrayList<>();
        if (!hasSessions) {
            found.add(new SourceDiagnostic(
                    "L31",
                    1,
                    null,
                    "the table has no column of sessions: each transaction counts as a separate session, so the order"
                            + " within sessions is not checked; --map session=COLUMN names one"));
        }
        if (incomplete > 0 && incomplete <= positioned / 2) {
            found.add(new SourceDiagnostic(
                    "L35",
                    incomplete,
                    example,
                    incomplete + " of " + positioned
                            + " transactions lack positions that others have; the export has perhaps cut them"));
        }
        remarks = List.copyOf(found);
    }

    synchronized List<SourceDiagnostic> remarks() {
        return remarks;
    }

    /**
     * Returns whether any row states the outcome of its transaction, so that the outcome of a transaction without such
     * a row is unknown.
     */
    boolean hasOutcomes() {
        return hasOutcomes;
    }

    /** Returns whether a value that is an array is a list read. */
    boolean hasAppends() {
        return hasAppends;
    }

    /** Returns whether the column {@code seq} counts operations and not transactions. */
    boolean isSeqOfOps() {
        return isSeqOfOps;
    }

    boolean hasSessions() {
        return hasSessions;
    }

    boolean areTxnsIntegers() {
        return areTxnsIntegers;
    }

    boolean areSessionsIntegers() {
        return areSessionsIntegers;
    }

    /** Returns whether numeric keys are text too, because another key of this table is. */
    boolean areKeysTexts() {
        return keys.hasText;
    }

    boolean areValuesTexts() {
        return values.hasText;
    }
}
