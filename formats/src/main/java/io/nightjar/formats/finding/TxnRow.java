package io.nightjar.formats.finding;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.InputLocation;
import io.nightjar.formats.history.SanitizedText;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One transaction in readable form, for evidence and explanations. */
public record TxnRow(
        long txnId,
        long sessionId,
        long sessionSeq,
        String status,
        Times times,
        @Nullable String extra,
        InputLocation location,
        List<OpRow> ops) {

    /** Its timestamps and the client's times; {@code HistorySlice.NONE} if missing. */
    public record Times(long startTs, long commitTs, long invokeNs, long completeNs) {}

    /** Creates a transaction without client times. */
    public TxnRow(
            long txnId,
            long sessionId,
            long sessionSeq,
            String status,
            long startTs,
            long commitTs,
            @Nullable String extra,
            String file,
            long row,
            List<OpRow> ops) {
        this(
                txnId,
                sessionId,
                sessionSeq,
                status,
                new Times(startTs, commitTs, HistorySlice.NONE, HistorySlice.NONE),
                extra,
                InputLocation.row(file, row),
                ops);
    }

    public long startTs() {
        return times.startTs;
    }

    public long commitTs() {
        return times.commitTs;
    }

    public long invokeNs() {
        return times.invokeNs;
    }

    public long completeNs() {
        return times.completeNs;
    }

    /** Returns all operations in the notation of text histories: {@code w(x,1) r(y,_)}. */
    public String opsText() {
        return ops.stream().map(OpRow::text).collect(Collectors.joining(" "));
    }

    /** Appends one operation in this notation, on one line. */
    public void appendOp(StringBuilder text, int op) {
        if (ops instanceof KeptOps kept) {
            kept.appendText(text, op);
        } else {
            text.append(ops.get(op).text());
        }
    }

    /** Returns a predicate for operations on a key, which creates no text for each; always false if the key is null. */
    public static IntPredicate onKey(List<OpRow> ops, @Nullable String key) {
        if (key == null) {
            return op -> false;
        }
        return ops instanceof KeptOps kept
                ? kept.onKey(key)
                : op -> key.equals(ops.get(op).key());
    }

    /**
     * One operation.
     *
     * @param name r, w, append, add, rem, inc, p, v or d; unequal, present, absent, contains, lacks or never for a condition
     * @param key for a predicate read its relation, empty if it names none
     * @param value a value, a list in brackets, or null for the initial state; for a predicate read its condition
     * @param leftOut number of omitted operations that this row represents; 0 for an operation
     */
    public record OpRow(String name, @Nullable String key, @Nullable String value, int leftOut) {

        private static final Set<String> NAMES_WITHOUT_VALUE = Set.of("d", "v", "present", "absent", "never");

        public OpRow(String name, @Nullable String key, @Nullable String value) {
            this(name, key, value, 0);
        }

        /** Returns a row that represents omitted operations. */
        public static OpRow leftOut(int count) {
            return new OpRow("", null, null, count);
        }

        /** Returns a copy with the given key and value. */
        public OpRow with(@Nullable String otherKey, @Nullable String otherValue) {
            return new OpRow(name, otherKey, otherValue, leftOut);
        }

        /** Returns the transaction on one line, even if keys or values contain line breaks. */
        public String text() {
            if (leftOut > 0) {
                return "…+" + leftOut;
            }
            if (name.equals("p")) {
                return SanitizedText.flat(
                        name + (key == null || key.isEmpty() ? "" : "[" + key + "]") + "(" + value + ")");
            }
            if (value == null && NAMES_WITHOUT_VALUE.contains(name)) {
                return SanitizedText.flat(name + "(" + key + ")");
            }
            return SanitizedText.flat(name + "(" + key + "," + (value == null ? "_" : value) + ")");
        }
    }
}
