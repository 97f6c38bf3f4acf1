package io.nightjar.pipeline.check.cycle;

import io.nightjar.fixtures.small.SmallHistory;
import io.nightjar.fixtures.small.SmallHistory.Op;
import io.nightjar.fixtures.small.SmallHistory.Txn;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.pipeline.infer.VersionSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The dependencies of a small history straight from their definitions: all pairs, as matrices. */
final class ReferenceDependencies {

    /** Stands for the initial state among versions. */
    private static final String INITIAL = "initial state";

    final int count;
    final boolean[][] ww;
    final boolean[][] wr;
    final boolean[][] rw;
    final boolean[][] so;
    final boolean[][] rt;

    /** Two lists that were read have the same length and are both the longest, so that either could be the order. */
    boolean isContested;

    private final SmallHistory history;
    private final List<Txn> txns;
    private final boolean[] counts;

    ReferenceDependencies(SmallHistory history, Set<VersionSource> sources) {
        this.history = history;
        txns = history.txns();
        count = txns.size();
        ww = new boolean[count][count];
        wr = new boolean[count][count];
        rw = new boolean[count][count];
        so = new boolean[count][count];
        rt = new boolean[count][count];
        counts = new boolean[count];
        countOutcomes();
        for (String key : history.keys()) {
            if (isOf(key, OpKind.APPEND, Op::isRead, false)) {
                addList(key);
            } else if (isOf(key, OpKind.WRITE, Op::isRead, true)) {
                addRegister(key, sources);
            } else if (isOf(key, OpKind.ADD, Op::isRead, false)) {
                addSet(key);
            }
        }
        addOrders();
    }

    private boolean isOf(String key, byte writeKind, java.util.function.Predicate<Op> isRead, boolean scalar) {
        boolean fits = true;
        boolean isWritten = false;
        for (Txn txn : txns) {
            for (Op op : txn.opsOn(key)) {
                if (op.isWrite()) {
                    isWritten = true;
                    fits &= op.kind() == writeKind;
                } else if (isRead.test(op) && txn.status() == TxnStatus.COMMITTED) {
                    fits &= scalar ? op.elements() == null : op.value() == null;
                }
            }
        }
        return fits && isWritten;
    }

    private boolean isInitial(Op op) {
        return op.elements() == null && (op.value() == null || isInitialValue(op.key(), op.value()));
    }

    private boolean isInitialValue(String key, String value) {
        if (!Objects.equals(value, history.initialValue())) {
            return false;
        }
        for (Txn txn : txns) {
            for (Op op : txn.opsOn(key)) {
                if (txn.status() == TxnStatus.COMMITTED
                        && op.kind() == OpKind.WRITE
                        && op.value().equals(value)) {
                    return false;
                }
            }
        }
        return true;
    }

    private void countOutcomes() {
        for (int txn = 0; txn < count; txn++) {
            counts[txn] = txns.get(txn).status() == TxnStatus.COMMITTED;
        }
        for (boolean changes = true; changes; ) {
            changes = false;
            for (int reader = 0; reader < count; reader++) {
                for (Op op : counts[reader] ? txns.get(reader).ops() : List.<Op>of()) {
                    for (String seen : seenBy(op)) {
                        int writer = soleWriter(op.key(), seen);
                        if (writer >= 0 && !counts[writer] && txns.get(writer).status() == TxnStatus.UNKNOWN) {
                            counts[writer] = true;
                            changes = true;
                        }
                    }
                }
            }
        }
    }

    private List<String> seenBy(Op op) {
        if (!op.isRead() || isInitial(op)) {
            return List.of();
        }
        return op.elements() != null ? op.elements() : List.of(op.value());
    }

    /** The only transaction that may have left a value; an aborted one only if no other wrote it; else -1. */
    private int soleWriter(String key, String value) {
        int writer = -1;
        int aborted = -1;
        for (int txn = 0; txn < count; txn++) {
            for (Op op : txns.get(txn).opsOn(key)) {
                if (op.isWrite() && Objects.equals(op.value(), value)) {
                    if (txns.get(txn).status() == TxnStatus.ABORTED) {
                        aborted = aborted < 0 ? txn : aborted;
                    } else if (writer >= 0 && writer != txn) {
                        return -1;
                    } else {
                        writer = txn;
                    }
                }
            }
        }
        return writer >= 0 ? writer : aborted;
    }

    private int countedWriter(String key, String value) {
        int writer = soleWriter(key, value);
        return writer >= 0 && counts[writer] ? writer : -1;
    }

    private static void add(boolean[][] relation, int from, int to) {
        if (from >= 0 && to >= 0 && from != to) {
            relation[from][to] = true;
        }
    }

    private boolean isCommitted(int txn) {
        return txns.get(txn).status() == TxnStatus.COMMITTED;
    }

    // ---------------------------------------------------------------- lists

    private void addList(String key) {
        List<String> trunk = List.of();
        for (int txn = 0; txn < count; txn++) {
            for (Op op : txns.get(txn).opsOn(key)) {
                if (isCommitted(txn) && op.elements() != null) {
                    isContested |= op.elements().size() == trunk.size()
                            && !op.elements().equals(trunk);
                    trunk = op.elements().size() > trunk.size() ? op.elements() : trunk;
                }
            }
        }
        List<String> order = new ArrayList<>(); // those whose writer counts, first occurrences
        List<Integer> positions = new ArrayList<>();
        Set<String> met = new HashSet<>();
        for (int position = 0; position < trunk.size(); position++) {
            if (met.add(trunk.get(position)) && countedWriter(key, trunk.get(position)) >= 0) {
                order.add(trunk.get(position));
                positions.add(position);
            }
        }
        Map<Integer, String> unread = unreadAppends(key, met);
        for (int i = 1; i < order.size(); i++) {
            add(ww, countedWriter(key, order.get(i - 1)), countedWriter(key, order.get(i)));
        }
        if (!order.isEmpty()) {
            for (int writer : unread.keySet()) {
                add(ww, countedWriter(key, order.get(order.size() - 1)), writer);
            }
        }
        for (int txn = 0; txn < count; txn++) {
            boolean wrote = false;
            for (Op op : txns.get(txn).opsOn(key)) {
                wrote |= op.isWrite();
                if (op.isRead() && isCommitted(txn)) {
                    addListRead(key, txn, op, wrote, trunk, order, positions, unread);
                }
            }
        }
    }

    /** Returns, by writer, the last of its appends if no transaction saw it. */
    private Map<Integer, String> unreadAppends(String key, Set<String> read) {
        Map<Integer, String> unread = new LinkedHashMap<>();
        for (int txn = 0; txn < count; txn++) {
            List<Op> ops = txns.get(txn).opsOn(key);
            for (int i = ops.size() - 1; i >= 0; i--) {
                if (ops.get(i).isWrite()) {
                    String last = ops.get(i).value();
                    if (counts[txn] && countedWriter(key, last) == txn && !read.contains(last)) {
                        unread.put(txn, last);
                    }
                    break;
                }
            }
        }
        return unread;
    }

    private void addListRead(
            String key,
            int txn,
            Op op,
            boolean wrote,
            List<String> trunk,
            List<String> order,
            List<Integer> positions,
            Map<Integer, String> unread) {
        List<String> seen = op.elements() == null ? List.of() : op.elements();
        boolean isPrefix =
                seen.size() <= trunk.size() && trunk.subList(0, seen.size()).equals(seen);
        if (!seen.isEmpty()) {
            String last = seen.get(seen.size() - 1);
            boolean isFirst = trunk.indexOf(last) == seen.size() - 1;
            if (!isPrefix || isFirst) {
                add(wr, countedWriter(key, last), txn);
                if (isPrefix && countedWriter(key, last) == txn) {
                    return;
                }
            }
        }
        if (!isPrefix || wrote) {
            return;
        }
        for (int i = 0; i < order.size(); i++) {
            if (positions.get(i) >= seen.size()) {
                add(rw, txn, countedWriter(key, order.get(i)));
                return;
            }
        }
        unread.keySet().forEach(writer -> add(rw, txn, writer));
    }

    // ---------------------------------------------------------------- sets

    private void addSet(String key) {
        for (int reader = 0; reader < count; reader++) {
            for (Op read : txns.get(reader).opsOn(key)) {
                for (int writer = 0; writer < count && read.isRead() && isCommitted(reader); writer++) {
                    for (Op added : txns.get(writer).opsOn(key)) {
                        if (added.isWrite() && countedWriter(key, added.value()) == writer) {
                            boolean isSeen =
                                    read.elements() != null && read.elements().contains(added.value());
                            add(isSeen ? wr : rw, isSeen ? writer : reader, isSeen ? reader : writer);
                        }
                    }
                }
            }
        }
    }

    // ---------------------------------------------------------------- registers

    private void addRegister(String key, Set<VersionSource> sources) {
        Set<List<String>> before = new HashSet<>(); // pairs of versions
        for (VersionSource source : VersionSource.values()) {
            if (sources.contains(source)) {
                Set<List<String>> more = new HashSet<>(before);
                more.addAll(pairs(key, source));
                Set<List<String>> closed = closure(more);
                boolean isCyclic = closed.stream().anyMatch(pair -> pair.get(0).equals(pair.get(1)))
                        || closed.stream().anyMatch(pair -> pair.get(1).equals(INITIAL));
                before = isCyclic ? before : more;
            }
        }
        before = closure(before);
        Set<String> finals = new HashSet<>();
        for (int txn = 0; txn < count; txn++) {
            for (Op op : txns.get(txn).opsOn(key)) {
                if (counts[txn]
                        && op.isWrite()
                        && usable(key, op.value()) != null
                        && countedWriter(key, op.value()) == txn) {
                    finals.add(op.value());
                }
            }
        }
        for (List<String> pair : before) {
            if (finals.contains(pair.get(0)) && finals.contains(pair.get(1))) {
                add(ww, countedWriter(key, pair.get(0)), countedWriter(key, pair.get(1)));
            }
        }
        for (int txn = 0; txn < count; txn++) {
            boolean wrote = false;
            for (Op op : txns.get(txn).opsOn(key)) {
                wrote |= op.isWrite();
                if (!op.isRead() || !isCommitted(txn) || wrote) {
                    continue;
                }
                if (!isInitial(op)) {
                    add(wr, countedWriter(key, op.value()), txn);
                }
                for (String next : finals) {
                    boolean isBefore = isInitial(op) || before.contains(List.of(op.value(), next));
                    if (isBefore && !next.equals(op.value())) {
                        add(rw, txn, countedWriter(key, next));
                    }
                }
            }
        }
    }

    /** A value that can stand in an order of versions, or null. */
    private String usable(String key, String value) {
        int writers = 0;
        int alive = 0;
        for (Txn txn : txns) {
            boolean wrote = txn.opsOn(key).stream()
                    .anyMatch(op -> op.isWrite() && op.value().equals(value));
            writers += wrote ? 1 : 0;
            alive += wrote && txn.status() != TxnStatus.ABORTED ? 1 : 0;
        }
        if (alive > 1) {
            return null;
        }
        int writer = soleWriter(key, value);
        if (writers == 0 || writer < 0) {
            return value;
        }
        String last = null;
        for (Op op : txns.get(writer).opsOn(key)) {
            last = op.isWrite() ? op.value() : last;
        }
        return value.equals(last) ? value : null;
    }

    private record Access(int txn, String found, String left) {

        String begin() {
            return found != null ? found : left;
        }

        String end() {
            return left != null ? left : found;
        }
    }

    private Access access(String key, int txn) {
        String found = null;
        String left = null;
        boolean isFirst = true;
        for (Op op : txns.get(txn).opsOn(key)) {
            if (op.isRead() && !isCommitted(txn)) {
                continue;
            }
            if (op.isWrite()) {
                left = usable(key, op.value());
            } else if (isFirst) {
                found = isInitial(op) ? INITIAL : usable(key, op.value());
            }
            isFirst = false;
        }
        return new Access(txn, found, left);
    }

    private Set<List<String>> pairs(String key, VersionSource source) {
        Set<List<String>> pairs = new HashSet<>();
        List<Access> all = new ArrayList<>();
        for (int txn = 0; txn < count; txn++) {
            if (counts[txn]) {
                all.add(access(key, txn));
            }
        }
        for (Access first : all) {
            addPair(pairs, first.found, first.left); // all these sources have a key go forward inside a transaction
            for (Access second : all) {
                if (source == VersionSource.SESSION && precedesInSession(first.txn, second.txn)) {
                    addPair(pairs, first.end(), second.begin());
                }
                if (source == VersionSource.REALTIME && precedesInTime(first.txn, second.txn)) {
                    for (String earlier : new String[] {first.found, first.left}) {
                        addPair(pairs, earlier, second.found);
                        addPair(pairs, earlier, second.left);
                    }
                }
            }
        }
        return pairs;
    }

    private static void addPair(Set<List<String>> pairs, String from, String to) {
        if (from != null && to != null && !from.equals(to) && !from.equals(INITIAL)) {
            pairs.add(List.of(from, to));
        }
    }

    private static Set<List<String>> closure(Set<List<String>> pairs) {
        Set<List<String>> closed = new HashSet<>(pairs);
        for (boolean changes = true; changes; ) {
            Set<List<String>> more = new HashSet<>();
            for (List<String> first : closed) {
                for (List<String> second : closed) {
                    if (first.get(1).equals(second.get(0))) {
                        more.add(List.of(first.get(0), second.get(1)));
                    }
                }
            }
            changes = closed.addAll(more);
        }
        return closed;
    }

    // ---------------------------------------------------------------- orders

    private boolean precedesInSession(int first, int second) {
        return txns.get(first).session() == txns.get(second).session()
                && txns.get(first).seq() < txns.get(second).seq();
    }

    private boolean precedesInTime(int first, int second) {
        Txn earlier = txns.get(first);
        Txn later = txns.get(second);
        return earlier.status() == TxnStatus.COMMITTED
                && isForward(earlier)
                && isForward(later)
                && earlier.commit() != HistorySlice.NONE
                && later.start() != HistorySlice.NONE
                && earlier.commit() < later.start();
    }

    private static boolean isForward(Txn txn) {
        return txn.start() == HistorySlice.NONE || txn.commit() == HistorySlice.NONE || txn.start() <= txn.commit();
    }

    private void addOrders() {
        for (int first = 0; first < count; first++) {
            for (int second = 0; second < count; second++) {
                if (counts[first] && counts[second]) {
                    so[first][second] = precedesInSession(first, second);
                    rt[first][second] = precedesInTime(first, second);
                }
            }
        }
    }

    /** What is asked of all cycles together. */
    static boolean hasCycle(boolean[][]... relations) {
        boolean[][] all = union(relations);
        close(all);
        for (int node = 0; node < all.length; node++) {
            if (all[node][node]) {
                return true;
            }
        }
        return false;
    }

    static boolean[][] union(boolean[][]... relations) {
        int size = relations[0].length;
        boolean[][] all = new boolean[size][size];
        for (boolean[][] relation : relations) {
            for (int i = 0; i < size; i++) {
                for (int j = 0; j < size; j++) {
                    all[i][j] |= relation[i][j];
                }
            }
        }
        return all;
    }

    static void close(boolean[][] relation) {
        int size = relation.length;
        for (int via = 0; via < size; via++) {
            for (int i = 0; i < size; i++) {
                for (int j = 0; j < size; j++) {
                    relation[i][j] |= relation[i][via] && relation[via][j];
                }
            }
        }
    }

    /** Whether a cycle has exactly one rw edge beside others. */
    static boolean hasSingle(boolean[][] rw, boolean[][] others) {
        boolean[][] reach = union(others);
        close(reach);
        for (int i = 0; i < rw.length; i++) {
            for (int j = 0; j < rw.length; j++) {
                if (rw[i][j] && reach[j][i]) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether others, each followed by at most one rw edge, lead in a circle. */
    static boolean hasSeparate(boolean[][] rw, boolean[][] others) {
        int size = rw.length;
        boolean[][] hops = union(others);
        for (int i = 0; i < size; i++) {
            for (int j = 0; j < size; j++) {
                for (int to = 0; others[i][j] && to < size; to++) {
                    hops[i][to] |= rw[j][to];
                }
            }
        }
        return hasCycle(hops);
    }
}
