package io.nightjar.pipeline.decide;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.SetsFields;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.check.CommitOrder;
import io.nightjar.pipeline.check.Contradiction;
import io.nightjar.pipeline.check.LevelAnswer;
import io.nightjar.pipeline.check.commitorder.OrderChecker;
import io.nightjar.pipeline.check.weak.WeakLevels;
import io.nightjar.pipeline.decide.ValueVerdicts.Answer;
import io.nightjar.pipeline.decide.ValueVerdicts.Refutation;
import io.nightjar.pipeline.infer.ClientHistory;
import io.nightjar.pipeline.infer.Observations;
import io.nightjar.pipeline.partition.Component;
import io.nightjar.pipeline.partition.ComponentSplitter;
import io.nightjar.pipeline.partition.WitnessMerger;
import io.nightjar.pipeline.validate.CountFormat;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides the six levels of Biswas and Enea for one history whose reads were resolved.
 *
 * <pre>
 *   LevelDecision decision = new LevelDecision(history, wanted, options);
 *   List&lt;Component&gt; components = decision.begin(budget);
 *   for each component, in any order and on any thread: decision.decide(number, budget)
 *   ValueVerdicts decided = decision.finish(the answers, by number);
 * </pre>
 */
public final class LevelDecision {

    /*
     * Stop at the first step that decides:
     *
     *   1. An order that the source suggests, verified: it proves its level and all weaker ones.
     *   2. If requested: read committed, read atomic and causal consistency on the whole history, by cycles. That takes
     *      polynomial time and comes before every search, so it has no deadline. A violation of one of these levels
     *      violates every stronger level, with a small proof.
     *      Of reads with several candidates one choice of writers is tried; a level that it satisfies holds.
     *   3. The rest by components of the communication graph; the history has the worst verdict of all components, and
     *      the orders of the components merge into one.
     *   4. A level that no search could decide is violated nevertheless if causal consistency is, which needs no
     *      search.
     *
     * So no level can hold when a weaker one is violated: a contradiction applies to all stronger levels, and a witness
     * to all weaker ones.
     */

    private final ClientHistory history;
    private final Set<IsolationLevel> wanted;
    private final boolean hasFaultyReads;
    private final long componentNanos;
    private final boolean crossChecks;

    private final Map<IsolationLevel, LevelAnswer> answers = new EnumMap<>(IsolationLevel.class);
    private final Set<Refutation> refutations = new LinkedHashSet<>();
    private Budget searchBudget;
    private @Nullable WeakLevels weak;
    private @Nullable WeakLevels weakByNearest; // of the history with the nearest writer for each observation
    private Set<IsolationLevel> open;
    private boolean isWhole;
    private List<Component> components = List.of();
    private @Nullable IsolationLevel witnessLevel;
    private @Nullable CommitOrder witness;

    /**
     * @param wanted some of the six levels
     * @param hasFaultyReads whether excluded reads rule out every level, so that no search is needed
     * @param componentNanos time limit per component
     * @param crossChecks whether each component is searched in two ways that must agree
     */
    public LevelDecision(
            ClientHistory history,
            Set<IsolationLevel> wanted,
            boolean hasFaultyReads,
            long componentNanos,
            boolean crossChecks) {
        this.history = history;
        this.wanted = wanted;
        this.hasFaultyReads = hasFaultyReads;
        this.componentNanos = componentNanos;
        this.crossChecks = crossChecks;
    }

    /** Searches the history undivided, as if it had no components: an order between sessions that share no key must not be cut. */
    public LevelDecision undivided() {
        isWhole = true;
        return this;
    }

    /** Decides levels from the whole history; returns the components to search, the largest first. */
    @SetsFields
    public List<Component> begin(Budget budget) {
        Set<IsolationLevel> strong = hasFaultyReads ? Set.of() : StrongLevels.among(wanted);
        if (!crossChecks) {
            guess(strong);
        }
        searchBudget = budget;
        decideWeak();
        open = StrongLevels.among(wanted);
        open.removeAll(answers.keySet());
        if (!isSearched()) {
            return List.of();
        }
        components = isWhole || history.observations != null
                ? List.of(Component.whole(history))
                : ComponentSplitter.split(history); // none if no key is touched, which session order explains
        return components;
    }

    /** Returns the parameters of the component search; valid after {@link #begin}. */
    public ComponentSearch search() {
        return new ComponentSearch(open, componentNanos, crossChecks);
    }

    /** Searches one component; any thread may. */
    public ComponentAnswer decide(int number, Budget budget) {
        return search().decide(number, components.get(number), budget);
    }

    /** @param byNumber answers of {@link #decide} for each component */
    public ValueVerdicts finish(List<ComponentAnswer> byNumber) {
        for (IsolationLevel level : StrongLevels.ALL) {
            if (isSearched() && open.contains(level)) {
                answers.put(level, ofComponents(level, byNumber));
            }
        }
        for (ComponentAnswer answer : byNumber) {
            refute(answer);
        }
        boolean isAnyOpen = answers.values().stream().anyMatch(answer -> answer.verdict() == Verdict.UNDECIDED);
        if (isAnyOpen && !answers.containsKey(IsolationLevel.CAUSAL)) {
            decideWeak(IsolationLevel.CAUSAL);
        }
        mergeWitness(byNumber);
        if (witnessLevel != null && history.observations != null) { // it names a writer for each observation
            StrongLevels.WEAK.forEach(level -> answers.replace(level, LevelAnswer.holds(witness, 0)));
        }
        Map<IsolationLevel, Answer> byLevel = new EnumMap<>(IsolationLevel.class);
        for (IsolationLevel level : wanted) {
            byLevel.put(level, answerOf(level));
        }
        return new ValueVerdicts(byLevel, new ArrayList<>(refutations), witnessLevel, witness);
    }

    private boolean isSearched() {
        return !hasFaultyReads && !open.isEmpty();
    }

    // ---------------------------------------------------------------- the whole history

    private void guess(Set<IsolationLevel> strong) {
        for (int i = StrongLevels.ALL.size() - 1; i >= 0; i--) {
            IsolationLevel level = StrongLevels.ALL.get(i);
            CommitOrder order = strong.contains(level) ? OrderChecker.guess(history, level) : null;
            if (order != null) {
                witness = order;
                witnessLevel = level;
                for (IsolationLevel weaker : wanted) {
                    if (weaker.compareTo(level) <= 0) {
                        answers.put(weaker, LevelAnswer.holds(order, 0));
                    }
                }
                return;
            }
        }
    }

    private void decideWeak() {
        List<IsolationLevel> asked = StrongLevels.WEAK.stream()
                .filter(level -> wanted.contains(level) && !answers.containsKey(level))
                .toList();
        if (!asked.isEmpty()) {
            weak = new WeakLevels(history, searchBudget.withoutDeadline());
            byCycles(asked.get(asked.size() - 1)); // the strongest first: where it holds, the others do
        }
        asked.forEach(this::decideWeak);
    }

    private LevelAnswer byCycles(IsolationLevel level) {
        if (weak == null) {
            weak = new WeakLevels(history, searchBudget);
        }
        return byCycles(level, weak);
    }

    private static LevelAnswer byCycles(IsolationLevel level, WeakLevels of) {
        return switch (level) {
            case READ_COMMITTED -> of.readCommitted();
            case READ_ATOMIC -> of.readAtomic();
            default -> of.causal();
        };
    }

    /** Decides a weak level that the reads with known writers satisfy: by one choice of writers for the others. */
    private LevelAnswer byNearestWriters(IsolationLevel level, Observations observations) {
        if (weakByNearest == null && history.hints.length > 0) {
            ClientHistory named = history.withNearestWriters(history.hints[0]);
            weakByNearest = named == null ? null : new WeakLevels(named, searchBudget.withoutDeadline());
        }
        if (weakByNearest != null) {
            LevelAnswer answer = byCycles(level, weakByNearest);
            if (answer.verdict() == Verdict.HOLDS) {
                return answer;
            }
        }
        String open = observations.acceptAnyInitial()
                ? CountFormat.of(observations.count, "result")
                        + " of reads and conditions may be about several versions"
                : CountFormat.of(observations.count, "read") + " returned a value that several transactions left";
        return LevelAnswer.undecided(
                open + "; the nearest of them do not satisfy the level, and no order of a stronger level is known", 0);
    }

    private void decideWeak(IsolationLevel level) {
        LevelAnswer answer = byCycles(level);
        if (answer.verdict() == Verdict.HOLDS && history.observations != null) {
            answer = byNearestWriters(level, history.observations);
        }
        answers.put(level, answer);
        for (Contradiction contradiction : answer.contradictions()) {
            refutations.add(new Refutation(history, contradiction));
        }
        if (answer.verdict() == Verdict.VIOLATED) {
            for (IsolationLevel stronger : StrongLevels.ALL) {
                if (wanted.contains(stronger)) {
                    answers.put(stronger, LevelAnswer.violated(answer.contradictions(), 0));
                }
            }
        }
    }

    // ---------------------------------------------------------------- components

    private LevelAnswer ofComponents(IsolationLevel level, List<ComponentAnswer> byNumber) {
        long states = 0;
        int undecided = 0;
        String reason = null;
        List<Contradiction> contradictions = new ArrayList<>();
        for (ComponentAnswer ofOne : byNumber) {
            LevelAnswer answer = ofOne.of(level);
            states += answer.searchStates();
            contradictions.addAll(answer.contradictions());
            if (answer.verdict() == Verdict.UNDECIDED) {
                undecided++;
                reason = reason == null ? answer.reason() : reason;
            }
        }
        if (!contradictions.isEmpty()) {
            return LevelAnswer.violated(contradictions, states);
        }
        if (undecided > 0) {
            String where = byNumber.size() == 1
                    ? ""
                    : "; " + undecided + " of " + byNumber.size() + " components are undecided";
            return LevelAnswer.undecided(reason + where, states);
        }
        return LevelAnswer.holds(null, states);
    }

    private void refute(ComponentAnswer answer) {
        for (LevelAnswer ofLevel : answer.answers().values()) {
            for (Contradiction contradiction : ofLevel.contradictions()) {
                refutations.add(new Refutation(answer.component().history, contradiction));
            }
        }
    }

    private void mergeWitness(List<ComponentAnswer> byNumber) {
        for (int i = StrongLevels.ALL.size() - 1; i >= 0 && isSearched(); i--) {
            IsolationLevel level = StrongLevels.ALL.get(i);
            if (open.contains(level) && requireNonNull(answers.get(level)).verdict() == Verdict.HOLDS) {
                List<CommitOrder> orders = new ArrayList<>();
                for (ComponentAnswer answer : byNumber) {
                    orders.add(requireNonNull(answer.of(level).witness()));
                }
                witness = WitnessMerger.merge(history, components, orders);
                witnessLevel = level;
                return;
            }
        }
    }

    private Answer answerOf(IsolationLevel level) {
        LevelAnswer answer = answers.get(level);
        if (answer == null) { // faulty reads rule it out, so the search skipped it
            return new Answer(Verdict.VIOLATED, null);
        }
        return new Answer(answer.verdict(), answer.reason());
    }
}
