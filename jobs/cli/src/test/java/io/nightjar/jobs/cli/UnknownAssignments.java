package io.nightjar.jobs.cli;

import io.nightjar.fixtures.small.SmallHistory;
import io.nightjar.fixtures.small.SmallHistory.Op;
import io.nightjar.fixtures.small.SmallHistory.Txn;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The six levels of a small history of registers and lists by their definitions, over every assignment of outcomes to
 * its unknown transactions. Shares no code with the checks that it is compared with.
 */
final class UnknownAssignments {

    /*
     * An assignment names the writer of every value that was read, if several wrote it one of them. That determines the
     * transactions that count: the committed ones, and unknown ones that a counting transaction has read from. The
     * reads of unknown ones determine no more.
     *
     * A level holds for an assignment if some order of the counting transactions, which keeps sessions and puts writers
     * before their readers, fulfills Biswas and Enea's axiom (their figure 2): a transaction that writes a key that was
     * read, and that the level relates to the reader, precedes the writer. Every list that was read is a state of the
     * list: all elements that its first writers in that order appended, directly followed by the reader's own appends
     * so far. It is read from the last of the other writers, and all of them are observed.
     *
     * Sets of transactions are bits of an int.
     */

    private static final int INITIAL = -1;
    private static final int MAX_WAYS = 256;

    private final SmallHistory history;
    private final List<Txn> txns;
    private final List<Sight> sights = new ArrayList<>();
    private final Set<IsolationLevel> sometimes = EnumSet.noneOf(IsolationLevel.class);
    private int wayCount;
    private boolean isOpen;

    /** A value that was read, and all possible writers of it. */
    private record Sight(int reader, int op, boolean isFromCountedOnly, List<Integer> writers) {}

    /** A read of another transaction's write. {@code seen} are its transaction's sights before this read. */
    private record Read(String key, int writer, int reader, int seen) {}

    private UnknownAssignments(SmallHistory history) {
        this.history = history;
        txns = history.txns().stream()
                .sorted(Comparator.comparingLong(Txn::session).thenComparingLong(Txn::seq))
                .toList();
    }

    /** Returns null if the assignments are too many to try. */
    static UnknownAssignments of(SmallHistory history) {
        UnknownAssignments all = new UnknownAssignments(history);
        all.findSights();
        long ways = 1;
        for (Sight sight : all.sights) {
            ways *= sight.writers.size();
            if (ways > MAX_WAYS) {
                return null;
            }
        }
        all.tryWays(new int[all.sights.size()], 0);
        return all;
    }

    /** Returns the permitted verdicts of a level. */
    Set<Verdict> allowed(IsolationLevel level) {
        Set<Verdict> allowed = EnumSet.noneOf(Verdict.class);
        allowed.add(sometimes.contains(level) ? Verdict.HOLDS : Verdict.VIOLATED);
        if (isOpen) {
            allowed.add(Verdict.UNDECIDED);
        }
        return allowed;
    }

    boolean hasUnknownThatCounts() {
        return sights.stream()
                .anyMatch(sight -> txns.get(sight.reader).status() == TxnStatus.COMMITTED
                        && sight.writers.stream()
                                .anyMatch(txn -> txn != INITIAL && txns.get(txn).status() == TxnStatus.UNKNOWN));
    }

    // ---------------------------------------------------------------- possible writers

    private void findSights() {
        for (int txn = 0; txn < txns.size(); txn++) {
            for (int op = 0; op < txns.get(txn).ops().size() && txns.get(txn).status() != TxnStatus.ABORTED; op++) {
                Op read = txns.get(txn).ops().get(op);
                if (read.kind() == OpKind.READ) {
                    findRegisterSight(txn, op, read);
                } else if (read.kind() == OpKind.READ_LIST) {
                    for (String element : read.elements()) {
                        findElementSight(txn, read.key(), element);
                    }
                    isOpen |= isCommitted(txn) && showsAPart(txn, op, read);
                }
            }
        }
    }

    private void findRegisterSight(int txn, int op, Op read) {
        List<String> own = written(txns.get(txn).ops().subList(0, op), read.key());
        if (!own.isEmpty() && own.get(own.size() - 1).equals(read.value())) {
            return;
        }
        List<Integer> writers = writersOf(read.key(), read.value());
        if (isInitial(read)) {
            List<Integer> sources = new ArrayList<>(List.of(INITIAL));
            writers.stream().filter(this::isUnknown).forEach(sources::add);
            isOpen |= sources.size() > 1;
            sights.add(new Sight(txn, op, true, sources));
            return;
        }
        isOpen |= writers.size() > 1;
        List<Integer> possible = writers.stream()
                .filter(writer -> writer != txn && !isAborted(writer))
                .toList();
        List<Integer> sources = possible.isEmpty() ? writers : possible;
        if (!sources.isEmpty()) {
            sights.add(new Sight(txn, op, false, sources));
        }
    }

    private void findElementSight(int txn, String key, String element) {
        List<Integer> writers = writersOf(key, element);
        isOpen |= writers.size() > 1;
        List<Integer> possible =
                writers.stream().filter(writer -> !isAborted(writer)).toList();
        if (!possible.isEmpty()) {
            sights.add(new Sight(txn, INITIAL, false, possible));
        }
    }

    /**
     * Returns whether a list has some but not all of a transaction's appends, or something was appended more than once.
     */
    private boolean showsAPart(int reader, int op, Op read) {
        int own = written(txns.get(reader).ops().subList(0, op), read.key()).size();
        List<String> elements =
                read.elements().subList(0, Math.max(0, read.elements().size() - own));
        for (int txn = 0; txn < txns.size(); txn++) {
            List<String> appended = written(txns.get(txn).ops(), read.key());
            List<String> shown = elements.stream().filter(appended::contains).toList();
            boolean isRepeated = new LinkedHashSet<>(appended).size() < appended.size();
            if (txn != reader && !shown.isEmpty() && (isRepeated || !shown.equals(appended))) {
                return true;
            }
            if (isRepeated && appended.stream().anyMatch(read.elements()::contains)) {
                return true;
            }
        }
        return false;
    }

    private List<Integer> writersOf(String key, String value) {
        List<Integer> writers = new ArrayList<>();
        for (int txn = 0; txn < txns.size(); txn++) {
            if (written(txns.get(txn).ops(), key).contains(value)) {
                writers.add(txn);
            }
        }
        return writers;
    }

    private boolean isInitial(Op read) {
        return read.value() == null
                || read.value().equals(history.initialValue())
                        && writersOf(read.key(), read.value()).stream().noneMatch(this::isCommitted);
    }

    private static List<String> written(List<Op> ops, String key) {
        return ops.stream()
                .filter(op -> op.isWrite() && op.key().equals(key))
                .map(Op::value)
                .toList();
    }

    private boolean isCommitted(int txn) {
        return txns.get(txn).status() == TxnStatus.COMMITTED;
    }

    private boolean isUnknown(int txn) {
        return txns.get(txn).status() == TxnStatus.UNKNOWN;
    }

    private boolean isAborted(int txn) {
        return txns.get(txn).status() == TxnStatus.ABORTED;
    }

    // ---------------------------------------------------------------- all ways

    private void tryWays(int[] writerOf, int next) {
        if (next < sights.size()) {
            for (int writer : sights.get(next).writers) {
                writerOf[next] = writer;
                tryWays(writerOf, next + 1);
            }
            return;
        }
        int counted = counted(writerOf);
        for (int sight = 0; sight < writerOf.length; sight++) {
            int writer = writerOf[sight];
            if (sights.get(sight).isFromCountedOnly && writer != INITIAL && (counted & 1 << writer) == 0) {
                return; // a transaction that wrote the initial value and does not count has not been read from
            }
        }
        wayCount++;
        Set<IsolationLevel> holding = new Way(counted, writerOf).holding();
        sometimes.addAll(holding);
    }

    int wayCount() {
        return wayCount;
    }

    private int counted(int[] writerOf) {
        int counted = 0;
        for (int txn = 0; txn < txns.size(); txn++) {
            counted |= isCommitted(txn) ? 1 << txn : 0;
        }
        int before;
        do {
            before = counted;
            for (int sight = 0; sight < writerOf.length; sight++) {
                int writer = writerOf[sight];
                boolean counts = writer != INITIAL
                        && isUnknown(writer)
                        && !sights.get(sight).isFromCountedOnly
                        && (counted & 1 << sights.get(sight).reader) != 0;
                counted |= counts ? 1 << writer : 0;
            }
        } while (counted != before);
        return counted;
    }

    /** The history under an assignment, and all orders of it. */
    private final class Way {

        private final int counted;
        private final Map<Integer, Integer> writerOfRead = new HashMap<>();
        private final Set<IsolationLevel> holding = EnumSet.noneOf(IsolationLevel.class);
        private final int[] order = new int[txns.size()];
        private final int[] before = new int[txns.size()];

        Way(int counted, int[] writerOf) {
            this.counted = counted;
            for (int i = 0; i < writerOf.length; i++) {
                Sight sight = sights.get(i);
                if (sight.op != INITIAL) {
                    writerOfRead.put(sight.reader << 16 | sight.op, writerOf[i]);
                }
            }
        }

        Set<IsolationLevel> holding() {
            place(0, 0);
            return holding;
        }

        private void place(int placed, int count) {
            if (placed == counted) {
                tryOrder(count);
                return;
            }
            for (int next = 0;
                    next < txns.size() && holding.size() < IsolationLevel.all().size();
                    next++) {
                boolean isFree = (counted & ~placed & 1 << next) != 0;
                if (isFree && (earlierInSession(next) & ~placed) == 0) {
                    before[next] = placed;
                    order[count] = next;
                    if (!isCommitted(next) || findReads(next, count, new int[1], new ArrayList<>())) {
                        place(placed | 1 << next, count + 1);
                    }
                }
            }
        }

        private int earlierInSession(int txn) {
            int earlier = 0;
            for (int other = 0; other < txn; other++) {
                boolean isSession = txns.get(other).session() == txns.get(txn).session();
                earlier |= isSession ? counted & 1 << other : 0;
            }
            return earlier;
        }

        private void tryOrder(int count) {
            List<Read> reads = new ArrayList<>();
            int[] directly = new int[txns.size()];
            for (int position = 0; position < count; position++) {
                int txn = order[position];
                int[] seen = new int[1];
                if (isCommitted(txn) && !findReads(txn, position, seen, reads)) {
                    throw new AssertionError("placed already: place=" + position);
                }
                directly[txn] = seen[0] | earlierInSession(txn);
            }
            int[] causally = directly.clone();
            for (int position = 0; position < count; position++) {
                for (int earlier = 0; earlier < position; earlier++) {
                    boolean isBefore = (causally[order[position]] & 1 << order[earlier]) != 0;
                    causally[order[position]] |= isBefore ? causally[order[earlier]] : 0;
                }
            }
            for (IsolationLevel level : IsolationLevel.all()) {
                if (!holding.contains(level)
                        && reads.stream().allMatch(read -> isRight(read, related(level, read, directly, causally)))) {
                    holding.add(level);
                }
            }
        }

        private boolean isRight(Read read, int related) {
            int older = read.writer == INITIAL ? 0 : before[read.writer] | 1 << read.writer;
            return (related & writersOfKey(read.key) & ~older) == 0;
        }

        private int related(IsolationLevel level, Read read, int[] directly, int[] causally) {
            int reader = read.reader;
            return switch (level) {
                case READ_COMMITTED -> read.seen;
                case READ_ATOMIC -> directly[reader];
                case CAUSAL -> causally[reader];
                case PREFIX -> upTo(directly[reader]);
                case SNAPSHOT_ISOLATION -> upTo(directly[reader]) | upTo(before[reader] & sharingAKey(reader));
                case SERIALIZABLE -> before[reader];
                default -> throw new IllegalArgumentException("level=" + level);
            };
        }

        private int upTo(int some) {
            int all = some;
            for (int txn = 0; txn < txns.size(); txn++) {
                all |= (some & 1 << txn) != 0 ? before[txn] : 0;
            }
            return all;
        }

        private int sharingAKey(int txn) {
            int sharing = 0;
            for (Op op : txns.get(txn).ops()) {
                sharing |= op.isWrite() ? writersOfKey(op.key()) : 0;
            }
            return sharing;
        }

        private int writersOfKey(String key) {
            int writers = 0;
            for (int txn = 0; txn < txns.size(); txn++) {
                boolean writes = (counted & 1 << txn) != 0
                        && !written(txns.get(txn).ops(), key).isEmpty();
                writers |= writes ? 1 << txn : 0;
            }
            return writers;
        }

        /**
         * Adds the reads of a transaction at its position, and the transactions that it observed; returns false if it
         * cannot have read them there.
         */
        private boolean findReads(int txn, int position, int[] seen, List<Read> reads) {
            List<Op> ops = txns.get(txn).ops();
            for (int op = 0; op < ops.size(); op++) {
                Op read = ops.get(op);
                if (read.isWrite()) {
                    continue;
                }
                List<String> own = written(ops.subList(0, op), read.key());
                List<Integer> writers = writers(txn, position, op, read, own);
                if (writers == null) {
                    return false;
                }
                if (read.kind() == OpKind.READ_LIST || own.isEmpty()) {
                    int last = writers.isEmpty() ? INITIAL : writers.get(writers.size() - 1);
                    reads.add(new Read(read.key(), last, txn, seen[0]));
                    writers.forEach(writer -> seen[0] |= 1 << writer);
                }
            }
            return true;
        }

        /** Returns the possible writers of a read; null if it has none. */
        private List<Integer> writers(int txn, int position, int op, Op read, List<String> own) {
            if (read.kind() == OpKind.READ_LIST) {
                int external = read.elements().size() - own.size();
                boolean endsRight = external >= 0
                        && read.elements()
                                .subList(external, read.elements().size())
                                .equals(own);
                List<String> others = endsRight ? read.elements().subList(0, external) : List.of();
                return endsRight ? appenders(read.key(), others, position, !own.isEmpty()) : null;
            }
            if (!own.isEmpty()) {
                return read.value() != null && read.value().equals(own.get(own.size() - 1)) ? List.of() : null;
            }
            Integer writer = read.value() == null ? Integer.valueOf(INITIAL) : writerOfRead.get(txn << 16 | op);
            if (writer == null || writer == INITIAL) {
                return writer == null ? null : List.of();
            }
            List<String> left = written(txns.get(writer).ops(), read.key());
            boolean isRead = (before[txn] & 1 << writer) != 0
                    && left.get(left.size() - 1).equals(read.value());
            return isRead ? List.of(writer) : null;
        }

        /**
         * Returns the first of a list's writers before a position, or all of them, if they appended just these elements;
         * else null.
         */
        private List<Integer> appenders(String key, List<String> elements, int position, boolean areAll) {
            List<Integer> appenders = new ArrayList<>();
            List<String> appended = new ArrayList<>();
            for (int earlier = 0; earlier < position && (areAll || appended.size() < elements.size()); earlier++) {
                List<String> more = written(txns.get(order[earlier]).ops(), key);
                appended.addAll(more);
                if (!more.isEmpty()) {
                    appenders.add(order[earlier]);
                }
            }
            return appended.equals(elements) ? appenders : null;
        }
    }
}
