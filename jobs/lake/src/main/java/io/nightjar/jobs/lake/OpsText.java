package io.nightjar.jobs.lake;

import io.nightjar.formats.finding.TxnRow;
import io.nightjar.formats.history.SanitizedText;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A transaction's operations as text; a long transaction is cut to the operation at fault, the others on its key, and
 * their neighbors.
 */
public final class OpsText {

    /*
     * Omitted operations are shown as a count, so that every remaining operation can be numbered again:
     *
     *   …+120 r(x,5) w(x,6) …+880         operations 120 and 121 of 1002
     *   r(l,[1,2,…+950,953,954])          elements of a long list
     *
     * Values are not escaped, except control characters. A value that itself looks like the end of an operation and the
     * start of the next one is numbered wrongly when the text is parsed; the text is for people, and op_index
     * identifies the operation.
     */

    /** Maximum distance from the operation at fault at which others are considered in a transaction of any length. */
    private static final int REACH = 5_000;

    private static final String GAP = "…+";

    /** Characters reserved for the counts at both ends. */
    private static final int GAP_CHARS = 12;

    private static final int MIN_CHARS = 32;

    /** An operation that is cut shorter carries no information. */
    private static final int MIN_OP_CHARS = 24;

    private final int total;
    private final List<Op> ops;

    private OpsText(int total, List<Op> ops) {
        this.total = total;
        this.ops = ops;
    }

    /**
     * @param fault ordinal of the operation that the text must show; negative if none is at fault
     * @param key whose operations matter more than others; null if none
     */
    public static OpsText of(List<TxnRow.OpRow> rows, int fault, @Nullable String key) {
        int anchor = fault >= 0 ? fault : Math.max(0, firstOn(rows, key));
        int from = Math.max(0, anchor - REACH);
        int to = (int) Math.min(rows.size(), (long) anchor + REACH);
        IntPredicate onKey = TxnRow.onKey(rows, key);
        List<Op> ops = new ArrayList<>(to - from);
        for (int op = from; op < to; op++) {
            ops.add(new Op(op, rows, onKey.test(op)));
        }
        return new OpsText(rows.size(), ops);
    }

    private static int firstOn(List<TxnRow.OpRow> rows, @Nullable String key) {
        IntPredicate onKey = TxnRow.onKey(rows, key);
        return key == null
                ? -1
                : IntStream.range(0, rows.size()).filter(onKey).findFirst().orElse(-1);
    }

    /** Returns the text of a transaction's operations with at most about this many characters. */
    static String cut(TxnRow txn, int fault, @Nullable String key, int maxChars) {
        StringBuilder text = new StringBuilder(256);
        int count = txn.ops().size();
        for (int op = 0; op < count && text.length() < maxChars; op++) {
            if (op > 0) {
                text.append(' ');
            }
            txn.appendOp(text, op);
        }
        return text.length() < maxChars
                ? text.toString()
                : of(txn.ops(), fault, key).cut(fault, maxChars).toString();
    }

    /**
     * Parses the output of {@link #toString}.
     *
     * @param keys whose operations matter more than others, as the history has them
     */
    public static OpsText parse(String text, List<String> keys) {
        List<Op> ops = new ArrayList<>();
        List<String> marks =
                keys.stream().map(key -> "(" + SanitizedText.flat(key) + ",").toList();
        int index = 0;
        int at = 0;
        while (at < text.length()) {
            int end = endOfToken(text, at);
            String token = text.substring(at, end);
            if (token.startsWith(GAP)) {
                index += Integer.parseInt(token.substring(GAP.length()));
            } else {
                ops.add(new Op(index, token, marks.stream().anyMatch(token::contains)));
                index++;
            }
            at = end + 1;
        }
        return new OpsText(index, ops);
    }

    private static int endOfToken(String text, int from) {
        if (text.startsWith(GAP, from)) {
            int space = text.indexOf(' ', from);
            return space < 0 ? text.length() : space;
        }
        int end = text.indexOf(") ", from);
        while (end >= 0 && !startsToken(text, end + 2)) {
            end = text.indexOf(") ", end + 1);
        }
        return end < 0 ? text.length() : end + 1;
    }

    private static boolean startsToken(String text, int at) {
        if (text.startsWith(GAP, at)) {
            return true;
        }
        int end = at;
        while (end < text.length() && Character.isLowerCase(text.charAt(end))) {
            end++;
        }
        return end > at && end < text.length() && text.charAt(end) == '(' || text.startsWith("p[", at);
    }

    /** Returns the number of operations of the transaction. */
    public int total() {
        return total;
    }

    /** Returns the operations that are still there. */
    public List<NumberedOp> numberedOps() {
        List<NumberedOp> numberedOps = new ArrayList<>(ops.size());
        for (Op op : ops) {
            numberedOps.add(new NumberedOp(op.index, op.text()));
        }
        return numberedOps;
    }

    /**
     * Returns the operations as rows, omitted ones as counts.
     *
     * @param keys known ones; an operation with none of them is divided at its first comma
     */
    public List<TxnRow.OpRow> rows(List<String> keys) {
        List<TxnRow.OpRow> rows = new ArrayList<>();
        int next = 0;
        for (Op op : ops) {
            addLeftOut(rows, op.index - next);
            rows.add(row(op.text(), keys));
            next = op.index + 1;
        }
        addLeftOut(rows, total - next);
        return rows;
    }

    private static void addLeftOut(List<TxnRow.OpRow> rows, int count) {
        if (count > 0) {
            rows.add(TxnRow.OpRow.leftOut(count));
        }
    }

    private static TxnRow.OpRow row(String text, List<String> keys) {
        int open = text.indexOf('(');
        if (open <= 0 || !text.endsWith(")")) {
            return TxnRow.OpRow.leftOut(1);
        }
        if (text.startsWith("p[") || text.startsWith("p(")) {
            int bracket = text.indexOf("](");
            boolean isOfRelation = text.startsWith("p[") && bracket > 0;
            return new TxnRow.OpRow(
                    "p",
                    isOfRelation ? text.substring(2, bracket) : "",
                    text.substring(isOfRelation ? bracket + 2 : open + 1, text.length() - 1));
        }
        String name = text.substring(0, open);
        String inside = text.substring(open + 1, text.length() - 1);
        for (String key : keys) {
            String plain = SanitizedText.flat(key);
            if (inside.startsWith(plain + ",")) {
                return new TxnRow.OpRow(name, key, value(inside.substring(plain.length() + 1)));
            }
            if (inside.equals(plain)) {
                return new TxnRow.OpRow(name, key, null);
            }
        }
        int comma = inside.indexOf(',');
        return comma < 0
                ? new TxnRow.OpRow(name, inside, null)
                : new TxnRow.OpRow(name, inside.substring(0, comma), value(inside.substring(comma + 1)));
    }

    private static @Nullable String value(String text) {
        return text.equals("_") ? null : text;
    }

    /** Returns a copy with only the operation at fault and those on the keys; unchanged without such operations. */
    public OpsText onKeys(int fault) {
        List<Op> onKeys =
                ops.stream().filter(op -> op.isOnKey || op.index == fault).toList();
        return onKeys.isEmpty() ? this : new OpsText(total, onKeys);
    }

    /** Returns a copy with at most about the given number of characters, at least {@value #MIN_CHARS}. */
    public OpsText cut(int fault, int maxChars) {
        if (ops.isEmpty() || (ops.size() == total && length() <= maxChars)) {
            return this;
        }
        int anchor = anchor(fault);
        int maxCells = Math.max(MIN_CHARS, maxChars) - GAP_CHARS;
        BitSet kept = new BitSet(ops.size());
        kept.set(anchor);
        int left = maxCells - ops.get(anchor).cut(maxCells).text().length() - 1;
        int maxCharsOfOthers = Math.max(MIN_OP_CHARS, maxCells / 4);
        left = keepNearest(kept, anchor, true, left, maxCharsOfOthers);
        keepNearest(kept, anchor, false, left, maxCharsOfOthers);
        List<Op> remaining = new ArrayList<>(kept.cardinality());
        for (int i = kept.nextSetBit(0); i >= 0; i = kept.nextSetBit(i + 1)) {
            remaining.add(ops.get(i).cut(i == anchor ? maxCells : maxCharsOfOthers));
        }
        return new OpsText(total, remaining);
    }

    private int anchor(int fault) {
        int firstOnKey = -1;
        for (int i = 0; i < ops.size(); i++) {
            if (ops.get(i).index == fault) {
                return i;
            }
            if (firstOnKey < 0 && ops.get(i).isOnKey) {
                firstOnKey = i;
            }
        }
        return Math.max(0, firstOnKey);
    }

    /** Keeps operations near the anchor as long as they fit; returns the number of remaining characters. */
    private int keepNearest(BitSet kept, int anchor, boolean onKeyOnly, int maxCells, int maxOpChars) {
        int left = maxCells;
        for (int distance = 1; distance < ops.size() && left > 0; distance++) {
            left = keep(kept, anchor - distance, onKeyOnly, left, maxOpChars);
            left = keep(kept, anchor + distance, onKeyOnly, left, maxOpChars);
        }
        return left;
    }

    private int keep(BitSet kept, int i, boolean onKeyOnly, int maxCells, int maxOpChars) {
        if (i < 0 || i >= ops.size() || kept.get(i) || (onKeyOnly && !ops.get(i).isOnKey)) {
            return maxCells;
        }
        // Away from its neighbors it opens a gap, whose count needs characters as well.
        boolean joins = (i > 0 && kept.get(i - 1)) || kept.get(i + 1);
        int needed = Math.min(ops.get(i).text().length(), maxOpChars) + 1 + (joins ? 0 : GAP_CHARS);
        if (needed > maxCells) {
            return 0;
        }
        kept.set(i);
        return maxCells - needed;
    }

    private long length() {
        long length = 0;
        for (Op op : ops) {
            length += op.text().length() + 1;
        }
        return length;
    }

    @Override
    public String toString() {
        return marked(-1);
    }

    /** Returns the text with one operation between {@code » «}. */
    public String marked(int fault) {
        StringBuilder text = new StringBuilder();
        int next = 0;
        for (Op op : ops) {
            appendGap(text, op.index - next);
            append(text, op.index == fault ? "»" + op.text() + "«" : op.text());
            next = op.index + 1;
        }
        appendGap(text, total - next);
        return text.toString();
    }

    private static void appendGap(StringBuilder text, int count) {
        if (count > 0) {
            append(text, GAP + count);
        }
    }

    private static void append(StringBuilder text, String token) {
        text.append(text.isEmpty() ? "" : " ").append(token);
    }

    /** One operation and its ordinal in the transaction. */
    public record NumberedOp(int index, String text) {

        /**
         * Returns the operation itself.
         *
         * @param keys known ones; an operation with none of them is divided at its first comma
         */
        public TxnRow.OpRow row(List<String> keys) {
            return OpsText.row(text, keys);
        }

        public boolean isOn(List<String> keys) {
            String key = row(keys).key();
            return key != null && keys.contains(key);
        }

        /** Returns the text, cut to about the given number of characters. */
        public String cut(int maxChars) {
            return new Op(index, text, false).cut(maxChars).text();
        }
    }

    /** An operation whose text is created when it is needed: most operations of a long transaction are cut. */
    private static final class Op {

        private final int index;
        private final boolean isOnKey;
        private final List<TxnRow.OpRow> rows;
        private @Nullable String text;

        Op(int index, List<TxnRow.OpRow> rows, boolean isOnKey) {
            this.index = index;
            this.rows = rows;
            this.isOnKey = isOnKey;
        }

        Op(int index, String text, boolean isOnKey) {
            this(index, List.of(), isOnKey);
            this.text = text;
        }

        String text() {
            if (text == null) {
                text = rows.get(index).text();
            }
            return text;
        }

        Op cut(int maxChars) {
            String whole = text();
            int comma = whole.indexOf(',');
            if (whole.length() <= maxChars || comma < 0) {
                return this;
            }
            String value = whole.substring(comma + 1, whole.length() - 1);
            String key = whole.substring(0, comma + 1);
            key = key.length() <= maxChars / 2 ? key : key.substring(0, maxChars / 2) + "…,";
            return new Op(index, key + ValueText.cut(value, maxChars - key.length() - 1) + ")", isOnKey);
        }
    }
}
