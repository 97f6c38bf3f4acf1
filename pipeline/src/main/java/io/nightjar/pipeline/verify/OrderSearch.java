package io.nightjar.pipeline.verify;

import static java.util.Objects.requireNonNull;

import io.nightjar.pipeline.verify.OrderRules.Axiom;
import io.nightjar.pipeline.verify.SubHistory.ComputedAnswer;
import io.nightjar.pipeline.verify.SubHistory.Observation;
import io.nightjar.pipeline.verify.SubHistory.Part;
import io.nightjar.pipeline.verify.SubHistory.Read;
import io.nightjar.pipeline.verify.SubHistory.Sum;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Naive search for an order of a few transactions that obeys a level's rules, small enough to be verified by reading. */
public final class OrderSearch {

    /*
     * Definitions. A bit matrix, closed under transitivity, records which transaction precedes which. A choice is a
     * disjunction "a before b or c before d":
     *
     *   t read x from w, and u writes x too:   u before w, or t before u
     *   t read a counter, u increments it:     u before t, or t before u
     *   t computed an answer of x, u writes x: u before t, or t before u; and of two such u, either first
     *   t and u write x (snapshots only):      t before u takes its snapshot, or the other way round
     *
     * Algorithm. Necessary order is entered first: session order, reads-from, given version orders. A choice with a
     * half that contradicts the matrix is replaced by its other half. When no such choice remains, a half is forced if
     * the other leads to a contradiction by these steps alone; otherwise both are tried. Levels below prefix have no
     * choices: session order and reads determine visibility.
     *
     * Of an observation, a read of a value that several transactions wrote or a guard that several versions satisfy,
     * the matrix excludes candidates: versions after the reader, and versions overwritten
     * before it. One that is left is a read. Nodes before all that are left come before the reader, and writes after all
     * of them come after it. If an order exists so, each candidate is tried.
     *
     * Of a computed answer, the matrix leaves some versions of each key that may be current. It is impossible if it is
     * wrong for each choice of these.
     *
     * Cost. Polynomial at levels below prefix, which ignore time. Other levels count words of the matrix: they end
     * undecided after a limit, or when their time is over, which is queried once a search is long enough for time to
     * matter. A short search has the same result on every machine.
     */

    /** The result of a search. */
    public enum Answer {
        POSSIBLE,
        IMPOSSIBLE,
        /** The search grew too long. */
        UNDECIDED
    }

    /** Maximum number of matrix words read in one search. */
    private static final long MAX_WORK = 4_000_000_000L;

    /** Maximum number of transactions whose matrix can be closed within that. */
    static final int MAX_TXNS = (int) Math.cbrt(64.0 * MAX_WORK);

    /** Words of the matrix from which on time is queried. */
    private static final long UNTIMED_WORK = 50_000_000L;

    /** Words of the matrix between two queries of time. */
    private static final long WORK_BETWEEN_QUERIES = 1_000_000L;

    /** Words that take the time of relating a candidate or an increment to a reader. */
    private static final int WORK_PER_RELATION = 16;

    /** Words that take the time of computing an answer. */
    private static final int WORK_PER_ANSWER = 2_000;

    /** Maximum number of choices of current rows that are tried. */
    private static final int MAX_COMBINATIONS = 1_000;

    private static final int MAX_NODES = 30_000; // 112 MB for the matrix

    private final SubHistory history;
    private final OrderRules rules;
    private final int nodeCount;
    private final List<int[]> choices = new ArrayList<>(); // {a, b, c, d}: a before b, or c before d
    private final BeforeMatrix known;
    private boolean missesWhatItMustSee;
    private final BooleanSupplier isTimeOver;
    private long work;
    private long nextQuery = UNTIMED_WORK; // in words
    private boolean isOver;

    private OrderSearch(SubHistory history, OrderRules rules, BooleanSupplier isTimeOver) {
        this.history = history;
        this.rules = rules;
        this.isTimeOver = rules.axiom().isWeak() ? () -> false : isTimeOver;
        this.nodeCount = rules.axiom().isSplit() ? 2 * history.txnCount : history.txnCount;
        this.isOver = nodeCount > MAX_NODES && !rules.axiom().isWeak();
        this.known = new BeforeMatrix(isOver ? 0 : nodeCount);
        if (isOver) {
            return;
        }
        addWhatIsGiven();
        if (rules.axiom().isWeak()) {
            addWhatMustBeSeen();
        } else {
            collectChoices();
        }
    }

    /** @param isTimeOver whether to stop, queried by long searches only */
    public static Answer decide(SubHistory history, OrderRules rules, BooleanSupplier isTimeOver) {
        return new NamingSearch(rules, isTimeOver).decide(history);
    }

    /** Tries the candidates of reads that may be of several writers. */
    private static final class NamingSearch {

        private final OrderRules rules;
        private final BooleanSupplier isTimeOver;
        private long work;

        NamingSearch(OrderRules rules, BooleanSupplier isTimeOver) {
            this.rules = rules;
            this.isTimeOver = isTimeOver;
        }

        /** Names writers where only one is possible, then tries each writer of an observation with few. */
        Answer decide(SubHistory given) {
            SubHistory history = given;
            Answer answer = searched(history);
            while (answer == Answer.POSSIBLE && !history.observations.isEmpty()) {
                Observation smallest = null;
                List<Integer> left = List.of();
                for (Observation observation : history.observations) {
                    List<Integer> possible = possible(history, observation);
                    if (possible.isEmpty()) {
                        return Answer.IMPOSSIBLE;
                    }
                    if (smallest == null || possible.size() < left.size()) {
                        smallest = observation;
                        left = possible;
                    }
                    if (left.size() == 1) {
                        break;
                    }
                }
                if (left.size() > 1) {
                    return branch(history, requireNonNull(smallest), left);
                }
                history = history.naming(requireNonNull(smallest), left.get(0));
                answer = searched(history);
            }
            return answer;
        }

        private List<Integer> possible(SubHistory history, Observation observation) {
            return observation.writers().stream()
                    .filter(writer -> searched(history.naming(observation, writer)) != Answer.IMPOSSIBLE)
                    .toList();
        }

        private Answer branch(SubHistory history, Observation observation, List<Integer> writers) {
            Answer worst = Answer.IMPOSSIBLE;
            for (int writer : writers) {
                Answer answer = decide(history.naming(observation, writer));
                if (answer == Answer.POSSIBLE) {
                    return answer;
                }
                worst = answer == Answer.UNDECIDED ? answer : worst;
            }
            return worst;
        }

        private Answer searched(SubHistory history) {
            if (work > MAX_WORK) {
                return Answer.UNDECIDED;
            }
            OrderSearch search = new OrderSearch(history, rules, isTimeOver);
            Answer answer = search.search();
            work += search.work;
            return answer;
        }
    }

    /** Returns the consequences at a level without choices, even past a contradiction; parameters as above. */
    static Forced forced(SubHistory history, OrderRules rules, BooleanSupplier isTimeOver) {
        OrderSearch search = new OrderSearch(history, rules, isTimeOver);
        boolean grew = true;
        while (grew && !search.isOver) {
            grew = false;
            for (int[] choice : search.choices) {
                grew |= search.known.has(choice[1], choice[0]) && search.add(search.known, choice[2], choice[3]);
                grew |= search.known.has(choice[3], choice[2]) && search.add(search.known, choice[0], choice[1]);
            }
            search.spend(search.choices.size());
        }
        return new Forced(search);
    }

    private boolean add(BeforeMatrix state, int from, int to) {
        boolean isNew = !isOver && state.add(from, to);
        spend(isNew ? (long) nodeCount * (1 + nodeCount / 64) : 1);
        return isNew;
    }

    private void spend(long words) {
        work += words;
        if (work >= nextQuery) {
            nextQuery = work + WORK_BETWEEN_QUERIES;
            isOver |= isTimeOver.getAsBoolean();
        }
    }

    /** Necessary precedences between commits. */
    static final class Forced {

        private final OrderSearch search;

        private Forced(OrderSearch search) {
            this.search = search;
        }

        /** Returns whether the derivation was stopped, so that more may follow. */
        boolean isPartial() {
            return search.isOver;
        }

        boolean commitsBefore(int txn, int other) {
            return search.known.has(search.commit(txn), search.commit(other));
        }
    }

    private int snapshot(int txn) {
        return rules.axiom().isSplit() ? 2 * txn : txn;
    }

    private int commit(int txn) {
        return rules.axiom().isSplit() ? 2 * txn + 1 : txn;
    }

    // ---------------------------------------------------------------- given order

    private void addWhatIsGiven() {
        for (int txn = 0; txn < history.txnCount; txn++) {
            if (rules.axiom().isSplit()) {
                add(known, snapshot(txn), commit(txn));
            }
            for (int other = 0; other < history.txnCount; other++) {
                boolean isBefore = rules.keepsSessions() && history.precedesInSession(txn, other)
                        || rules.keepsRealTime() && history.precedesInRealTime(txn, other);
                if (isBefore) {
                    add(known, commit(txn), snapshot(other));
                }
            }
            spend(history.txnCount);
        }
        for (Read read : history.reads) {
            if (read.writer() != SubHistory.INITIAL) {
                add(known, commit(read.writer()), snapshot(read.reader()));
            }
        }
        for (int[] writers : history.versionOrders) {
            for (int i = 1; i < writers.length; i++) {
                if (writers[i - 1] != writers[i]) {
                    add(known, commit(writers[i - 1]), commit(writers[i]));
                }
            }
        }
    }

    // ---------------------------------------------------------------- weak levels

    private void addWhatMustBeSeen() {
        BeforeMatrix seen = new BeforeMatrix(history.txnCount);
        if (rules.axiom() == Axiom.CAUSAL) {
            for (int txn = 0; txn < history.txnCount; txn++) {
                for (int other = 0; other < history.txnCount; other++) {
                    if (isSeenDirectly(txn, other)) {
                        add(seen, txn, other);
                    }
                }
            }
        }
        for (Read read : history.reads) {
            if (read.key() == SubHistory.NO_KEY) {
                continue;
            }
            BitSet writers = history.writersOf.get(read.key());
            for (int writer = writers.nextSetBit(0); writer >= 0; writer = writers.nextSetBit(writer + 1)) {
                boolean isRival = writer != read.writer() && writer != read.reader();
                if (isRival && mustSee(read, writer, seen)) {
                    if (read.writer() == SubHistory.INITIAL) {
                        missesWhatItMustSee = true;
                    } else {
                        add(known, writer, read.writer());
                    }
                }
            }
        }
    }

    private boolean mustSee(Read read, int writer, BeforeMatrix seen) {
        return switch (rules.axiom()) {
            case READ_COMMITTED -> history.hasReadBeforeOp(read.reader(), writer, read.op());
            case READ_ATOMIC -> isSeenDirectly(writer, read.reader());
            default -> seen.has(writer, read.reader());
        };
    }

    private boolean isSeenDirectly(int writer, int reader) {
        return rules.keepsSessions() && history.precedesInSession(writer, reader) || history.readsFrom(reader, writer);
    }

    // ---------------------------------------------------------------- choices

    private void collectChoices() {
        Set<List<Integer>> offered = new HashSet<>(); // many reads may offer the same choice
        for (Read read : history.reads) {
            if (read.key() == SubHistory.NO_KEY) {
                continue;
            }
            BitSet writers = history.writersOf.get(read.key());
            for (int writer = writers.nextSetBit(0); writer >= 0; writer = writers.nextSetBit(writer + 1)) {
                if (writer == read.writer() || writer == read.reader()) {
                    continue;
                }
                if (read.writer() == SubHistory.INITIAL) {
                    add(known, snapshot(read.reader()), commit(writer));
                } else if (offered.add(List.of(read.reader(), read.writer(), writer))) {
                    choices.add(
                            new int[] {commit(writer), commit(read.writer()), snapshot(read.reader()), commit(writer)});
                }
            }
        }
        for (Sum sum : history.sums) {
            missesWhatItMustSee |= sum.deltaOf().isEmpty() && sum.sum() != 0;
            for (int writer : new TreeSet<>(sum.deltaOf().keySet())) {
                int reader = snapshot(sum.reader());
                choices.add(new int[] {commit(writer), reader, reader, commit(writer)});
            }
        }
        history.answers.forEach(this::collectChoices);
        if (rules.axiom() == Axiom.SNAPSHOT) {
            collectConflicts();
        }
    }

    private void collectChoices(ComputedAnswer answer) {
        int reader = snapshot(answer.reader());
        for (Part part : answer.parts()) {
            choices.add(new int[] {commit(part.writer()), reader, reader, commit(part.writer())});
            for (Part other : answer.parts()) {
                boolean isRival = other.key() == part.key() && other.writer() < part.writer();
                if (isRival && !Objects.equals(other.row(), part.row())) {
                    int[] writers = {commit(part.writer()), commit(other.writer())};
                    choices.add(new int[] {writers[0], writers[1], writers[1], writers[0]});
                }
            }
        }
    }

    private void collectConflicts() {
        BitSet[] conflicting = new BitSet[history.txnCount];
        Arrays.setAll(conflicting, txn -> new BitSet());
        for (BitSet writers : history.writersOf) {
            writers.stream().forEach(writer -> conflicting[writer].or(writers));
        }
        for (int txn = 0; txn < history.txnCount; txn++) {
            for (int other = txn + 1; other < history.txnCount; other++) {
                if (conflicting[txn].get(other)) {
                    choices.add(new int[] {commit(txn), snapshot(other), commit(other), snapshot(txn)});
                }
            }
        }
    }

    // ---------------------------------------------------------------- search

    private Answer search() {
        if (isOver) {
            return Answer.UNDECIDED;
        }
        if (missesWhatItMustSee || known.isCyclic()) {
            return Answer.IMPOSSIBLE;
        }
        boolean hasNoMore = history.observations.isEmpty() && history.answers.isEmpty()
                || rules.axiom().isWeak();
        return choices.isEmpty() && hasNoMore ? Answer.POSSIBLE : search(known);
    }

    private Answer search(BeforeMatrix from) {
        BeforeMatrix state = from;
        if (!propagate(state)) {
            return isOver ? Answer.UNDECIDED : Answer.IMPOSSIBLE;
        }
        while (true) {
            int[] open = null;
            boolean grew = false;
            for (int[] choice : choices) {
                if (!isOpen(state, choice)) {
                    continue;
                }
                BeforeMatrix first = tried(state, choice[0], choice[1]);
                BeforeMatrix second = tried(state, choice[2], choice[3]);
                if (isOver || work > MAX_WORK) {
                    return Answer.UNDECIDED;
                }
                if (first != null && second != null) {
                    open = choice;
                } else if (first != null) {
                    state = first;
                    grew = true;
                } else if (second != null) {
                    state = second;
                    grew = true;
                } else {
                    return Answer.IMPOSSIBLE;
                }
            }
            if (open == null) {
                return Answer.POSSIBLE;
            }
            if (!grew) {
                return branch(state, open);
            }
        }
    }

    private Answer branch(BeforeMatrix state, int[] choice) {
        BeforeMatrix first = state.copy();
        add(first, choice[0], choice[1]);
        Answer answer = search(first);
        if (answer != Answer.IMPOSSIBLE) {
            return answer;
        }
        BeforeMatrix second = state.copy();
        add(second, choice[2], choice[3]);
        return isOver ? Answer.UNDECIDED : search(second);
    }

    private static boolean isOpen(BeforeMatrix state, int[] choice) {
        return !state.has(choice[0], choice[1]) && !state.has(choice[2], choice[3]);
    }

    /** Returns the matrix with one edge more and all that follows, or null if that is a contradiction. */
    private @Nullable BeforeMatrix tried(BeforeMatrix state, int from, int to) {
        if (state.has(to, from)) {
            return null;
        }
        BeforeMatrix copy = state.copy();
        add(copy, from, to);
        return propagate(copy) ? copy : null;
    }

    /** Returns false at a contradiction, or if the search is over. */
    private boolean propagate(BeforeMatrix state) {
        boolean grew = true;
        while (grew) {
            if (isOver) {
                return false;
            }
            grew = false;
            for (int[] choice : choices) {
                if (isOpen(state, choice)) {
                    boolean notFirst = state.has(choice[1], choice[0]);
                    boolean notSecond = state.has(choice[3], choice[2]);
                    if (notFirst && notSecond) {
                        return false;
                    }
                    if (notFirst || notSecond) {
                        add(state, notFirst ? choice[2] : choice[0], notFirst ? choice[3] : choice[1]);
                        grew = true;
                    }
                }
            }
            spend((long) choices.size() * 4 + (long) nodeCount * nodeCount / 64);
            for (Observation observation : history.observations) {
                Boolean isNew = grew ? Boolean.FALSE : propagate(state, observation);
                if (isNew == null) {
                    return false;
                }
                grew |= isNew;
            }
            for (Sum sum : history.sums) {
                grew |= !grew && propagate(state, sum);
            }
        }
        return !state.isCyclic() && arePossible(state);
    }

    /** Adds the consequences of an observation; returns whether any is new, null at a contradiction. */
    private @Nullable Boolean propagate(BeforeMatrix state, Observation observation) {
        int reader = snapshot(observation.reader());
        BitSet writers = (BitSet) history.writersOf.get(observation.key()).clone();
        writers.clear(observation.reader());
        BitSet before = new BitSet();
        writers.stream().filter(writer -> state.has(commit(writer), reader)).forEach(before::set);
        BitSet left = (BitSet) observation.candidates().clone();
        left.clear(observation.reader());
        for (int candidate = left.nextSetBit(0); candidate >= 0; candidate = left.nextSetBit(candidate + 1)) {
            int commit = commit(candidate);
            if (state.has(reader, commit) || before.stream().anyMatch(later -> state.has(commit, commit(later)))) {
                left.clear(candidate);
            }
        }
        spend(WORK_PER_RELATION * (nodeCount + (1L + left.cardinality()) * (1 + writers.cardinality())));
        boolean isInitialLeft = observation.acceptsInitial() && before.isEmpty();
        int count = left.cardinality() + (isInitialLeft ? 1 : 0);
        if (count == 0) {
            return null;
        }
        boolean grew = false;
        if (count == 1 && !isInitialLeft) {
            int commit = commit(left.nextSetBit(0));
            grew = add(state, commit, reader);
            for (int other : before.stream().toArray()) {
                grew |= commit(other) != commit && add(state, commit(other), commit);
            }
        }
        for (int node = 0; count > 1 && !isInitialLeft && node < nodeCount; node++) {
            int from = node;
            if (!state.has(node, reader) && left.stream().allMatch(each -> state.has(from, commit(each)))) {
                grew |= add(state, node, reader);
            }
        }
        for (int writer : writers.stream().toArray()) {
            boolean isAfterAll =
                    !left.get(writer) && left.stream().allMatch(each -> state.has(commit(each), commit(writer)));
            grew |= isAfterAll && add(state, reader, commit(writer));
        }
        return grew;
    }

    /** Orders increments that would make a sum wrong on one side for each choice of the others; returns whether any is. */
    private boolean propagate(BeforeMatrix state, Sum sum) {
        long[] bounds = bounds(state, sum);
        int reader = snapshot(sum.reader());
        boolean grew = false;
        for (Map.Entry<Integer, Long> increment : sum.deltaOf().entrySet()) {
            int commit = commit(increment.getKey());
            long delta = increment.getValue();
            if (state.has(commit, reader) || state.has(reader, commit)) {
                continue;
            }
            long min = bounds[0] - Math.min(0, delta);
            long max = bounds[1] - Math.max(0, delta);
            if (min + delta > sum.sum() || max + delta < sum.sum()) {
                grew |= add(state, reader, commit);
            } else if (min > sum.sum() || max < sum.sum()) {
                grew |= add(state, commit, reader);
            }
        }
        return grew;
    }

    /** Returns the least and the greatest value that a counter can have at a snapshot. */
    private long[] bounds(BeforeMatrix state, Sum sum) {
        long min = 0;
        long max = 0;
        for (Map.Entry<Integer, Long> increment : sum.deltaOf().entrySet()) {
            boolean isIn = state.has(commit(increment.getKey()), snapshot(sum.reader()));
            boolean isOut = state.has(snapshot(sum.reader()), commit(increment.getKey()));
            long delta = increment.getValue();
            min += isIn ? delta : isOut ? 0 : Math.min(0, delta);
            max += isIn ? delta : isOut ? 0 : Math.max(0, delta);
        }
        spend((long) WORK_PER_RELATION * sum.deltaOf().size());
        return new long[] {min, max};
    }

    /** Returns whether each counter can have the value that was read for some choice of the open increments. */
    private boolean arePossible(BeforeMatrix state) {
        for (Sum sum : history.sums) {
            long[] bounds = bounds(state, sum);
            if (bounds[0] > sum.sum() || bounds[1] < sum.sum()) {
                return false;
            }
        }
        return history.answers.stream().allMatch(answer -> isPossible(state, answer));
    }

    // ---------------------------------------------------------------- computed answers

    /** Returns whether a computed answer is right for some choice of the versions that may be current. */
    private boolean isPossible(BeforeMatrix state, ComputedAnswer answer) {
        int reader = snapshot(answer.reader());
        Map<Integer, Set<Optional<String>>> rowsOf = new TreeMap<>(); // by key: rows that may be current
        Set<Integer> written = new HashSet<>();
        for (Part part : answer.parts()) {
            int commit = commit(part.writer());
            boolean isIn = state.has(commit, reader);
            boolean isReplaced = answer.parts().stream()
                    .anyMatch(later -> later.key() == part.key()
                            && state.has(commit, commit(later.writer()))
                            && state.has(commit(later.writer()), reader));
            Set<Optional<String>> rows = rowsOf.computeIfAbsent(part.key(), absent -> new HashSet<>());
            if (!isReplaced && !state.has(reader, commit)) {
                rows.add(Optional.ofNullable(part.row()));
            }
            if (isIn) {
                written.add(part.key());
            }
        }
        spend((long) WORK_PER_RELATION * answer.parts().size() * answer.parts().size());
        rowsOf.forEach((key, rows) -> {
            if (!written.contains(key)) {
                rows.add(Optional.empty());
            }
        });
        double combinations = rowsOf.values().stream().mapToDouble(Set::size).reduce(1, (all, more) -> all * more);
        return combinations > MAX_COMBINATIONS
                || isAnyRight(answer, new ArrayList<>(rowsOf.values()), new ArrayList<>());
    }

    private boolean isAnyRight(ComputedAnswer answer, List<Set<Optional<String>>> open, List<String> chosen) {
        if (open.isEmpty()) {
            spend(WORK_PER_ANSWER);
            return answer.isRight().test(chosen);
        }
        for (Optional<String> row : open.get(0)) {
            List<String> more = new ArrayList<>(chosen);
            row.ifPresent(more::add);
            if (isAnyRight(answer, open.subList(1, open.size()), more)) {
                return true;
            }
        }
        return false;
    }
}
