package io.nightjar.formats.parquet;

import io.nightjar.formats.history.StringPool;
import java.io.IOException;
import java.util.Arrays;

/** Reads the lists of one row group's elements, one per operation, with only one list in memory. */
final class ListReader {

    private final LeafReader leaf;
    private final int listDef;
    private final int elementDef;

    private final int[] reps;
    private final int[] defs;
    private final long[] values;
    private int held;
    private int at;

    private long[] elements = new long[64];
    private int length;
    private boolean hasNullElement;

    ListReader(LeafReader leaf, HistoryLeaves leaves) {
        this.leaf = leaf;
        this.reps = new int[leaf.batch()];
        this.defs = new int[leaf.batch()];
        this.values = new long[leaf.batch()];
        this.listDef = leaves.listDef;
        this.elementDef = leaves.elementDef;
    }

    LeafReader leaf() {
        return leaf;
    }

    /** Returns the elements of the list read last; the first {@link #length} are valid. */
    long[] elements() {
        return elements;
    }

    /** Maps the strings that were read ahead from one table to another. */
    void mapAgain(StringPool from, NameMap to) {
        for (int entry = at; entry < held; entry++) {
            if (defs[entry] == leaf.leaf.maxDef && values[entry] >= 0) {
                int ordinal = (int) values[entry];
                values[entry] = to.map(from.bytes(), from.firstByte(ordinal), from.length(ordinal));
            }
        }
    }

    int length() {
        return length;
    }

    /** Returns whether an element of the list read last is null. */
    boolean hasNullElement() {
        return hasNullElement;
    }

    /** Skips null lists while that is cheap; returns their number. */
    int skipNulls(int maxLists) throws IOException {
        int skipped = 0;
        while (at == held && skipped < maxLists) {
            int taken = leaf.take(maxLists - skipped);
            if (taken == 0) {
                return skipped;
            }
            if (!leaf.isConstantAbsent() || leaf.constantDef() >= listDef) {
                load(taken);
                return skipped;
            }
            leaf.skipReps();
            skipped += taken;
        }
        return skipped;
    }

    /** Reads the next list; returns false if it is null. */
    boolean next(boolean isRowBegin) throws IOException {
        if (at == held && !loadMore()) {
            throw leaf.corrupt("column has fewer lists than operations");
        }
        int repeated = leaf.leaf.maxRep;
        if (reps[at] == repeated || (reps[at] == 0) != isRowBegin) {
            throw leaf.corrupt("lists do not fit the operations");
        }
        length = 0;
        hasNullElement = false;
        int def = defs[at];
        if (def < elementDef) {
            at++;
            return def >= listDef;
        }
        do {
            add(at++);
        } while ((at < held || loadMore()) && reps[at] == repeated);
        return true;
    }

    private void add(int entry) {
        if (length == elements.length) {
            elements = Arrays.copyOf(elements, length * 2);
        }
        hasNullElement |= defs[entry] < leaf.leaf.maxDef;
        elements[length++] = values[entry];
    }

    private boolean loadMore() throws IOException {
        int taken = leaf.take(leaf.batch());
        load(taken);
        return taken > 0;
    }

    private void load(int taken) {
        at = 0;
        held = taken;
        if (taken > 0) {
            leaf.reps(reps, 0);
            leaf.defs(defs, 0);
            leaf.values(values, 0, null, 0, 0, 0);
        }
    }
}
