package io.nightjar.pipeline.infer;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.pipeline.primitive.ParallelTasks;
import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Writers of the elements of the longest list of each key, and the length up to which that list is plain. */
final class TrunkWriters {

    /*
     * Layout. Element positions of a key's trunk, the longest list read of the key, are contiguous: position p of a key
     * is firstElementOf[key] + p, and slotOfElement maps it to a slot of the index of writers.
     */

    private static final int NONE = -1;

    private final OperationLog log;
    private final WriterIndex writers;
    private final int[] firstElementOf;
    private final int[] slotOfElement;
    private int @Nullable [] firstSuspectOf; // by key, NONE if not computed yet
    private int @Nullable [] firstRepeatOf; // by key, NONE if not computed yet
    private long @Nullable [] isWhole; // a bit for each element, of keys already computed; see isWhole
    private boolean @Nullable [] isWholeKnown; // by key
    private long @Nullable [] isListed; // a bit for each write whose value is in a trunk already scanned

    /** @param helpers threads for the lookup of elements */
    TrunkWriters(OperationLog log, WriterIndex writers, KeyUse use, ParallelTasks helpers) {
        this.log = log;
        this.writers = writers;
        firstElementOf = new int[log.keyCount + 1];
        slotOfElement = slotsOfElements(use, helpers);
    }

    private TrunkWriters(TrunkWriters from) {
        log = from.log;
        writers = from.writers;
        firstElementOf = from.firstElementOf;
        slotOfElement = from.slotOfElement;
    }

    /** Returns an instance for one more thread, with separate lazily computed fields. */
    TrunkWriters forThread() {
        return new TrunkWriters(this);
    }

    private int[] slotsOfElements(KeyUse use, ParallelTasks helpers) {
        long total = 0;
        for (int key = 0; key < log.keyCount; key++) {
            firstElementOf[key] = (int) total;
            total += use.of(key) == KeyUse.LIST ? log.lists.trunkLength(key) : 0;
            if (total > Integer.MAX_VALUE - 8) {
                throw new IllegalStateException("too many list elements: elements=" + total);
            }
        }
        firstElementOf[log.keyCount] = (int) total;
        int[] slots = new int[(int) total];
        int[] bounds = keyBounds(helpers);
        helpers.run(helpers.count(), bounds.length - 1, () -> piece -> {
            for (int key = bounds[piece]; key < bounds[piece + 1]; key++) {
                long[] trunk = log.lists.trunk(key);
                for (int i = firstElementOf[key]; trunk != null && i < firstElementOf[key + 1]; i++) {
                    slots[i] = writers.find(key, trunk[i - firstElementOf[key]]);
                }
            }
        });
        return slots;
    }

    /** Returns the ends of pieces of the keys, with about as many elements each. */
    int[] keyBounds(ParallelTasks helpers) {
        return ParallelTasks.bounds(helpers.pieces(firstElementOf[log.keyCount]), log.keyCount, firstElementOf);
    }

    /** Returns whether any list has an element. */
    boolean hasElements() {
        return slotOfElement.length > 0;
    }

    /** Returns the number of elements of a key's trunk; 0 if it is no list. */
    int length(int key) {
        return firstElementOf[key + 1] - firstElementOf[key];
    }

    /** Returns who appended an element of a trunk: a slot of the table of writers, or {@link #NONE}. */
    int slotAt(int key, int position) {
        return slotOfElement[firstElementOf[key] + position];
    }

    /** Returns who appended an element of a list read: a slot of the table of writers, or {@link #NONE}. */
    int slotOf(int op, int position) {
        int key = log.key[op];
        long value = log.value[op];
        return ListReads.isPrefixOfTrunk(value)
                ? slotOfElement[firstElementOf[key] + position]
                : writers.find(key, log.lists.element(key, value, position));
    }

    /**
     * Returns the position of the first element of a trunk that not one committed or promoted transaction appended,
     * once; or its end.
     */
    int firstSuspectOf(int key) {
        if (firstSuspectOf == null) {
            firstSuspectOf = new int[log.keyCount];
            Arrays.fill(firstSuspectOf, NONE);
        }
        if (firstSuspectOf[key] == NONE) {
            int at = firstElementOf[key];
            while (at < firstElementOf[key + 1]
                    && slotOfElement[at] != NONE
                    && !writers.isRepeated(slotOfElement[at])
                    && log.status[writers.txnOf(slotOfElement[at])] != TxnStatus.ABORTED) {
                at++;
            }
            firstSuspectOf[key] = at - firstElementOf[key];
        }
        return firstSuspectOf[key];
    }

    /**
     * Returns whether the given number of first elements of a trunk, at least one, contain all appends, in order, of
     * each transaction with any append among them.
     */
    boolean isWhole(int key, int length) {
        if (isWholeKnown == null) {
            isWholeKnown = new boolean[log.keyCount];
            isWhole = new long[(slotOfElement.length >>> 6) + 1];
        }
        if (!isWholeKnown[key]) {
            isWholeKnown[key] = true;
            findWhole(key);
        }
        int element = firstElementOf[key] + length - 1;
        return (requireNonNull(isWhole)[element >>> 6] & 1L << element) != 0;
    }

    private void findWhole(int key) {
        Int2IntOpenHashMap nextOf = new Int2IntOpenHashMap(0); // by transaction: its append that must come next
        int begun = 0;
        for (int at = firstElementOf[key]; at < firstElementOf[key + 1]; at++) {
            int slot = slotOfElement[at];
            if (slot == NONE || writers.isAmbiguous(slot)) {
                return;
            }
            if (writers.isRepeated(slot) || !writers.isSole(writers.opOf(slot))) {
                int txn = writers.txnOf(slot);
                int expected = nextOf.getOrDefault(txn, firstAppend(key, txn, log.firstOpOf[txn]));
                if (expected == NONE
                        || log.value[expected] != requireNonNull(log.lists.trunk(key))[at - firstElementOf[key]]) {
                    return;
                }
                begun += nextOf.containsKey(txn) ? 0 : 1;
                int next = firstAppend(key, txn, expected + 1);
                begun -= next == NONE ? 1 : 0;
                nextOf.put(txn, next);
            }
            if (begun == 0) {
                requireNonNull(isWhole)[at >>> 6] |= 1L << at;
            }
        }
    }

    private int firstAppend(int key, int txn, int from) {
        for (int op = from; op < log.firstOpOf[txn + 1]; op++) {
            if (log.key[op] == key && log.kind[op] == OpKind.APPEND) {
                return op;
            }
        }
        return NONE;
    }

    /** Returns the position of the first repeated element of a trunk; beyond its end if none is repeated. */
    int firstRepeatOf(int key) {
        if (firstRepeatOf == null) {
            firstRepeatOf = new int[log.keyCount];
            isListed = new long[(log.opCount >>> 6) + 1];
            Arrays.fill(firstRepeatOf, NONE);
        }
        if (firstRepeatOf[key] == NONE) {
            firstRepeatOf[key] = firstRepeatIn(key, log.lists.trunkLength(key));
        }
        return firstRepeatOf[key];
    }

    /**
     * Returns the position of the first repeated element. An element that a transaction wrote has one slot, so a mark
     * per write detects repeats; others are compared.
     */
    private int firstRepeatIn(int key, int length) {
        LongOpenHashSet unwritten = new LongOpenHashSet(0);
        for (int position = 0; position < length; position++) {
            int slot = slotOfElement[firstElementOf[key] + position];
            boolean isNew;
            if (slot == NONE) {
                isNew = unwritten.add(requireNonNull(log.lists.trunk(key))[position]);
            } else {
                int op = writers.opOf(slot);
                isNew = (requireNonNull(isListed)[op >>> 6] & 1L << op) == 0;
                isListed[op >>> 6] |= 1L << op;
            }
            if (!isNew) {
                return position;
            }
        }
        return length;
    }
}
