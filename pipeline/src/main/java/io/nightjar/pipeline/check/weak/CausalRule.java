package io.nightjar.pipeline.check.weak;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.SetsFields;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.infer.Chains;
import io.nightjar.pipeline.infer.ClientHistory;
import io.nightjar.pipeline.primitive.ParallelTasks;
import it.unimi.dsi.fastutil.ints.IntArrays;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Causal consistency: no transaction reads an older version of a key than one in its causal past. By vector clocks. */
final class CausalRule implements WeakRule {

    /*
     * Definitions. Transaction t3 reads x from t1; t2 writes x too, and is in the past of t3 by sessions and reads:
     * then t2 comes before t1. Positions are indexes in an order that respects sessions and reads, so the past of a
     * reader lies before it. The horizon of t1 is the first position outside its past: all earlier positions are in its
     * past.
     *
     * Layout.
     *
     *   positionOf[txn], horizonOf[txn]   positions in that order
     *   positions[i]                      of the writers of the current key, ascending
     *
     * Algorithm. Key by key. Of each chain only the last such t2 matters, since the earlier ones come before it; if it
     * is in the past of t1 as well, nothing new is forced. Only the writers of the key between the horizon of t1 and
     * the position of t3 may be such a t2, however many wrote the key. If these outnumber the chains, because
     * transactions have small pasts, each chain is searched instead.
     *
     * Cost. For each key its reads times the writers between, at most chains times a binary search; plus transactions
     * times chains for the clocks.
     *
     * Source. docs/papers.md#biswas-enea, figure 2
     */

    private static final int BUDGET_MASK = 0x3FF;
    private static final int[] NOTHING = {};

    private final ClientHistory history;
    private final Chains chains;
    private final CausalClocks clocks;
    private LevelEdges edges;
    private final int[] positionOf;
    private final int[] horizonOf;

    /** The writers of each key in the order of positions. */
    private @Nullable WritersByKey writersByKey;

    private int[] firstReaderOf; // chain by chain
    private int[] readers;
    private int[] writersRead;

    private int[] positions = new int[16];
    private int[] chainAt = new int[16]; // and in which chain each is, and where there
    private int[] positionAt = new int[16];
    private int firstWriter;
    private int writerCount;

    /** By chain: the last writer that is new to the writer read from. */
    private final int[] seenOf;

    /** A bit for each chain that has such a writer, so that they come in order without being sorted; and which words may have bits. */
    private final long[] seenChains;

    private int firstSeenWord = Integer.MAX_VALUE;
    private int lastSeenWord = -1;

    /** The writers of the current key, chain by chain, if required. */
    private boolean isGrouped;

    private int[] chainOfGroup = new int[16];
    private int[] firstOfGroup = new int[16];
    private int[] grouped = new int[16];
    private int groupCount;

    /** @param helpers threads for the preparation of the history */
    CausalRule(ClientHistory history, Chains chains, CausalClocks clocks, int[] causalOrder, ParallelTasks helpers) {
        this.history = history;
        this.chains = chains;
        this.clocks = clocks;
        this.seenOf = new int[chains.chainCount];
        this.seenChains = new long[(chains.chainCount + Long.SIZE - 1) / Long.SIZE];
        this.positionOf = new int[history.txnCount];
        for (int position = 0; position < causalOrder.length; position++) {
            positionOf[causalOrder[position]] = position;
        }
        this.horizonOf = new int[history.txnCount];
        learn(causalOrder, helpers);
    }

    /** Learns three things that do not depend on each other, the horizons in pieces. */
    private void learn(int[] causalOrder, ParallelTasks helpers) {
        int[] positionInChain = new int[history.txnCount];
        for (int i = 0; i < positionInChain.length; i++) {
            positionInChain[i] = positionOf[chains.txns[i]];
        }
        int[] bounds = ParallelTasks.bounds(helpers.pieces(history.readCount), history.txnCount);
        helpers.run(helpers.count(), bounds.length + 1, () -> piece -> {
            switch (piece) {
                case 0 -> groupReadersByKey();
                case 1 -> writersByKey = WritersByKey.of(history, causalOrder);
                default -> findHorizons(bounds[piece - 2], bounds[piece - 1], positionInChain);
            }
        });
    }

    /** Shares the prepared history, for one more thread. */
    private CausalRule(CausalRule from) {
        history = from.history;
        chains = from.chains;
        clocks = from.clocks;
        seenOf = new int[from.seenOf.length];
        seenChains = new long[from.seenChains.length];
        writersByKey = from.writersByKey;
        positionOf = from.positionOf;
        horizonOf = from.horizonOf;
        firstReaderOf = from.firstReaderOf;
        readers = from.readers;
        writersRead = from.writersRead;
    }

    CausalRule forThread() {
        return new CausalRule(this);
    }

    /** Returns, by key, where its readers begin: readers account for most of the work. */
    int[] firstReaderOf() {
        return firstReaderOf;
    }

    private void findHorizons(int firstTxn, int endTxn, int[] positionInChain) {
        for (int txn = firstTxn; txn < endTxn; txn++) {
            int[] row = clocks.page(txn);
            int offset = clocks.offset(txn);
            int horizon = history.txnCount;
            for (int chain = 0; chain < chains.chainCount; chain++) {
                int next = chains.firstOf[chain] + row[offset + chain];
                if (next < chains.firstOf[chain + 1]) {
                    horizon = Math.min(horizon, positionInChain[next]);
                }
            }
            horizonOf[txn] = horizon;
        }
    }

    /** Derives the edges of a piece, which is some keys. */
    @Override
    @SetsFields
    public boolean derive(int firstKey, int endKey, LevelEdges into, Budget budget) {
        edges = into;
        int steps = 0;
        for (int key = firstKey; key < endKey; key++) {
            if (firstReaderOf[key] == firstReaderOf[key + 1]) {
                continue;
            }
            placeWriters(key);
            for (int i = firstReaderOf[key]; i < firstReaderOf[key + 1] && writerCount > 0; i++) {
                int reader = readers[i];
                boolean isRepeated = i > firstReaderOf[key] && readers[i - 1] == reader;
                if (!isRepeated || writersRead[i - 1] != writersRead[i]) {
                    check(key, reader, writersRead[i]);
                }
                if ((++steps & BUDGET_MASK) == 0 && budget.isSpent()) {
                    return false;
                }
            }
            if (!edges.keepFew(chains, history.txnCount)) {
                return false;
            }
        }
        return true;
    }

    private void placeWriters(int key) {
        firstWriter = requireNonNull(writersByKey).firstWriterOf[key];
        writerCount = writersByKey.firstWriterOf[key + 1] - firstWriter;
        isGrouped = false;
        if (writerCount > positions.length) {
            positions = new int[Math.max(writerCount, 2 * positions.length)];
            chainAt = new int[positions.length];
            positionAt = new int[positions.length];
        }
        for (int i = 0; i < writerCount; i++) {
            int txn = writersByKey.writers[firstWriter + i];
            positions[i] = positionOf[txn];
            chainAt[i] = chains.chainOf[txn];
            positionAt[i] = chains.positionOf[txn];
        }
    }

    private void check(int key, int reader, int writer) {
        boolean isInitial = writer == ClientHistory.INITIAL;
        int end = firstNotBefore(positionOf[reader]);
        int first = isInitial ? 0 : firstNotBefore(horizonOf[writer]);
        if (first >= end) {
            return;
        }
        if (end - first > 2 * chains.chainCount) {
            seeChains(reader, writer);
        } else {
            seeBetween(first, end, reader, writer);
        }
        for (int word = firstSeenWord; word <= lastSeenWord; word++) {
            for (long bits = seenChains[word]; bits != 0; bits &= bits - 1) {
                int chain = word * Long.SIZE + Long.numberOfTrailingZeros(bits);
                if (isInitial) {
                    edges.addStaleRead(seenOf[chain], reader, key);
                } else {
                    edges.add(seenOf[chain], writer);
                }
            }
            seenChains[word] = 0;
        }
        firstSeenWord = Integer.MAX_VALUE;
        lastSeenWord = -1;
    }

    /** Returns the first writer of the key whose position is not before the given one. */
    private int firstNotBefore(int position) {
        int low = 0;
        int high = writerCount;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (positions[middle] < position) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /**
     * Retains the writers in the given range that are in the past of the reader and not in that of the writer it read
     * from.
     */
    private void seeBetween(int first, int end, int reader, int writer) {
        int[] past = clocks.page(reader);
        int pastAt = clocks.offset(reader);
        int[] known = writer == ClientHistory.INITIAL ? NOTHING : clocks.page(writer);
        int knownAt = writer == ClientHistory.INITIAL ? 0 : clocks.offset(writer);
        int readerChain = chains.chainOf[reader];
        int readerPosition = chains.positionOf[reader];
        for (int i = first; i < end; i++) {
            int chain = chainAt[i];
            int position = positionAt[i];
            int pastCount = chain == readerChain ? readerPosition : past[pastAt + chain];
            if (position < pastCount && (known.length == 0 || position >= known[knownAt + chain])) {
                see(requireNonNull(writersByKey).writers[firstWriter + i], chain);
            }
        }
    }

    /** Adds a writer of the key; later writers of its chain replace it. */
    private void see(int txn, int chain) {
        int word = chain / Long.SIZE;
        seenChains[word] |= 1L << chain;
        firstSeenWord = Math.min(firstSeenWord, word);
        lastSeenWord = Math.max(lastSeenWord, word);
        seenOf[chain] = txn;
    }

    /** Returns how many transactions of a chain precede a transaction. */
    private int pastCount(int txn, int chain) {
        return chain == chains.chainOf[txn] ? chains.positionOf[txn] : clocks.page(txn)[clocks.offset(txn) + chain];
    }

    /** Returns how many transactions of a chain precede a transaction or are it. */
    private int knownCount(int txn, int chain) {
        return txn == ClientHistory.INITIAL ? 0 : clocks.page(txn)[clocks.offset(txn) + chain];
    }

    private void seeChains(int reader, int writer) {
        if (!isGrouped) {
            groupWriters();
        }
        for (int group = 0; group < groupCount; group++) {
            int pastCount = pastCount(reader, chainOfGroup[group]);
            int low = firstOfGroup[group];
            int high = firstOfGroup[group + 1];
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (chains.positionOf[grouped[middle]] < pastCount) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            if (low > firstOfGroup[group]
                    && chains.positionOf[grouped[low - 1]] >= knownCount(writer, chainOfGroup[group])) {
                see(grouped[low - 1], chainOfGroup[group]);
            }
        }
    }

    private void groupWriters() {
        isGrouped = true;
        if (writerCount > grouped.length) {
            grouped = new int[Math.max(writerCount, 2 * grouped.length)];
        }
        System.arraycopy(requireNonNull(writersByKey).writers, firstWriter, grouped, 0, writerCount);
        IntArrays.quickSort(grouped, 0, writerCount, (one, other) -> {
            int byChain = Integer.compare(chains.chainOf[one], chains.chainOf[other]);
            return byChain != 0 ? byChain : Integer.compare(chains.positionOf[one], chains.positionOf[other]);
        });
        groupCount = 0;
        for (int i = 0; i < writerCount; i++) {
            int chain = chains.chainOf[grouped[i]];
            if (groupCount == 0 || chainOfGroup[groupCount - 1] != chain) {
                if (groupCount + 1 == chainOfGroup.length) {
                    chainOfGroup = Arrays.copyOf(chainOfGroup, 2 * groupCount + 2);
                    firstOfGroup = Arrays.copyOf(firstOfGroup, 2 * groupCount + 2);
                }
                chainOfGroup[groupCount] = chain;
                firstOfGroup[groupCount++] = i;
            }
        }
        firstOfGroup[groupCount] = writerCount;
    }

    @SetsFields
    private void groupReadersByKey() {
        int[] first = new int[history.keyCount + 2];
        for (int read = 0; read < history.readCount; read++) {
            if (history.keyOfRead[read] != ClientHistory.NO_KEY) {
                first[history.keyOfRead[read] + 2]++;
            }
        }
        for (int key = 0; key < history.keyCount; key++) {
            first[key + 2] += first[key + 1];
        }
        readers = new int[first[history.keyCount + 1]];
        writersRead = new int[readers.length];
        for (int txn : chains.txns) { // first[key + 1] is the index of the key's next reader
            for (int read = history.firstReadOf[txn]; read < history.firstReadOf[txn + 1]; read++) {
                if (history.keyOfRead[read] != ClientHistory.NO_KEY) {
                    int to = first[history.keyOfRead[read] + 1]++;
                    readers[to] = txn;
                    writersRead[to] = history.writerOf[read];
                }
            }
        }
        firstReaderOf = first;
    }
}
