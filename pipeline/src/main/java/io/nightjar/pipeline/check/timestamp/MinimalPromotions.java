package io.nightjar.pipeline.check.timestamp;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import it.unimi.dsi.fastutil.ints.IntSet;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;

/** Connected OPEN transactions, some of which must count so that reads are explained: which. */
final class MinimalPromotions {

    /*
     * Algorithm. A combination is a mask over the transactions. They are tried in the order of their size; a superset
     * of one that explains all reads is skipped, so the minimal sets remain.
     */

    private static final int MAX_CHOICES = 12;

    private final UnknownRelations relations;
    private final UnknownStates states;
    private final IntArrayList vars;
    private final IntSet touchedDemands = new IntOpenHashSet();
    private final IntSet touchedClauses = new IntOpenHashSet();

    /** @param vars in the order of their ids */
    MinimalPromotions(UnknownRelations relations, UnknownStates states, IntArrayList vars) {
        this.relations = relations;
        this.states = states;
        this.vars = vars;
        for (int i = 0; i < vars.size(); i++) {
            touchedDemands.addAll(relations.demandsOf(vars.getInt(i)));
            touchedClauses.addAll(relations.clausesOf(vars.getInt(i)));
        }
    }

    /**
     * Result of the search.
     *
     * @param taken transactions that count
     * @param chosen transactions that count in some of the minimal sets, but not in all
     * @param isOpen whether a conflict depends on the choice
     * @param unjudged transactions that cannot be resolved, because they are too many or a transaction without a position
     *     may explain the read
     */
    record Choice(IntSet taken, IntSet chosen, boolean isOpen, LongSet unjudged) {}

    Choice make() {
        if (vars.size() > MAX_CHOICES) {
            return unjudged(new LongOpenHashSet());
        }
        int combinations = 1 << vars.size();
        IntArrayList smallest = new IntArrayList();
        for (int size = 0; size <= vars.size(); size++) {
            for (int mask = 0; mask < combinations; mask++) {
                if (Integer.bitCount(mask) == size && !holdsOneOf(mask, smallest) && explains(mask)) {
                    smallest.add(mask);
                }
            }
        }
        return of(smallest);
    }

    private Choice unjudged(LongSet others) {
        others.addAll(states.ids(new IntOpenHashSet(vars)));
        return new Choice(IntSet.of(), IntSet.of(), false, others);
    }

    private static boolean holdsOneOf(int mask, IntArrayList smallest) {
        for (int i = 0; i < smallest.size(); i++) {
            if ((mask & smallest.getInt(i)) == smallest.getInt(i)) {
                return true;
            }
        }
        return false;
    }

    private Choice of(IntArrayList smallest) {
        int good = Lane.NONE;
        int goodCount = 0;
        int inAll = -1;
        int inAny = 0;
        for (int i = 0; i < smallest.size(); i++) {
            inAll &= smallest.getInt(i);
            inAny |= smallest.getInt(i);
            if (isFreeOfConflicts(smallest.getInt(i))) {
                good = good == Lane.NONE ? smallest.getInt(i) : good;
                goodCount++;
            }
        }
        if (good == Lane.NONE) {
            LongSet unplaced = unplacedWriters();
            if (!unplaced.isEmpty()) {
                return unjudged(unplaced);
            }
        }
        int taken = good != Lane.NONE ? good : smallest.isEmpty() ? 0 : smallest.getInt(0);
        boolean isOpen = goodCount > 0 && goodCount < smallest.size();
        return new Choice(of(taken), of(inAny & ~inAll), isOpen, LongSet.of());
    }

    private IntSet of(int mask) {
        IntSet some = new IntOpenHashSet();
        for (int i = 0; i < vars.size(); i++) {
            if ((mask >>> i & 1) == 1) {
                some.add(vars.getInt(i));
            }
        }
        return some;
    }

    private LongSet unplacedWriters() {
        LongSet unplaced = new LongOpenHashSet();
        touchedDemands.forEach(demand -> relations.demands.get(demand).addUnplaced(unplaced));
        return unplaced;
    }

    private boolean explains(int mask) {
        for (int i = 0; i < vars.size(); i++) {
            states.set(vars.getInt(i), (mask >>> i & 1) == 1 ? UnknownStates.IN : UnknownStates.OPEN);
        }
        boolean explains = isExplained();
        for (int i = 0; i < vars.size() && explains; i++) {
            if ((mask >>> i & 1) == 1) {
                IntArrayList writers = relations.writersOf(vars.getInt(i));
                for (int w = 0; w < writers.size(); w++) {
                    explains &= states.get(writers.getInt(w)) == UnknownStates.IN;
                }
            }
        }
        for (int i = 0; i < vars.size(); i++) {
            states.set(vars.getInt(i), UnknownStates.OPEN);
        }
        return explains;
    }

    private boolean isExplained() {
        for (int demand : touchedDemands) {
            if (!relations.demands.get(demand).isExplained()) {
                return false;
            }
        }
        for (int clause : touchedClauses) {
            int[] candidates = relations.clauses.get(clause);
            if (relations.isActive(candidates) && !relations.isMet(candidates)) {
                return false;
            }
        }
        return true;
    }

    private boolean isFreeOfConflicts(int mask) {
        for (int i = 0; i < vars.size(); i++) {
            if ((mask >>> i & 1) == 0) {
                continue;
            }
            if (relations.isBad.get(vars.getInt(i))) {
                return false;
            }
            IntArrayList others = relations.conflictsOf(vars.getInt(i));
            for (int o = 0; o < others.size(); o++) {
                int position = vars.indexOf(others.getInt(o));
                boolean counts =
                        position >= 0 ? (mask >>> position & 1) == 1 : states.get(others.getInt(o)) == UnknownStates.IN;
                if (counts) {
                    return false;
                }
            }
        }
        return true;
    }
}
