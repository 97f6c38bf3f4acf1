package io.nightjar.pipeline.check.timestamp;

import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import it.unimi.dsi.fastutil.ints.IntSet;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.util.Arrays;
import java.util.BitSet;

/** Unknown transactions by ordinal, and whether each counts as committed at a level: IN, OUT, or still OPEN. */
final class UnknownStates {

    static final byte OPEN = 0;
    static final byte IN = 1;
    static final byte OUT = 2;

    private final Long2IntOpenHashMap ordinalOf = new Long2IntOpenHashMap();
    private final LongArrayList idOf = new LongArrayList();
    private final BitSet isUnjudged = new BitSet();
    private byte[] stateOf = new byte[64];

    /** Consequences of this round. */
    final IntSet toCount = new IntOpenHashSet();

    final IntSet toLeaveOut = new IntOpenHashSet();

    UnknownStates() {
        ordinalOf.defaultReturnValue(Lane.NONE);
    }

    /** Returns the ordinal of a transaction, a new one if it has none; it is OPEN then. */
    int add(long id) {
        int known = ordinalOf.get(id);
        if (known != Lane.NONE) {
            return known;
        }
        int var = idOf.size();
        ordinalOf.put(id, var);
        idOf.add(id);
        if (var == stateOf.length) {
            stateOf = Arrays.copyOf(stateOf, var * 2);
        }
        return var;
    }

    /** Returns the ordinal of a transaction, or {@link Lane#NONE}. */
    int find(long id) {
        return ordinalOf.get(id);
    }

    int size() {
        return idOf.size();
    }

    long id(int var) {
        return idOf.getLong(var);
    }

    LongSet ids(IntSet vars) {
        LongSet ids = new LongOpenHashSet();
        vars.forEach(var -> ids.add(id(var)));
        return ids;
    }

    byte get(int var) {
        return stateOf[var];
    }

    void set(int var, byte state) {
        stateOf[var] = state;
    }

    boolean isOpen(int var) {
        return stateOf[var] == OPEN && !isUnjudged.get(var);
    }

    boolean isUnjudged(int var) {
        return isUnjudged.get(var);
    }

    /** Leaves a transaction unjudged: it neither counts nor may it be chosen. */
    void leaveUnjudged(int var) {
        isUnjudged.set(var);
    }

    /** Lets a transaction be IN at the end of the round. */
    void count(int var) {
        toCount.add(var);
    }

    /** Lets a transaction be OUT at the end of the round, unless it is IN. */
    void leaveOut(int var) {
        toLeaveOut.add(var);
    }

    /** Returns the transactions that count. */
    LongSet counted() {
        LongSet ids = new LongOpenHashSet();
        for (int var = 0; var < size(); var++) {
            if (stateOf[var] == IN && !isUnjudged.get(var)) {
                ids.add(id(var));
            }
        }
        return ids;
    }
}
