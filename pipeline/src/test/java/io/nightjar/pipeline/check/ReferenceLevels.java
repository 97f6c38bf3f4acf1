package io.nightjar.pipeline.check;

import io.nightjar.fixtures.small.SmallHistory;
import io.nightjar.fixtures.small.SmallHistory.Op;
import io.nightjar.fixtures.small.SmallHistory.Txn;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.infer.ClientHistory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Decides the six levels of a history of a few transactions by their definition: tries every commit order. Shares no
 * code with any checker, nor with what prepares histories for them.
 */
public final class ReferenceLevels {

    /*
     * Biswas and Enea, figure 2. A history satisfies a level if there is a total order co of its transactions, which
     * contains so and wr, such that for every t3 that reads x from t1, and every other t2 that writes x:
     *
     *   RC    t2 is read by t3 in an operation before this one   implies   t2 co t1
     *   RA    t2 (so u wr) t3                                    implies   t2 co t1
     *   CC    t2 (so u wr)+ t3                                   implies   t2 co t1
     *   PC    t2 co* t4 (so u wr) t3                             implies   t2 co t1
     *   SI    PC, and t2 co* t4 co t3, where t4 and t3 write a common key
     *   SER   t2 co t3                                           implies   t2 co t1
     *
     * The initial state is a transaction before all others: where t1 is the initial state, nothing can come before it.
     * Sets of transactions are bits of an int.
     */

    private static final int INITIAL = -1;

    /** More would have too many orders. */
    public static final int MAX_TXNS = 9;

    private final int txnCount;

    /** Transactions before one by so or wr, directly: a set by transaction. */
    private final int[] directlyBefore;

    private final int[] causallyBefore;

    /** Versions known to be older. */
    private final int[] olderVersions;

    private final Map<Object, Integer> writersOfKey = new HashMap<>();
    private final List<Read> reads = new ArrayList<>();
    private final Set<IsolationLevel> holding = EnumSet.noneOf(IsolationLevel.class);
    private boolean isWellFormed = true;

    /** A read from outside; {@code readBefore} is the set of those that its transaction has read from by then. */
    private record Read(Object key, int writer, int reader, int readBefore) {}

    private ReferenceLevels(int txnCount) {
        this.txnCount = txnCount;
        if (txnCount > MAX_TXNS) {
            throw new IllegalArgumentException("too many transactions to try all orders: txnCount=" + txnCount);
        }
        directlyBefore = new int[txnCount];
        causallyBefore = new int[txnCount];
        olderVersions = new int[txnCount];
    }

    /** Decides a history as recorded, with transactions that did not commit. Every value must be written once. */
    public static ReferenceLevels of(SmallHistory history) {
        return new RecordedHistory(history).decide();
    }

    /** Decides what is left of a history once it is known who read from whom; known orders of versions are kept. */
    public static ReferenceLevels of(ClientHistory history) {
        ReferenceLevels reference = new ReferenceLevels(history.txnCount);
        for (int txn = 0; txn < history.txnCount; txn++) {
            for (int write = history.firstWriteOf[txn]; write < history.firstWriteOf[txn + 1]; write++) {
                reference.addWrite(txn, history.keyOfWrite[write]);
            }
            for (int other = 0; other < txn; other++) {
                if (history.sessionOf[other] == history.sessionOf[txn]) {
                    reference.directlyBefore[txn] |= 1 << other;
                }
            }
        }
        for (int txn = 0; txn < history.txnCount; txn++) {
            int readBefore = 0;
            for (int read = history.firstReadOf[txn]; read < history.firstReadOf[txn + 1]; read++) {
                readBefore |= reference.addRead(history.keyOfRead[read], history.writerOf[read], txn, readBefore);
            }
        }
        for (int key = 0; history.knowsVersionOrders() && key < history.keyCount; key++) {
            int older = 0;
            int newest = INITIAL;
            for (int version = history.firstVersionOf[key]; version < history.firstVersionOf[key + 1]; version++) {
                int writer = history.txnOfVersion[version];
                reference.isWellFormed &= writer == newest || (older & 1 << writer) == 0;
                reference.olderVersions[writer] |= older & ~(1 << writer);
                older |= 1 << writer;
                newest = writer;
            }
            int unlisted = reference.writersOfKey.getOrDefault(key, 0) & ~older;
            for (int writer = 0; older != 0 && writer < history.txnCount; writer++) {
                reference.olderVersions[writer] |= (unlisted & 1 << writer) == 0 ? 0 : older;
            }
        }
        reference.tryAllOrders();
        return reference;
    }

    public boolean holds(IsolationLevel level) {
        return holding.contains(level);
    }

    /** The levels that hold. */
    public Set<IsolationLevel> holding() {
        return EnumSet.copyOf(holding);
    }

    /** False if a read violates every level by itself. */
    public boolean isWellFormed() {
        return isWellFormed;
    }

    // ---------------------------------------------------------------- a history as recorded

    /** Who counts, and what each read of a committed transaction means. */
    private static final class RecordedHistory {

        private final SmallHistory history;
        private final List<Txn> counted = new ArrayList<>();

        RecordedHistory(SmallHistory history) {
            this.history = history;
        }

        ReferenceLevels decide() {
            countCommitted();
            counted.sort(Comparator.comparingLong(Txn::session).thenComparingLong(Txn::seq));
            ReferenceLevels reference = new ReferenceLevels(counted.size());
            for (int txn = 0; txn < counted.size(); txn++) {
                for (Op op : counted.get(txn).ops()) {
                    if (op.isWrite()) {
                        reference.addWrite(txn, op.key());
                    }
                }
                for (int other = 0; other < txn; other++) {
                    if (counted.get(other).session() == counted.get(txn).session()) {
                        reference.directlyBefore[txn] |= 1 << other;
                    }
                }
            }
            for (int txn = 0; txn < counted.size(); txn++) {
                if (counted.get(txn).status() == TxnStatus.COMMITTED) {
                    reference.isWellFormed &= checkReads(txn, reference);
                }
            }
            reference.tryAllOrders();
            return reference;
        }

        /** The committed ones, and unknown ones as long as one that counts has read from one that does not yet. */
        private void countCommitted() {
            history.txns().stream()
                    .filter(txn -> txn.status() == TxnStatus.COMMITTED)
                    .forEach(counted::add);
            for (int next = 0; next < counted.size(); next++) {
                Txn reader = counted.get(next);
                for (int op = 0; op < reader.ops().size(); op++) {
                    Txn writer =
                            isFromOutside(reader, op) ? writerOf(reader.ops().get(op)) : null;
                    if (writer != null && writer.status() == TxnStatus.UNKNOWN && !counted.contains(writer)) {
                        counted.add(writer);
                    }
                }
            }
        }

        private boolean checkReads(int txn, ReferenceLevels reference) {
            Txn reader = counted.get(txn);
            int readBefore = 0;
            for (int position = 0; position < reader.ops().size(); position++) {
                Op read = reader.ops().get(position);
                if (!read.isRead()) {
                    continue;
                }
                if (!isFromOutside(reader, position)) {
                    String own = lastWrite(reader.ops().subList(0, position), read.key());
                    if (isInitial(read) || !read.value().equals(own)) {
                        return false;
                    }
                } else if (isInitial(read)) {
                    reference.addRead(read.key(), INITIAL, txn, readBefore);
                } else {
                    Txn writer = writerOf(read);
                    if (writer == null
                            || writer == reader
                            || writer.status() == TxnStatus.ABORTED
                            || !lastWrite(writer.ops(), read.key()).equals(read.value())) {
                        return false;
                    }
                    readBefore |= reference.addRead(read.key(), counted.indexOf(writer), txn, readBefore);
                }
            }
            return true;
        }

        private boolean isFromOutside(Txn txn, int position) {
            Op op = txn.ops().get(position);
            return op.isRead() && lastWrite(txn.ops().subList(0, position), op.key()) == null;
        }

        private static String lastWrite(List<Op> ops, String key) {
            String last = null;
            for (Op op : ops) {
                last = op.isWrite() && op.key().equals(key) ? op.value() : last;
            }
            return last;
        }

        private boolean isInitial(Op read) {
            return read.value() == null
                    || read.value().equals(history.initialValue())
                            && history.txns().stream()
                                    .noneMatch(txn -> txn.status() == TxnStatus.COMMITTED && writes(txn, read));
        }

        /** Returns who wrote what was read: null if no transaction did, or none had to. */
        private Txn writerOf(Op read) {
            if (isInitial(read)) {
                return null;
            }
            List<Txn> writers =
                    history.txns().stream().filter(txn -> writes(txn, read)).toList();
            if (writers.size() > 1) {
                throw new IllegalArgumentException("written twice: key=" + read.key() + " value=" + read.value());
            }
            return writers.isEmpty() ? null : writers.get(0);
        }

        private static boolean writes(Txn txn, Op read) {
            return txn.ops().stream()
                    .anyMatch(op -> op.isWrite()
                            && op.key().equals(read.key())
                            && op.value().equals(read.value()));
        }
    }

    // ---------------------------------------------------------------- the definition

    private void addWrite(int txn, Object key) {
        writersOfKey.merge(key, 1 << txn, (some, more) -> some | more);
    }

    /** Returns whom it read from, as a set. */
    private int addRead(Object key, int writer, int reader, int readBefore) {
        reads.add(new Read(key, writer, reader, readBefore));
        if (writer == INITIAL) {
            return 0;
        }
        directlyBefore[reader] |= 1 << writer;
        return 1 << writer;
    }

    private void tryAllOrders() {
        if (!isWellFormed) {
            return;
        }
        System.arraycopy(directlyBefore, 0, causallyBefore, 0, txnCount);
        for (int via = 0; via < txnCount; via++) {
            for (int txn = 0; txn < txnCount; txn++) {
                if ((causallyBefore[txn] & 1 << via) != 0) {
                    causallyBefore[txn] |= causallyBefore[via];
                }
            }
        }
        tryOrders(new int[txnCount], 0);
    }

    /**
     * Extends an order in every way.
     *
     * @param before the transactions before each of those placed
     */
    private void tryOrders(int[] before, int placed) {
        if (placed == (1 << txnCount) - 1) {
            for (IsolationLevel level : IsolationLevel.all()) {
                if (!holding.contains(level) && satisfies(level, before)) {
                    holding.add(level);
                }
            }
            return;
        }
        for (int next = 0;
                next < txnCount && holding.size() < IsolationLevel.all().size();
                next++) {
            boolean isPlaced = (placed & 1 << next) != 0;
            if (!isPlaced && ((directlyBefore[next] | olderVersions[next]) & ~placed) == 0) {
                before[next] = placed;
                tryOrders(before, placed | 1 << next);
            }
        }
    }

    private boolean satisfies(IsolationLevel level, int[] before) {
        for (Read read : reads) {
            if (read.writer() != INITIAL && read.writer() == read.reader()) {
                throw new IllegalArgumentException("reads from itself: reader=" + read.reader());
            }
            int others = writersOfKey.getOrDefault(read.key(), 0);
            int beforeWriter = 0;
            if (read.writer() != INITIAL) {
                others &= ~(1 << read.writer());
                beforeWriter = before[read.writer()];
            }
            if ((related(level, read, before) & others & ~beforeWriter) != 0) {
                return false;
            }
        }
        return true;
    }

    /** Every t2 that the level relates to the reader t3. */
    private int related(IsolationLevel level, Read read, int[] before) {
        int reader = read.reader();
        return switch (level) {
            case READ_COMMITTED -> read.readBefore();
            case READ_ATOMIC -> directlyBefore[reader];
            case CAUSAL -> causallyBefore[reader];
            case PREFIX -> upTo(directlyBefore[reader], before);
            case SNAPSHOT_ISOLATION ->
                upTo(directlyBefore[reader], before) | upTo(before[reader] & sharingAKey(reader), before);
            case SERIALIZABLE -> before[reader];
            default -> throw new IllegalArgumentException("not defined by its orders: level=" + level);
        };
    }

    /** Some transactions and everything before one of them. */
    private int upTo(int some, int[] before) {
        int all = some;
        for (int txn = 0; txn < txnCount; txn++) {
            if ((some & 1 << txn) != 0) {
                all |= before[txn];
            }
        }
        return all;
    }

    private int sharingAKey(int txn) {
        int sharing = 0;
        for (int writers : writersOfKey.values()) {
            sharing |= (writers & 1 << txn) != 0 ? writers : 0;
        }
        return sharing;
    }
}
