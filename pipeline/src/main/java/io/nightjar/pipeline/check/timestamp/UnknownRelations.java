package io.nightjar.pipeline.check.timestamp;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntSet;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Relations between unknown transactions at a level: reads, possible reads, and conflicts. */
final class UnknownRelations {

    /*
     * Definitions. A clause is a reader, NONE for a committed reader, followed by the candidates of which one must
     * count if the reader does.
     *
     * Layout. By the ordinal of a transaction:
     *
     *   writersOf     the unknown transactions that it read from, by value, if the value has no other writer
     *   clausesOf     the clauses that it is a reader or a candidate of
     *   demandsOf     the statements about positions that name it
     *   conflictsOf   transactions with which it cannot commit without a conflict
     *   isBad         it conflicts with a committed transaction
     */

    final List<ReadConstraint> demands = new ArrayList<>();
    final List<int[]> clauses = new ArrayList<>();
    final BitSet isBad = new BitSet();

    private final UnknownStates states;
    private final List<IntArrayList> demandsOf = new ArrayList<>();
    private final List<IntArrayList> writersOf = new ArrayList<>();
    private final List<IntArrayList> clausesOf = new ArrayList<>();
    private final List<IntArrayList> conflictsOf = new ArrayList<>();

    /** @param words the statements about positions at the level */
    UnknownRelations(OutcomeEvidence reads, LongArrayList words, UnknownStates states) {
        this.states = states;
        reads.promoted.forEach(states::add);
        for (int i = 0; i < reads.unknownReader.size(); i++) {
            int reader = states.add(reads.unknownReader.getLong(i));
            of(writersOf, reader).add(states.add(reads.unknownWriter.getLong(i)));
        }
        readClauses(reads.clauses);
        readStatements(words.elements(), words.size());
    }

    IntArrayList demandsOf(int var) {
        return of(demandsOf, var);
    }

    IntArrayList writersOf(int var) {
        return of(writersOf, var);
    }

    IntArrayList clausesOf(int var) {
        return of(clausesOf, var);
    }

    IntArrayList conflictsOf(int var) {
        return of(conflictsOf, var);
    }

    private static IntArrayList of(List<IntArrayList> lists, int var) {
        while (lists.size() <= var) {
            lists.add(new IntArrayList(0));
        }
        return lists.get(var);
    }

    private void readClauses(LongArrayList words) {
        for (int at = 0; at < words.size(); ) {
            long reader = words.getLong(at);
            int count = (int) words.getLong(at + 1);
            int[] clause = new int[count + 1];
            clause[0] = reader == OutcomeEvidence.NO_READER ? Lane.NONE : states.add(reader);
            for (int i = 1; i <= count; i++) {
                clause[i] = states.add(words.getLong(at + 1 + i));
            }
            for (int var : clause) {
                if (var != Lane.NONE) {
                    clausesOf(var).add(clauses.size());
                }
            }
            clauses.add(clause);
            at += 2 + count;
        }
    }

    private void readStatements(long[] words, int size) {
        for (int at = 0; at < size; ) {
            switch ((int) words[at]) {
                case ReadConstraintCollector.OUT -> {
                    states.set(states.add(words[at + 1]), UnknownStates.OUT);
                    at += 2;
                }
                case ReadConstraintCollector.BAD -> {
                    isBad.set(states.add(words[at + 1]));
                    at += 2;
                }
                case ReadConstraintCollector.PAIR -> {
                    int one = states.add(words[at + 1]);
                    int other = states.add(words[at + 2]);
                    conflictsOf(one).add(other);
                    conflictsOf(other).add(one);
                    at += 3;
                }
                default -> {
                    int end = at + 2 + (int) words[at + 1];
                    add(
                            words[at] == ReadConstraintCollector.REGISTER
                                    ? new RegisterDemand(states, words, at + 2, end)
                                    : new ListDemand(states, words, at + 2));
                    at = end;
                }
            }
        }
    }

    private void add(ReadConstraint demand) {
        for (int i = 0; i < demand.vars.size(); i++) {
            demandsOf(demand.vars.getInt(i)).add(demands.size());
        }
        demands.add(demand);
    }

    // ---------------------------------------------------------------- clauses

    /** Returns whether one of the candidates has to count. */
    boolean isActive(int[] clause) {
        return clause[0] == Lane.NONE || states.get(clause[0]) == UnknownStates.IN;
    }

    /** Returns whether one of them does. */
    boolean isMet(int[] clause) {
        for (int i = 1; i < clause.length; i++) {
            if (states.get(clause[i]) == UnknownStates.IN) {
                return true;
            }
        }
        return false;
    }

    /** Returns the only candidate left of a clause that is not met, or NONE. */
    int soleOpen(int[] clause) {
        if (!isActive(clause) || isMet(clause)) {
            return Lane.NONE;
        }
        int sole = Lane.NONE;
        for (int i = 1; i < clause.length; i++) {
            if (states.get(clause[i]) == UnknownStates.OPEN) {
                if (sole != Lane.NONE) {
                    return Lane.NONE;
                }
                sole = clause[i];
            }
        }
        return sole;
    }

    void addOpen(int[] clause, IntSet to) {
        for (int i = 1; i < clause.length; i++) {
            if (states.isOpen(clause[i])) {
                to.add(clause[i]);
            }
        }
    }
}
