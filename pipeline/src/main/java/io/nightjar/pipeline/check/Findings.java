package io.nightjar.pipeline.check;

import io.nightjar.formats.finding.EdgeReason;
import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.LevelLattice;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Findings and their counts, added in any order. Above the limit, the earliest findings and the first of each type are
 * retained, independent of the order of addition.
 */
public final class Findings {

    private static final Comparator<Timed> IN_TIME = Comparator.comparingLong(Timed::at)
            .thenComparingLong(timed -> timed.finding().participants().get(0).txnId())
            .thenComparing(timed -> timed.finding().level(), Comparator.nullsFirst(Comparator.naturalOrder()))
            .thenComparing(timed -> timed.finding().anomaly())
            .thenComparing(timed -> timed.finding().key(), Comparator.nullsFirst(Comparator.naturalOrder()))
            .thenComparingLong(timed -> timed.finding()
                    .participants()
                    .get(timed.finding().participants().size() - 1)
                    .txnId())
            .thenComparing(timed -> reason(timed.finding())); // of two predicate reads of one transaction

    /** Types that a theory defines by single reads, writes or pairs of transactions, all of which are enumerated. */
    private static final Set<Anomaly> COUNTED = EnumSet.of(
            Anomaly.SESSION,
            Anomaly.INT,
            Anomaly.EXT,
            Anomaly.NOCONFLICT,
            Anomaly.TIMESTAMP_ORDER,
            Anomaly.G1A,
            Anomaly.G1B,
            Anomaly.GARBAGE_READ,
            Anomaly.INTERNAL,
            Anomaly.FUTURE_READ,
            Anomaly.DUPLICATE_WRITE,
            Anomaly.DUPLICATE_ELEMENTS,
            Anomaly.INCOMPATIBLE_ORDER,
            Anomaly.DIRTY_UPDATE,
            Anomaly.LOST_UPDATE,
            Anomaly.RESULT_SET_MISMATCH,
            Anomaly.PREDICATE_READ_MISS);

    private static String reason(Finding finding) {
        if (finding.edges().isEmpty()) {
            return "";
        }
        EdgeReason reason = finding.edges().get(0).reason();
        return finding.edges().get(0).predicate() + (reason == null ? "" : reason.fields());
    }

    private final int limit;
    private final PriorityQueue<Timed> kept = new PriorityQueue<>(IN_TIME.reversed()); // the last in time on top
    private final Map<Anomaly, Timed> firstOf = new EnumMap<>(Anomaly.class); // as far as it is not kept
    private final Set<Anomaly> known = EnumSet.noneOf(Anomaly.class); // of which one was kept at some time
    private final Map<IsolationLevel, Map<Anomaly, Long>> counts = new EnumMap<>(IsolationLevel.class);
    private final Set<IsolationLevel> partlyCounted = EnumSet.noneOf(IsolationLevel.class);
    private final Set<IsolationLevel> withAllCycles = EnumSet.noneOf(IsolationLevel.class);
    private long total;

    /** @param limit maximum number of findings retained; counts continue */
    public Findings(int limit) {
        this.limit = limit;
    }

    /**
     * Retains a finding if it is among the first; counts nothing.
     *
     * @param at time of the anomaly, or any number that orders findings
     */
    public void keep(long at, Finding finding) {
        known.add(finding.anomaly());
        kept.add(new Timed(at, finding));
        if (kept.size() > limit) {
            Timed last = kept.poll();
            if (limit > 0) {
                firstOf.merge(
                        last.finding().anomaly(), last, (one, other) -> IN_TIME.compare(one, other) <= 0 ? one : other);
            }
        }
    }

    /** Returns whether a finding of such a time and type would surely not be kept, so that it need not be made. */
    public boolean isPast(long at, Anomaly anomaly) {
        if (kept.size() < limit || limit > 0 && kept.peek().at() >= at) {
            return false;
        }
        Timed first = firstOf.get(anomaly);
        return limit == 0 || known.contains(anomaly) && (first == null || first.at() < at);
    }

    /** Returns the findings kept, and the first of each type of which none is kept. */
    private List<Timed> all() {
        Map<Anomaly, Timed> missing = new EnumMap<>(firstOf);
        kept.forEach(timed -> missing.remove(timed.finding().anomaly()));
        List<Timed> all = new ArrayList<>(kept);
        all.addAll(missing.values());
        return all;
    }

    /** Counts findings that rule out a level. */
    public void count(@Nullable IsolationLevel level, Anomaly anomaly, long more) {
        if (more > 0) {
            counts.computeIfAbsent(level, unseen -> new EnumMap<>(Anomaly.class))
                    .merge(anomaly, more, Long::sum);
        }
    }

    /** Records that a level may be violated by more than was counted: something was not read, not decided or not searched. */
    public void countPartly(IsolationLevel level) {
        partlyCounted.add(level);
    }

    /** Records that a level holds after all. */
    public void countWhole(IsolationLevel level) {
        partlyCounted.remove(level);
    }

    /** Records that the cycles of a level were counted by a definition rather than as examples of a search. */
    public void countAllCycles(IsolationLevel level) {
        withAllCycles.add(level);
    }

    /**
     * Returns whether the counts of a level include all anomalies that rule it out. Cycles and sets of transactions
     * that come from searches, which stop at one example each, are lower bounds.
     */
    public boolean isExact(IsolationLevel level) {
        return !partlyCounted.contains(level)
                && (withAllCycles.contains(level)
                        || COUNTED.containsAll(counts(level).keySet()));
    }

    /**
     * Returns a lower bound of the anomalies counted, retained or not: the ones of one level. Cycles are included where
     * all of them were counted, otherwise only the anomalies of single reads, writes and pairs.
     */
    public long minFaults() {
        long min = 0;
        for (Map.Entry<IsolationLevel, Map<Anomaly, Long>> ofLevel : counts.entrySet()) {
            boolean areCyclesCounted = withAllCycles.contains(ofLevel.getKey());
            long sum = 0;
            for (Map.Entry<Anomaly, Long> type : ofLevel.getValue().entrySet()) {
                sum += areCyclesCounted || COUNTED.contains(type.getKey()) ? type.getValue() : 0;
            }
            min = Math.max(min, sum);
        }
        return min;
    }

    /** Counts rows of the anomaly table: findings, each once, however many levels it rules out. */
    public void countRows(long more) {
        total += more;
    }

    /** Removes a finding that was kept, with one of its type from the counts of each level that it rules out; returns these levels. */
    public Set<IsolationLevel> withdraw(Finding finding) {
        Set<IsolationLevel> ruledOut = EnumSet.noneOf(IsolationLevel.class);
        counts.forEach((level, types) -> {
            boolean isRuledOut = finding.level() == null || LevelLattice.implies(level, finding.level());
            if (isRuledOut && types.containsKey(finding.anomaly())) {
                types.computeIfPresent(finding.anomaly(), (type, count) -> count > 1 ? count - 1 : null);
                ruledOut.add(level);
            }
        });
        kept.removeIf(timed -> timed.finding() == finding);
        firstOf.values().removeIf(timed -> timed.finding() == finding);
        total--;
        return ruledOut;
    }

    /** Adds the findings and counts of another instance. */
    public synchronized void merge(Findings other) {
        for (Timed timed : other.all()) {
            keep(timed.at(), timed.finding());
        }
        withAllCycles.removeIf(level -> !other.isExact(level));
        other.withAllCycles.forEach(level -> {
            if (isExact(level)) {
                countAllCycles(level);
            }
        });
        other.counts.forEach((level, types) -> types.forEach((type, count) -> count(level, type, count)));
        partlyCounted.addAll(other.partlyCounted);
        total += other.total;
    }

    /** Adds the findings of one level of another instance, and its findings that rule out no weaker level. */
    public synchronized void mergeOnly(IsolationLevel level, Findings other) {
        for (Timed timed : other.all()) {
            if (timed.finding().level() == level) {
                keep(timed.at(), timed.finding());
            }
        }
        other.counts(level).forEach((type, count) -> {
            count(level, type, count);
            total += count;
        });
        if (other.partlyCounted.contains(level)) {
            countPartly(level);
        }
    }

    /** Adds the counts of some levels of another instance, and its findings that rule out one of them and no weaker level. */
    public synchronized void mergeOnly(Set<IsolationLevel> levels, Findings other) {
        long rest = 0;
        for (Timed timed : other.all()) {
            if (timed.finding().level() != null
                    && levels.contains(timed.finding().level())) {
                keep(timed.at(), timed.finding());
            } else {
                rest++;
            }
        }
        for (IsolationLevel level : levels) {
            other.counts(level).forEach((type, count) -> count(level, type, count));
            if (other.partlyCounted.contains(level)) {
                countPartly(level);
            }
        }
        total += Math.max(0, other.total - rest);
    }

    /** Adds findings and counts of another instance, without findings that rule out one level and no weaker one. */
    public synchronized void mergeWithout(IsolationLevel level, Findings other) {
        Findings rest = new Findings(limit);
        rest.merge(other);
        for (Timed timed : rest.all()) {
            if (timed.finding().level() == level) {
                rest.withdraw(timed.finding());
            }
        }
        rest.counts.remove(level);
        rest.partlyCounted.remove(level);
        rest.withAllCycles.remove(level);
        merge(rest);
    }

    /** Returns the number of findings, retained or not. */
    public long total() {
        return total;
    }

    /** Returns the number of findings that rule out a level, by type; empty if none does. */
    public Map<Anomaly, Long> counts(IsolationLevel level) {
        return counts.getOrDefault(level, Map.of());
    }

    /** Returns the levels that findings were counted for. */
    public Set<IsolationLevel> countedLevels() {
        return Collections.unmodifiableSet(counts.keySet());
    }

    /** Passes the retained findings to a consumer, in no order, each with the time given to {@link #keep}. */
    public void forEachKept(Kept to) {
        all().forEach(timed -> to.accept(timed.at(), timed.finding()));
    }

    /** Called for a finding that was kept. */
    @FunctionalInterface
    public interface Kept {
        void accept(long at, Finding finding);
    }

    /** Returns the findings kept, in the order of time; of a type of which none is among the first, its first one. */
    public List<Finding> inTime() {
        List<Timed> sorted = all();
        sorted.sort(IN_TIME);
        List<Finding> findings = new ArrayList<>(sorted.size());
        sorted.forEach(timed -> findings.add(timed.finding()));
        return findings;
    }

    public int keptCount() {
        return all().size();
    }

    public int limit() {
        return limit;
    }

    /** All that an instance consists of, in no order. */
    record State(
            int limit,
            long total,
            Map<IsolationLevel, Map<Anomaly, Long>> counts,
            Set<IsolationLevel> partlyCounted,
            Set<IsolationLevel> withAllCycles,
            List<Timed> kept) {}

    State state() {
        return new State(limit, total, counts, partlyCounted, withAllCycles, all());
    }

    static Findings of(State state) {
        Findings findings = new Findings(state.limit);
        findings.countRows(state.total);
        state.counts.forEach((level, types) -> types.forEach((type, count) -> findings.count(level, type, count)));
        state.partlyCounted.forEach(findings::countPartly);
        state.withAllCycles.forEach(findings::countAllCycles);
        state.kept.forEach(timed -> findings.keep(timed.at, timed.finding));
        return findings;
    }

    record Timed(long at, Finding finding) {}
}
