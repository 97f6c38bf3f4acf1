package io.nightjar.pipeline.check.timestamp;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import it.unimi.dsi.fastutil.ints.IntSet;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/** The steps of {@link OutcomeResolver} at one level. */
final class LevelResolution {

    private final OutcomeEvidence reads;
    private final LongSet unjudged;
    private final UnknownStates states = new UnknownStates();
    private final UnknownRelations relations;
    private final ArrayDeque<ReadConstraint> pending = new ArrayDeque<>();
    private final IntArrayList news = new IntArrayList(); // transactions that became IN
    private final IntSet chosen = new IntOpenHashSet();
    private long openChoices;

    /**
     * @param words the statements about positions at this level
     * @param unjudged receives the transactions that cannot be resolved
     */
    LevelResolution(OutcomeEvidence reads, LongArrayList words, LongSet unjudged) {
        this.reads = reads;
        this.unjudged = unjudged;
        relations = new UnknownRelations(reads, words, states);
    }

    void run() {
        reads.promoted.forEach(id -> settle(states.find(id), UnknownStates.IN));
        if (reads.lacksPositions()) {
            leaveUnjudged(reads.ambiguousWriters);
            close();
            return;
        }
        relations.demands.forEach(this::recheckAt);
        close();
        while (!pending.isEmpty() || settleSingleClauses()) {
            while (!pending.isEmpty()) {
                ReadConstraint next = pending.poll();
                next.isPending = false;
                next.propagate();
            }
            settleRound();
        }
        choose();
        close();
        reportWrittenValues();
    }

    /** Returns the transactions that count as committed. */
    LongSet counted() {
        return states.counted();
    }

    /** Returns the transactions instead of which others could have counted. */
    LongSet chosen() {
        return states.ids(chosen);
    }

    /** Returns how often the existence of a conflict depends on a choice. */
    long openChoices() {
        return openChoices;
    }

    // ---------------------------------------------------------------- propagation

    private void settle(int var, byte state) {
        if (states.get(var) == state || states.get(var) == UnknownStates.IN) {
            return;
        }
        states.set(var, state);
        if (state == UnknownStates.IN) {
            news.add(var);
        }
        IntArrayList touched = relations.demandsOf(var);
        for (int i = 0; i < touched.size(); i++) {
            recheckAt(relations.demands.get(touched.getInt(i)));
        }
    }

    private void settleRound() {
        for (int var : states.toCount) {
            settle(var, UnknownStates.IN);
        }
        for (int var : states.toLeaveOut) {
            settle(var, UnknownStates.OUT);
        }
        states.toCount.clear();
        states.toLeaveOut.clear();
        close();
    }

    private void recheckAt(ReadConstraint demand) {
        if (!demand.isPending) {
            demand.isPending = true;
            pending.add(demand);
        }
    }

    /** Promotes each transaction from which a counted transaction has read, if the value has no other writer. */
    private void close() {
        while (!news.isEmpty()) {
            IntArrayList writers = relations.writersOf(news.popInt());
            for (int i = 0; i < writers.size(); i++) {
                settle(writers.getInt(i), UnknownStates.IN);
            }
        }
    }

    /** Promotes the last candidate of a clause; returns whether any clause had just one left. */
    private boolean settleSingleClauses() {
        for (int[] clause : relations.clauses) {
            int open = relations.soleOpen(clause);
            if (open != Lane.NONE) {
                states.count(open);
            }
        }
        boolean isAny = !states.toCount.isEmpty();
        settleRound();
        return isAny;
    }

    /**
     * Reports the writers of values that were read: a transaction wrote each of them; where no position explains it,
     * all that may have.
     */
    private void reportWrittenValues() {
        for (int[] clause : relations.clauses) {
            boolean isOfUnjudged = false;
            for (int i = 1; i < clause.length; i++) {
                isOfUnjudged |= states.isUnjudged(clause[i]);
            }
            if (clause[0] == Lane.NONE && !relations.isMet(clause) && !isOfUnjudged) {
                for (int i = 1; i < clause.length; i++) {
                    states.count(clause[i]);
                }
            }
        }
        settleRound();
    }

    private void leaveUnjudged(LongSet ids) {
        ids.forEach(id -> {
            unjudged.add(id);
            if (states.find(id) != Lane.NONE) {
                states.leaveUnjudged(states.find(id));
            }
        });
    }

    // ---------------------------------------------------------------- choices

    private void choose() {
        for (IntArrayList component : components(usable())) {
            MinimalPromotions.Choice made = new MinimalPromotions(relations, states, component).make();
            leaveUnjudged(made.unjudged());
            made.taken().forEach(var -> settle(var, UnknownStates.IN));
            chosen.addAll(made.chosen());
            openChoices += made.isOpen() ? 1 : 0;
        }
        LongSet unplaced = new LongOpenHashSet();
        for (ReadConstraint demand : relations.demands) {
            demand.addUnplaced(unplaced);
        }
        leaveUnjudged(unplaced);
    }

    /** Returns the OPEN ones that explain reads which nothing else explains, or would if others counted. */
    private IntSet usable() {
        IntSet usable = new IntOpenHashSet();
        for (ReadConstraint demand : relations.demands) {
            demand.addCandidates(usable);
        }
        for (int[] clause : relations.clauses) {
            if (relations.isActive(clause) && !relations.isMet(clause)) {
                relations.addOpen(clause, usable);
            }
        }
        IntArrayList todo = new IntArrayList(usable);
        while (!todo.isEmpty()) {
            for (int other : neededIfCounted(todo.popInt())) {
                if (usable.add(other)) {
                    todo.add(other);
                }
            }
        }
        return usable;
    }

    /**
     * Returns the OPEN transactions that could explain the reads that a transaction would leave unexplained, or its own
     * reads.
     */
    private IntSet neededIfCounted(int var) {
        IntSet found = new IntOpenHashSet();
        IntArrayList ofVar = relations.demandsOf(var);
        for (int i = 0; i < ofVar.size(); i++) {
            relations.demands.get(ofVar.getInt(i)).addRescuers(var, found);
        }
        IntArrayList writers = relations.writersOf(var);
        for (int i = 0; i < writers.size(); i++) {
            if (states.isOpen(writers.getInt(i))) {
                found.add(writers.getInt(i));
            }
        }
        IntArrayList ofClauses = relations.clausesOf(var);
        for (int i = 0; i < ofClauses.size(); i++) {
            int[] clause = relations.clauses.get(ofClauses.getInt(i));
            if (clause[0] == var) {
                relations.addOpen(clause, found);
            }
        }
        return found;
    }

    /** Returns groups of transactions that depend on each other, each in the order of ids. */
    private Iterable<IntArrayList> components(IntSet usable) {
        int[] leaderOf = new int[states.size()];
        Arrays.setAll(leaderOf, var -> var);
        for (int var : usable) {
            joinNeighbours(var, usable, leaderOf);
        }
        Map<Integer, IntArrayList> components = new TreeMap<>();
        for (int var : usable) {
            components
                    .computeIfAbsent(leader(var, leaderOf), absent -> new IntArrayList())
                    .add(var);
        }
        for (IntArrayList component : components.values()) {
            component.sort((a, b) -> Long.compare(states.id(a), states.id(b)));
        }
        return components.values();
    }

    private void joinNeighbours(int var, IntSet usable, int[] leaderOf) {
        IntArrayList ofVar = relations.demandsOf(var);
        for (int i = 0; i < ofVar.size(); i++) {
            join(var, relations.demands.get(ofVar.getInt(i)).vars, usable, leaderOf);
        }
        join(var, relations.writersOf(var), usable, leaderOf);
        join(var, relations.conflictsOf(var), usable, leaderOf);
        IntArrayList ofClauses = relations.clausesOf(var);
        for (int i = 0; i < ofClauses.size(); i++) {
            join(var, IntArrayList.wrap(relations.clauses.get(ofClauses.getInt(i))), usable, leaderOf);
        }
    }

    private static void join(int var, IntArrayList others, IntSet usable, int[] leaderOf) {
        for (int i = 0; i < others.size(); i++) {
            if (usable.contains(others.getInt(i))) {
                leaderOf[leader(others.getInt(i), leaderOf)] = leader(var, leaderOf);
            }
        }
    }

    private static int leader(int var, int[] leaderOf) {
        int leader = var;
        while (leaderOf[leader] != leader) {
            leaderOf[leader] = leaderOf[leaderOf[leader]];
            leader = leaderOf[leader];
        }
        return leader;
    }
}
