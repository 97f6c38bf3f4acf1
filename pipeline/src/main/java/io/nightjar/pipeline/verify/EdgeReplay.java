package io.nightjar.pipeline.verify;

import io.nightjar.formats.finding.Finding.Edge;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.level.EdgeEvidence;
import io.nightjar.formats.level.EdgeType;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Verifies edges: whether the rows of two transactions confirm the accesses that an edge claims. */
final class EdgeReplay {

    private static final int NO_OP = -1;

    /** Value of the version that a removal leaves, as findings show it. */
    private static final String ERASED = "null";

    private final RawTxns raw;
    private final GatheredFacts gathered;

    EdgeReplay(GatheredFacts gathered) {
        this.raw = gathered.raw();
        this.gathered = gathered;
    }

    /**
     * Returns why the rows contradict the accesses of an edge, or null; the order of the versions is not verified here.
     */
    @Nullable
    String wrong(Edge edge, int from, int to) {
        if (raw.status[from] == TxnStatus.ABORTED || raw.status[to] == TxnStatus.ABORTED) {
            return "an aborted transaction has no position in an order";
        }
        boolean needsKey = edge.type() != EdgeType.SO && edge.type() != EdgeType.RT;
        if (needsKey != (edge.key() != null) || (!needsKey && (edge.fromValue() != null || edge.toValue() != null))) {
            return "a key or values where none are involved, or none where they are";
        }
        if (needsKey && !raw.keys.isPossible(edge.key())) {
            return "a key that this history cannot have";
        }
        return switch (edge.type()) {
            case SO -> wrongSession(edge, from, to);
            case RT -> wrongRealTime(edge, from, to);
            case WR -> wrongRead(edge, from, to);
            case RW -> wrongOverwrite(edge, from, to);
            case WW ->
                areWritten(edge, from, to) ? null : "one of the transactions did not write the version of the edge";
            case TS -> "a type of edge that values do not show";
        };
    }

    /** Returns whether each transaction wrote its version of the edge, or removed the element of the other. */
    private boolean areWritten(Edge edge, int from, int to) {
        boolean isWritten = writeOf(edge, from, edge.fromValue()) != NO_OP;
        boolean isNextWritten = writeOf(edge, to, edge.toValue()) != NO_OP;
        if (isWritten && isNextWritten) {
            return true;
        }
        if (isWritten) {
            return ERASED.equals(edge.toValue()) && removes(edge, to, edge.fromValue());
        }
        if (isNextWritten) {
            return ERASED.equals(edge.fromValue()) && removes(edge, from, edge.toValue());
        }
        return ERASED.equals(edge.fromValue())
                && ERASED.equals(edge.toValue())
                && removals(edge, from).anyMatch(op -> removes(edge, to, raw.text(op)));
    }

    private boolean removes(Edge edge, int row, @Nullable String element) {
        return removals(edge, row).anyMatch(op -> Objects.equals(raw.text(op), element));
    }

    private IntStream removals(Edge edge, int row) {
        return Arrays.stream(raw.opsOn(row, raw.keys.intern(edge.key()))).filter(op -> raw.kind[op] == OpKind.TAKE);
    }

    private @Nullable String wrongSession(Edge edge, int from, int to) {
        boolean isRight = edge.evidence() == EdgeEvidence.SESSION
                && raw.sessionId[from] == raw.sessionId[to]
                && raw.sessionSeq[from] < raw.sessionSeq[to];
        return isRight ? null : "not one before the other in a session";
    }

    private @Nullable String wrongRealTime(Edge edge, int from, int to) {
        boolean isRight = edge.evidence() == EdgeEvidence.REALTIME
                && raw.completeNs[from] != HistorySlice.NONE
                && raw.invokeNs[to] != HistorySlice.NONE
                && raw.completeNs[from] < raw.invokeNs[to];
        return isRight ? null : "the first had not ended when the second began";
    }

    /** Returns whether a value that was read cannot have been left by any transaction but the first. */
    private boolean isSole(KeyFacts.Value facts, int from, int to, int write) {
        int count = raw.kind[write] == OpKind.ADD ? facts.lastingAdders : facts.lastingCount;
        boolean isOfReader = count == 2 && isLeftBy(to, write) && isLeftBy(from, write);
        return facts.livingWriter == raw.txnId[from] || facts.lastingWriter == raw.txnId[from] || isOfReader;
    }

    /** Returns whether a transaction left the value of a write: as its last one, or as an element that it did not remove. */
    private boolean isLeftBy(int txn, int write) {
        boolean isElement = raw.kind[write] == OpKind.ADD;
        boolean isLeft = false;
        for (int op : raw.opsOn(txn, raw.key[write])) {
            boolean isOfOther = isElement && raw.value[op] != raw.value[write];
            if (OpKind.isWrite(raw.kind[op]) && !isOfOther) {
                isLeft = raw.kind[op] == raw.kind[write] && raw.value[op] == raw.value[write];
            }
        }
        return isLeft;
    }

    private @Nullable String wrongRead(Edge edge, int from, int to) {
        int write = writeOf(edge, from, edge.fromValue());
        if (write == NO_OP || !Objects.equals(edge.fromValue(), edge.toValue())) {
            return "the first transaction did not write the version that the edge names as read";
        }
        KeyFacts.Value facts = gathered.of(raw.key[write]).valueOf.get(raw.value[write]);
        boolean isSole = facts != null && isSole(facts, from, to, write);
        if (raw.status[to] != TxnStatus.COMMITTED) {
            return "the reader did not commit";
        }
        for (int op : raw.opsOn(to, raw.key[write])) {
            if (raw.isRead(op)
                    && returns(to, op, raw.value[write])
                    && (isSole || raw.writerTxn[op] == raw.txnId[from])) {
                return null;
            }
        }
        return isSole
                ? "the second transaction did not read that version"
                : "another transaction may have left that value";
    }

    /** Returns whether a row read the version that the second transaction of an edge wrote. */
    boolean hasRead(Edge edge, int row) {
        if (raw.status[row] != TxnStatus.COMMITTED) {
            return false;
        }
        long key = raw.keys.intern(edge.key());
        long value = raw.values.intern(edge.toValue());
        for (int op : raw.opsOn(row, key)) {
            if (raw.isRead(op) && returns(row, op, value)) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether a read of a row returned a value; of a list, in front of the own appends that it ends with. */
    boolean returns(int row, int read, long value) {
        if (raw.kind[read] == OpKind.READ) {
            return raw.value[read] == value;
        }
        int length = raw.outsideLength(row, read);
        for (int position = 0; position < length; position++) {
            if (raw.element(read, position) == value) {
                return true;
            }
        }
        return false;
    }

    private @Nullable String wrongOverwrite(Edge edge, int from, int to) {
        int write = writeOf(edge, to, edge.toValue());
        if (write == NO_OP) {
            return "the second transaction did not write the version of the edge";
        }
        if (raw.status[from] != TxnStatus.COMMITTED) {
            return "the reader did not commit";
        }
        for (int op : raw.opsOn(from, raw.key[write])) {
            if (raw.isRead(op)
                    && (!returns(from, op, raw.value[write]) || isNamedAnother(op, to))
                    && isVersion(edge.fromValue(), from, op, raw.kind[write])) {
                return null;
            }
        }
        return "the first did not read that version from outside, or it saw the second's";
    }

    /** Returns whether the source names another writer for a read, independent of the value. */
    boolean isNamedAnother(int read, int writer) {
        return raw.kind[read] == OpKind.READ
                && raw.writerTxn[read] != HistorySlice.NONE
                && raw.writerTxn[read] != raw.txnId[writer];
    }

    /** Returns whether a read returned a version: a value, the last element that is not the reader's own, or nothing. */
    private boolean isVersion(@Nullable String version, int row, int op, byte kindOfWrite) {
        int own = raw.writesBefore(row, op);
        if (kindOfWrite == OpKind.ADD) {
            return version == null;
        }
        if (kindOfWrite == OpKind.APPEND) {
            int length = raw.length(op) - own;
            return length == 0
                    ? version == null
                    : length > 0 && raw.values.text(raw.element(op, length - 1)).equals(version);
        }
        if (own > 0 || raw.isListRead(op)) {
            return false;
        }
        return version == null ? gathered.isInitial(op) : version.equals(raw.text(op)) && !gathered.isInitial(op);
    }

    /** Returns whether an operation is a list read whose transaction committed. */
    boolean isJudgedList(int row, int op) {
        return raw.isListRead(op) && raw.status[row] == TxnStatus.COMMITTED;
    }

    /** Returns the last operation by which a row wrote a value to the edge's key. */
    int writeOf(Edge edge, int row, @Nullable String value) {
        if (value == null) {
            return NO_OP;
        }
        long key = raw.keys.intern(edge.key());
        int found = NO_OP;
        for (int op : raw.opsOn(row, key)) {
            if (OpKind.isWrite(raw.kind[op]) && value.equals(raw.text(op))) {
                found = op;
            }
        }
        return found;
    }
}
