package io.nightjar.datasets.random;

import io.nightjar.datasets.random.SmallHistory.Op;
import io.nightjar.datasets.random.SmallHistory.Txn;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The part of the notation that small histories need: {@code s1 T1 [10,12]: w(x,1) r(y,_)}.
 *
 * <p>{@code T1!} is aborted, {@code T1?} unknown, {@code [10,_]} lacks a commit timestamp; the position in a session is
 * the position among its lines. {@code # initial-value: 0} gives the value that means the initial state.
 */
final class SmallNotation {

    private static final Pattern LINE =
            Pattern.compile("s(-?\\d+)\\s+T(-?\\d+)([!?]?)\\s*(?:\\[(-?\\d+|_),\\s*(-?\\d+|_)])?([!?]?)\\s*:(.*)");
    private static final Pattern OP = Pattern.compile("\\s*(r|w|append|add|inc)\\(([^,()]+),(\\[[^\\]]*]|[^,()]*)\\)");
    private static final Pattern INITIAL_VALUE = Pattern.compile("#\\s*initial-value:\\s*(\\S+)\\s*");

    private SmallNotation() {}

    static String print(SmallHistory history) {
        StringBuilder text = new StringBuilder();
        if (history.initialValue() != null) {
            text.append("# initial-value: ").append(history.initialValue()).append('\n');
        }
        List<Txn> rows = inSessionOrder(history.txns());
        rows.forEach(txn -> text.append(line(txn)).append('\n'));
        return text.toString();
    }

    /** Rows where they are, but the rows of one session among themselves by position. */
    private static List<Txn> inSessionOrder(List<Txn> rows) {
        List<Txn> ordered = new ArrayList<>(rows);
        for (int i = 0; i < ordered.size(); i++) {
            for (int j = i + 1; j < ordered.size(); j++) {
                Txn first = ordered.get(i);
                Txn second = ordered.get(j);
                if (first.session() == second.session() && first.seq() > second.seq()) {
                    ordered.set(i, second);
                    ordered.set(j, first);
                }
            }
        }
        return ordered;
    }

    static String line(Txn txn) {
        StringBuilder line = new StringBuilder();
        line.append('s').append(txn.session()).append(" T").append(txn.id());
        if (txn.status() != TxnStatus.COMMITTED) {
            line.append(txn.status() == TxnStatus.ABORTED ? '!' : '?');
        }
        if (txn.start() != HistorySlice.NONE || txn.commit() != HistorySlice.NONE) {
            line.append(" [").append(timestamp(txn.start())).append(',').append(timestamp(txn.commit()));
            line.append(']');
        }
        line.append(':');
        for (Op op : txn.ops()) {
            line.append(' ').append(OpKind.name(op.kind())).append('(').append(op.key());
            line.append(',').append(result(op)).append(')');
        }
        return line.toString();
    }

    private static String result(Op op) {
        if (op.elements() != null) {
            return "[" + String.join(",", op.elements()) + "]";
        }
        return op.value() == null ? "_" : op.value();
    }

    private static String timestamp(long ts) {
        return ts == HistorySlice.NONE ? "_" : Long.toString(ts);
    }

    static SmallHistory parse(String text) {
        List<Txn> txns = new ArrayList<>();
        Map<Long, Long> nextSeqOf = new HashMap<>();
        String initialValue = null;
        for (String raw : text.split("\n")) {
            Matcher initial = INITIAL_VALUE.matcher(raw.strip());
            if (initial.matches()) {
                initialValue = initial.group(1);
            }
            String line = raw.replaceFirst("#.*", "").strip();
            if (!line.isEmpty()) {
                txns.add(txn(line, nextSeqOf));
            }
        }
        return new SmallHistory(txns, initialValue);
    }

    private static Txn txn(String line, Map<Long, Long> nextSeqOf) {
        Matcher matcher = LINE.matcher(line);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("not a transaction in notation: line=" + line);
        }
        long session = Long.parseLong(matcher.group(1));
        long seq = nextSeqOf.merge(session, 1L, Long::sum) - 1;
        byte status =
                switch (matcher.group(3) + matcher.group(6)) {
                    case "" -> TxnStatus.COMMITTED;
                    case "!" -> TxnStatus.ABORTED;
                    case "?" -> TxnStatus.UNKNOWN;
                    default -> throw new IllegalArgumentException("two marks of status: line=" + line);
                };
        long start = timestampOf(matcher.group(4));
        long commit = timestampOf(matcher.group(5));
        return new Txn(
                Long.parseLong(matcher.group(2)), session, seq, status, start, commit, ops(matcher.group(7), line));
    }

    private static long timestampOf(String text) {
        return text == null || text.equals("_") ? HistorySlice.NONE : Long.parseLong(text);
    }

    private static List<Op> ops(String text, String line) {
        List<Op> ops = new ArrayList<>();
        Matcher matcher = OP.matcher(text);
        int end = 0;
        while (matcher.find(end) && matcher.start() == end) {
            ops.add(op(
                    matcher.group(1), matcher.group(2).strip(), matcher.group(3).strip()));
            end = matcher.end();
        }
        if (!text.substring(end).isBlank()) {
            throw new IllegalArgumentException("not an operation in notation: line=" + line);
        }
        return ops;
    }

    private static Op op(String name, String key, String result) {
        if (!name.equals("r")) {
            return new Op((byte) OpKind.writeCode(name), key, result, null);
        }
        if (!result.startsWith("[")) {
            return Op.read(key, result.equals("_") ? null : result);
        }
        List<String> elements = new ArrayList<>();
        for (String element : result.substring(1, result.length() - 1).split(",")) {
            if (!element.isBlank()) {
                elements.add(element.strip());
            }
        }
        return Op.readList(key, elements);
    }
}
