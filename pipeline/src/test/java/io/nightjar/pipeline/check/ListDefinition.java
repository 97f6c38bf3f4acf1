package io.nightjar.pipeline.check;

import io.nightjar.fixtures.small.SmallHistory;
import io.nightjar.fixtures.small.SmallHistory.Op;
import io.nightjar.fixtures.small.SmallHistory.Txn;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.level.IsolationLevel;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The six levels of a list history of a few transactions by their definition: tries every commit order. Shares no code with any
 * checker, nor with what prepares histories for them.
 */
public final class ListDefinition {

    /*
     * Definitions. The log of a key is what transactions appended to it, one transaction after the other in commit order. A
     * list that a transaction read is a snapshot's list with the own appends so far behind: what stands before them is the
     * log as some transaction t1 left it, or empty. t1 and all before it in the log are read from. The axioms are those of
     * Biswas and Enea, as in ReferenceLevels.
     *
     * Counted are committed transactions, and those of unknown outcome of which a counted one read an element.
     */

    private static final int INITIAL = -1;

    private final List<Txn> counted = new ArrayList<>();
    private final List<Read> reads = new ArrayList<>();
    private final Set<IsolationLevel> holding = EnumSet.noneOf(IsolationLevel.class);
    private boolean isOwnShown = true;

    /** What a transaction read from outside, in the order of its operations. */
    private record Read(int reader, String key, List<String> outside) {}

    private ListDefinition(SmallHistory history) {
        count(history);
        for (int reader = 0; reader < counted.size(); reader++) {
            if (counted.get(reader).status() == TxnStatus.COMMITTED) {
                addReads(reader);
            }
        }
        if (isOwnShown) {
            tryOrders(new ArrayList<>());
        }
    }

    /** Returns the levels that a history satisfies; its reads are of lists. */
    public static Set<IsolationLevel> holding(SmallHistory history) {
        return new ListDefinition(history).holding;
    }

    private void count(SmallHistory history) {
        history.txns().stream()
                .filter(txn -> txn.status() == TxnStatus.COMMITTED)
                .forEach(counted::add);
        for (int reader = 0; reader < counted.size(); reader++) {
            Set<String> seen = new HashSet<>();
            counted.get(reader).ops().stream().filter(Op::isRead).forEach(op -> op.elements()
                    .forEach(element -> seen.add(op.key() + " " + element)));
            for (Txn writer : history.txns()) {
                boolean isRead = writer.ops().stream()
                        .anyMatch(op -> op.isWrite() && seen.contains(op.key() + " " + op.value()));
                if (isRead && writer.status() == TxnStatus.UNKNOWN && !counted.contains(writer)) {
                    counted.add(writer);
                }
            }
        }
    }

    private void addReads(int reader) {
        List<Op> before = new ArrayList<>();
        for (Op op : counted.get(reader).ops()) {
            if (op.isRead()) {
                List<String> own = before.stream()
                        .filter(Op::isWrite)
                        .filter(earlier -> earlier.key().equals(op.key()))
                        .map(Op::value)
                        .toList();
                int outside = op.elements().size() - own.size();
                isOwnShown &= outside >= 0
                        && op.elements()
                                .subList(Math.max(0, outside), op.elements().size())
                                .equals(own);
                reads.add(new Read(reader, op.key(), op.elements().subList(0, Math.max(0, outside))));
            }
            before.add(op);
        }
    }

    private List<String> appends(int txn, String key) {
        return counted.get(txn).ops().stream()
                .filter(op -> op.isWrite() && op.key().equals(key))
                .map(Op::value)
                .toList();
    }

    private void tryOrders(List<Integer> order) {
        if (order.size() == counted.size()) {
            check(order);
            return;
        }
        for (int next = 0; next < counted.size(); next++) {
            if (!order.contains(next) && keepsSession(order, next)) {
                order.add(next);
                tryOrders(order);
                order.remove(order.size() - 1);
            }
        }
    }

    private boolean keepsSession(List<Integer> order, int next) {
        for (int earlier = 0; earlier < counted.size(); earlier++) {
            if (isEarlierInSession(earlier, next) && !order.contains(earlier)) {
                return false;
            }
        }
        return true;
    }

    private boolean isEarlierInSession(int earlier, int txn) {
        return counted.get(earlier).session() == counted.get(txn).session()
                && counted.get(earlier).seq() < counted.get(txn).seq();
    }

    private void check(List<Integer> order) {
        int count = counted.size();
        int[] positionOf = new int[count];
        for (int position = 0; position < count; position++) {
            positionOf[order.get(position)] = position;
        }
        boolean[][] isDirect = new boolean[count][count]; // so and wr: from, to
        for (int from = 0; from < count; from++) {
            for (int to = 0; to < count; to++) {
                isDirect[from][to] = isEarlierInSession(from, to);
            }
        }
        int[] writerOf = new int[reads.size()];
        List<Set<Integer>> readFrom = new ArrayList<>();
        for (int read = 0; read < reads.size(); read++) {
            List<Integer> shown = shown(order, reads.get(read));
            if (shown == null) {
                return;
            }
            writerOf[read] = shown.isEmpty() ? INITIAL : shown.get(shown.size() - 1);
            readFrom.add(new HashSet<>(shown));
            for (int writer : shown) {
                if (positionOf[writer] >= positionOf[reads.get(read).reader()]) {
                    return; // who is read from comes before
                }
                isDirect[writer][reads.get(read).reader()] = true;
            }
        }
        boolean[][] isCausal = closed(isDirect);
        for (IsolationLevel level : IsolationLevel.all()) {
            if (!holding.contains(level) && satisfies(level, positionOf, isDirect, isCausal, writerOf, readFrom)) {
                holding.add(level);
            }
        }
    }

    /** Returns whose appends a list shows: the first ones of the log, whole. Null if it shows something else. */
    private List<Integer> shown(List<Integer> order, Read read) {
        List<String> log = new ArrayList<>();
        List<Integer> writers = new ArrayList<>();
        for (int txn : order) {
            if (log.size() == read.outside().size()) {
                break;
            }
            List<String> appends = appends(txn, read.key());
            if (!appends.isEmpty()) {
                log.addAll(appends);
                writers.add(txn);
            }
        }
        return log.equals(read.outside()) && !writers.contains(read.reader()) ? writers : null;
    }

    private static boolean[][] closed(boolean[][] relation) {
        int count = relation.length;
        boolean[][] closed = new boolean[count][];
        for (int from = 0; from < count; from++) {
            closed[from] = relation[from].clone();
        }
        for (int via = 0; via < count; via++) {
            for (int from = 0; from < count; from++) {
                for (int to = 0; to < count; to++) {
                    closed[from][to] |= closed[from][via] && closed[via][to];
                }
            }
        }
        return closed;
    }

    private boolean satisfies(
            IsolationLevel level,
            int[] positionOf,
            boolean[][] isDirect,
            boolean[][] isCausal,
            int[] writerOf,
            List<Set<Integer>> readFrom) {
        for (int read = 0; read < reads.size(); read++) {
            int t1 = writerOf[read];
            int t3 = reads.get(read).reader();
            for (int t2 = 0; t2 < counted.size(); t2++) {
                if (t2 == t1 || appends(t2, reads.get(read).key()).isEmpty()) {
                    continue;
                }
                boolean isRelated =
                        switch (level) {
                            case READ_COMMITTED -> isReadBefore(read, t2, readFrom);
                            case READ_ATOMIC -> isDirect[t2][t3];
                            case CAUSAL -> isCausal[t2][t3];
                            case PREFIX -> isBeforeSeen(t2, t3, positionOf, isDirect);
                            case SNAPSHOT_ISOLATION ->
                                isBeforeSeen(t2, t3, positionOf, isDirect) || isBeforeConflicting(t2, t3, positionOf);
                            default -> positionOf[t2] < positionOf[t3];
                        };
                if (isRelated && (t1 == INITIAL || positionOf[t2] > positionOf[t1])) {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean isReadBefore(int read, int writer, List<Set<Integer>> readFrom) {
        for (int earlier = 0; earlier < read; earlier++) {
            if (reads.get(earlier).reader() == reads.get(read).reader()
                    && readFrom.get(earlier).contains(writer)) {
                return true;
            }
        }
        return false;
    }

    private boolean isBeforeSeen(int t2, int t3, int[] positionOf, boolean[][] isDirect) {
        for (int t4 = 0; t4 < counted.size(); t4++) {
            if (isDirect[t4][t3] && positionOf[t2] <= positionOf[t4]) {
                return true;
            }
        }
        return false;
    }

    private boolean isBeforeConflicting(int t2, int t3, int[] positionOf) {
        for (int t4 = 0; t4 < counted.size(); t4++) {
            if (positionOf[t2] <= positionOf[t4] && positionOf[t4] < positionOf[t3] && shareAppend(t4, t3)) {
                return true;
            }
        }
        return false;
    }

    private boolean shareAppend(int txn, int other) {
        return counted.get(txn).ops().stream()
                .anyMatch(op -> op.isWrite() && !appends(other, op.key()).isEmpty());
    }
}
