package io.nightjar.pipeline.infer;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SetsFields;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.pipeline.primitive.CountingSort;
import io.nightjar.pipeline.primitive.ParallelTasks;
import it.unimi.dsi.fastutil.ints.IntArrays;
import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The known order of each key's versions. */
public final class VersionOrders {

    /*
     * Layout. A key has one of three forms:
     *
     *   chain     chain[firstOf[key] .. firstOf[key + 1]]: versions of counted writers in their order.
     *             positionOf[version] is the index of a version in the list that defines the order, or in the chain; a read
     *             of the first `position` elements misses the first version of the chain with an index of `position` or above.
     *   ends      ends[firstEndOf[key] .. endOf[key]]: versions that follow the whole chain, in an unknown order among
     *             themselves; all versions of a key if their order is unknown.
     *   partial   a graph of versions (RegisterOrders); ends are all its versions, the first minimalOf[key] of which follow
     *             the initial state with no version of a counted writer between.
     *
     * Algorithm. The chain of a list is the longest list that was read; appends that no transaction read follow it,
     * because elements are never removed. On request they extend the chain in the order of commit timestamps, as far as
     * these are distinct and do not contradict the list.
     */

    /** Position of a version that no order contains. */
    public static final int NOWHERE = -1;

    private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);

    private final OperationLog log;
    private final Versions versions;
    private final KeyUse use;
    private final ListOrders lists;
    private final TxnOutcomes outcomes;

    private final int[] firstOf;
    private int[] chain = {};
    private int chainSize;
    private int[] positionOf;
    private final int[] firstEndOf;
    private int[] ends;
    private final int[] endOf;
    private @Nullable RegisterOrders registers;
    private boolean hasPartialLists;
    private int contradictedLists;
    private final int[] firstBitOf; // by key: where the bits of its list begin
    private long[] isIntermediateAt = {}; // a bit for each position of a list
    private final IntOpenHashSet givenUp = new IntOpenHashSet();

    /** By key: the smallest position of its list with an anomaly; the largest int if it has none. */
    private final int[] garbageAt;

    private final int[] abortedAt;
    private final int[] repeatedAt;

    private VersionOrders(ReadResolution reads) {
        log = reads.log;
        versions = reads.versions();
        use = reads.use();
        lists = reads.lists();
        outcomes = reads.outcomes();
        firstOf = new int[log.keyCount + 1];
        firstEndOf = new int[log.keyCount + 1];
        endOf = new int[log.keyCount];
        firstBitOf = new int[log.keyCount + 1];
        garbageAt = new int[log.keyCount];
        abortedAt = new int[log.keyCount];
        repeatedAt = new int[log.keyCount];
        Arrays.fill(garbageAt, Integer.MAX_VALUE);
        Arrays.fill(abortedAt, Integer.MAX_VALUE);
        Arrays.fill(repeatedAt, Integer.MAX_VALUE);
    }

    /** @param sources sources that may order the versions of registers; the initial state and lists always do */
    public static VersionOrders infer(ReadResolution reads, @Nullable Sessions sessions, Set<VersionSource> sources) {
        return infer(reads, sessions, sources, false, null);
    }

    /**
     * @param allowsTies whether commit timestamps order the versions of different timestamps that lists do not order, even
     *     if others have equal ones or none, or contradict reads
     * @param rankOf ranks of transactions, by which versions are ordered that timestamps do not order; null for no order
     */
    public static VersionOrders infer(
            ReadResolution reads,
            @Nullable Sessions sessions,
            Set<VersionSource> sources,
            boolean allowsTies,
            int @Nullable [] rankOf) {
        VersionOrders orders = new VersionOrders(reads);
        orders.inferLists(reads.helpers);
        orders.findPartialLists(reads.helpers);
        orders.gatherEnds();
        EnumSet<VersionSource> asked = EnumSet.noneOf(VersionSource.class);
        asked.addAll(sources);
        asked.removeAll(EnumSet.of(VersionSource.INITIAL_STATE, VersionSource.LIST));
        if (allowsTies && asked.contains(VersionSource.TIMESTAMP) && orders.use.count(KeyUse.LIST) > 0) {
            orders.extendLists(rankOf);
        }
        if (!asked.isEmpty() && orders.use.count(KeyUse.REGISTER) > 0) {
            orders.registers = RegisterOrders.infer(reads, sessions, orders, asked, allowsTies, rankOf);
            orders.positionOf = Arrays.copyOf(orders.positionOf, orders.versions.count());
            orders.takeTotalOrders();
        }
        return orders;
    }

    // ---------------------------------------------------------------- lists

    @SetsFields
    private void inferLists(ParallelTasks helpers) {
        for (int key = 0; key < log.keyCount; key++) {
            int positions = use.of(key) == KeyUse.LIST ? lists.length(key) : 0;
            firstBitOf[key + 1] = Math.addExact(firstBitOf[key], positions);
        }
        int positions = firstBitOf[log.keyCount];
        int[] bounds = ParallelTasks.bounds(helpers.pieces(positions), log.keyCount, firstBitOf);
        int[] versionAt = versionsAt(helpers, bounds);
        isIntermediateAt = new long[(positions >>> 6) + 1];
        positionOf = new int[versions.count()];
        Arrays.fill(positionOf, NOWHERE);
        chain = new int[positions];
        int[] lengthOf = new int[log.keyCount]; // of its chain, which begins where its bits do at first
        helpers.run(helpers.count(), bounds.length - 1, () -> piece -> {
            for (int key = bounds[piece]; key < bounds[piece + 1]; key++) {
                lengthOf[key] = inferList(key, versionAt);
            }
        });
        for (int key = 0; key < log.keyCount; key++) {
            firstOf[key] = chainSize;
            System.arraycopy(chain, firstBitOf[key], chain, chainSize, lengthOf[key]);
            chainSize += lengthOf[key];
        }
        firstOf[log.keyCount] = chainSize;
    }

    /** Returns by bit the versions of all positions of lists. */
    private int[] versionsAt(ParallelTasks helpers, int[] bounds) {
        int[] versionAt = new int[firstBitOf[log.keyCount]];
        boolean[] hasUnwritten = new boolean[bounds.length - 1];
        helpers.run(helpers.count(), bounds.length - 1, () -> piece -> {
            for (int key = bounds[piece]; key < bounds[piece + 1]; key++) {
                for (int bit = firstBitOf[key]; bit < firstBitOf[key + 1]; bit++) {
                    versionAt[bit] = versions.find(key, lists.element(key, bit - firstBitOf[key]));
                    hasUnwritten[piece] |= versionAt[bit] == Versions.NONE;
                }
            }
        });
        for (int piece = 0; piece < hasUnwritten.length; piece++) {
            for (int key = bounds[piece]; key < bounds[piece + 1] && hasUnwritten[piece]; key++) {
                for (int bit = firstBitOf[key]; bit < firstBitOf[key + 1]; bit++) {
                    if (versionAt[bit] == Versions.NONE) {
                        versionAt[bit] = versions.intern(key, lists.element(key, bit - firstBitOf[key]));
                    }
                }
            }
        }
        return versionAt;
    }

    /** Returns how long the key's chain is. */
    private int inferList(int key, int[] versionAt) {
        int end = firstBitOf[key];
        for (int bit = firstBitOf[key]; bit < firstBitOf[key + 1]; bit++) {
            int position = bit - firstBitOf[key];
            int version = versionAt[bit];
            if (versions.isIntermediate(version)) {
                LONGS.getAndBitwiseOr(isIntermediateAt, bit >>> 6, 1L << bit); // a neighbour may be another thread's
            }
            if (positionOf[version] != NOWHERE) {
                if (!versions.isWrittenTwice(version)) {
                    repeatedAt[key] = Math.min(repeatedAt[key], position);
                }
                continue;
            }
            positionOf[version] = position;
            int writer = versions.writer(version);
            if (writer == Versions.NO_TXN) {
                garbageAt[key] = Math.min(garbageAt[key], position);
            } else if (writer >= 0 && log.status[writer] == TxnStatus.ABORTED) {
                abortedAt[key] = Math.min(abortedAt[key], position);
            } else if (isResolved(version)) {
                chain[end++] = version;
            }
        }
        return end - firstBitOf[key];
    }

    /** Searches for a list with an element but without, before it, the earlier appends of the same transaction. */
    private void findPartialLists(ParallelTasks helpers) {
        int[] bounds = ParallelTasks.bounds(helpers.pieces(log.opCount), log.txnCount, log.firstOpOf);
        boolean[] isFound = new boolean[bounds.length - 1];
        helpers.run(helpers.count(), isFound.length, () -> {
            OwnOperations appends = new OwnOperations(log);
            return piece -> {
                for (int txn = bounds[piece]; txn < bounds[piece + 1] && !isFound[piece]; txn++) {
                    isFound[piece] = isPartlyShown(txn, appends);
                }
            };
        });
        for (boolean isOneFound : isFound) {
            hasPartialLists |= isOneFound;
        }
    }

    private boolean isPartlyShown(int txn, OwnOperations appends) {
        appends.begin(txn);
        for (int op = log.firstOpOf[txn]; op < log.firstOpOf[txn + 1]; op++) {
            int key = log.key[op];
            if (log.kind[op] != OpKind.APPEND || use.of(key) != KeyUse.LIST) {
                continue;
            }
            int before = appends.take(op);
            int position = positionOf[versions.ofOp(op)];
            if (before != OwnOperations.NONE && position != NOWHERE && isWrittenBy(txn, op)) {
                int positionBefore = positionOf[versions.ofOp(before)];
                if (positionBefore == NOWHERE || positionBefore > position) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean isWrittenBy(int txn, int op) {
        return outcomes.isCounted(txn) && versions.writer(versions.ofOp(op)) == txn;
    }

    private void addToChain(int version) {
        if (chainSize == chain.length) {
            chain = Arrays.copyOf(chain, Math.addExact(chainSize, chainSize >> 1));
        }
        chain[chainSize++] = version;
    }

    /**
     * Returns whether the writer of the element at a position of a key's list appended to it again; avoids resolving
     * the version.
     */
    public boolean isIntermediateAt(int key, int position) {
        int bit = firstBitOf[key] + position;
        return (isIntermediateAt[bit >>> 6] & 1L << bit) != 0;
    }

    /** Returns whether it is known who wrote a version, and that it counts. */
    public boolean isResolved(int version) {
        int writer = versions.writer(version);
        return writer >= 0 && outcomes.isCounted(writer);
    }

    // ---------------------------------------------------------------- versions at the end

    /**
     * Collects the final versions of each counted transaction that no chain contains, key by key in the order of the
     * transactions.
     */
    @SetsFields
    private void gatherEnds() {
        for (int version = log.keyCount; version < versions.count(); version++) {
            if (isEnd(version)) {
                firstEndOf[versions.key(version) + 1]++;
            }
        }
        CountingSort.addUp(firstEndOf);
        System.arraycopy(firstEndOf, 0, endOf, 0, log.keyCount);
        ends = new int[firstEndOf[log.keyCount]];
        for (int version = log.keyCount; version < versions.count(); version++) {
            if (isEnd(version)) {
                ends[endOf[versions.key(version)]++] = version;
            }
        }
        for (int key = 0; key < log.keyCount && !versions.areInOrderOfWriters(); key++) {
            IntArrays.stableSort(
                    ends,
                    firstEndOf[key],
                    endOf[key],
                    (one, other) -> Integer.compare(versions.firstWriter(one), versions.firstWriter(other)));
        }
    }

    private boolean isEnd(int version) {
        byte usedAs = use.of(versions.key(version));
        int writer = versions.writer(version);
        return (usedAs == KeyUse.REGISTER || usedAs == KeyUse.LIST)
                && writer >= 0
                && outcomes.isCounted(writer)
                && !versions.isIntermediate(version)
                && positionOf[version] == NOWHERE;
    }

    /** Appends the versions at the end of lists to their chains, as far as commit timestamps order them. */
    private void extendLists(int @Nullable [] rankOf) {
        int[] listChain = chain;
        int[] listFirst = firstOf.clone();
        chain = new int[Math.max(16, chainSize + ends.length)];
        chainSize = 0;
        for (int key = 0; key < log.keyCount; key++) {
            firstOf[key] = chainSize;
            long latest = Long.MIN_VALUE;
            boolean isContradicted = false;
            for (int i = listFirst[key]; i < listFirst[key + 1]; i++) {
                long commit = commitTs(listChain[i]);
                isContradicted |= commit != HistorySlice.NONE && commit < latest;
                latest = Math.max(latest, commit);
                addToChain(listChain[i]);
            }
            if (use.of(key) == KeyUse.LIST) {
                extendList(key, latest, isContradicted, rankOf);
            }
        }
        firstOf[log.keyCount] = chainSize;
    }

    /** @param latest maximum commit timestamp in the list; the smallest number if unknown */
    private void extendList(int key, long latest, boolean isListContradicted, int @Nullable [] rankOf) {
        int first = firstEndOf[key];
        boolean isContradicted = isListContradicted;
        for (int end = first; end < endOf[key]; end++) {
            isContradicted |= commitTs(ends[end]) != HistorySlice.NONE && commitTs(ends[end]) < latest;
        }
        contradictedLists += isContradicted ? 1 : 0;
        boolean isOrdered = !isContradicted;
        IntArrays.stableSort(ends, first, endOf[key], (one, other) -> {
            int byTime = isOrdered ? Long.compare(commitTs(one), commitTs(other)) : 0;
            if (byTime != 0 || rankOf == null) {
                return byTime;
            }
            return Integer.compare(rankOf[versions.writer(one)], rankOf[versions.writer(other)]);
        });
        for (int end = first; end < endOf[key] && (isOrdered || rankOf != null); end++) {
            boolean isLast = end + 1 == endOf[key];
            long commit = commitTs(ends[end]);
            if (rankOf == null && (commit == HistorySlice.NONE || !isLast && commitTs(ends[end + 1]) == commit)) {
                return;
            }
            positionOf[ends[end]] = lists.length(key) + end - first;
            addToChain(ends[end]);
            firstEndOf[key]++;
        }
    }

    private long commitTs(int version) {
        int writer = versions.writer(version);
        return log.commitTs == null || writer < 0 ? HistorySlice.NONE : log.commitTs[writer];
    }

    // ---------------------------------------------------------------- registers

    /** Turns the graphs of versions that leave one order only into chains. */
    private void takeTotalOrders() {
        int[] listChain = chain;
        int[] listFirst = firstOf.clone();
        chain = new int[Math.max(16, chainSize + ends.length)];
        chainSize = 0;
        for (int key = 0; key < log.keyCount; key++) {
            firstOf[key] = chainSize;
            int[] total = registers().totalOrder(key);
            if (total == null) {
                for (int i = listFirst[key]; i < listFirst[key + 1]; i++) {
                    addToChain(listChain[i]);
                }
                continue;
            }
            for (int position = 0; position < total.length; position++) {
                positionOf[total[position]] = position;
                if (isResolved(total[position])) {
                    addToChain(total[position]);
                }
            }
            endOf[key] = firstEndOf[key];
        }
        firstOf[log.keyCount] = chainSize;
    }

    // ---------------------------------------------------------------- asking

    /** Returns the length of a key's chain. */
    public int chainLength(int key) {
        return firstOf[key + 1] - firstOf[key];
    }

    public int chainVersion(int key, int index) {
        return chain[firstOf[key] + index];
    }

    /** Returns the first version of a key's chain that a read of the given number of elements misses, as an index; the chain's length if none. */
    public int firstMissed(int key, int position) {
        int first = firstOf[key];
        int length = firstOf[key + 1] - first;
        if (position < length && positionOf[chain[first + position]] == position) {
            return position;
        }
        int low = 0;
        int high = Math.min(length, position);
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (positionOf[chain[first + middle]] >= position) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    /** Returns the position of a version in its key's order, or {@link #NOWHERE}. */
    public int positionOf(int version) {
        return version < positionOf.length ? positionOf[version] : NOWHERE;
    }

    /** Returns the number of versions that follow the whole chain, in an unknown order. */
    public int endCount(int key) {
        return endOf[key] - firstEndOf[key];
    }

    public int end(int key, int index) {
        return ends[firstEndOf[key] + index];
    }

    /** Puts a version among those at the end of its key to the front; for {@link RegisterOrders}. */
    void swapEnds(int key, int index, int other) {
        int at = firstEndOf[key] + index;
        int to = firstEndOf[key] + other;
        int version = ends[at];
        ends[at] = ends[to];
        ends[to] = version;
    }

    /** Returns whether a key's versions form a graph, in which some follow each other and some do not. */
    public boolean isPartial(int key) {
        return registers != null && registers.isPartial(key);
    }

    /** Returns the known order of registers beyond their initial state; only available if requested. */
    public RegisterOrders registers() {
        return requireNonNull(registers);
    }

    /** Returns the number of keys whose reads contradict the order of commit timestamps, if that order was requested. */
    public int contradictedKeys() {
        return contradictedLists + (registers == null ? 0 : registers.contradictedKeys());
    }

    public List<CyclicVersions> cyclicVersions() {
        return registers == null ? List.of() : registers.cyclicVersions();
    }

    /** Notes that not everything that follows from the reads of a key was inferred. */
    void discard(int key) {
        givenUp.add(key);
    }

    /** Returns whether the order of a key's versions is known completely, as far as it matters to its readers. */
    public boolean isTotal(int key) {
        return switch (use.of(key)) {
            case KeyUse.MIXED -> false;
            case KeyUse.COUNTER -> true;
            case KeyUse.SET -> !givenUp.contains(key);
            default -> endCount(key) <= 1 && repeatedAt[key] == Integer.MAX_VALUE;
        };
    }

    /** Returns whether some list contains only part of a transaction's earlier appends, or in another order. */
    public boolean hasPartialLists() {
        return hasPartialLists;
    }

    public int garbageAt(int key) {
        return garbageAt[key];
    }

    public int abortedAt(int key) {
        return abortedAt[key];
    }

    public int repeatedAt(int key) {
        return repeatedAt[key];
    }

    public ListOrders lists() {
        return lists;
    }

    public Versions versions() {
        return versions;
    }

    public KeyUse use() {
        return use;
    }

    public TxnOutcomes outcomes() {
        return outcomes;
    }
}
