package io.nightjar.pipeline.decide;

import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.check.Findings;
import io.nightjar.pipeline.decide.ValueOutcome.Doubt;
import io.nightjar.pipeline.infer.SharedVersion;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Merger of the outcomes of decisions by values of the groups of a history, in any order and from any threads. */
public final class ValueMerger {

    private final Findings findings;
    private final LongSet promoted = new LongOpenHashSet();
    private final Map<IsolationLevel, Set<Anomaly>> refuted = new EnumMap<>(IsolationLevel.class);
    private final Map<IsolationLevel, Set<Anomaly>> refutedWithoutSessions = new EnumMap<>(IsolationLevel.class);
    private final Map<Anomaly, Long> readFaults = new EnumMap<>(Anomaly.class);
    private final Map<IsolationLevel, Doubt> doubts = new EnumMap<>(IsolationLevel.class);
    private final List<ComponentRow> components = new ArrayList<>();
    private final List<Witness> witnesses = new ArrayList<>();
    private int groupCount;
    private long keyCount;
    private boolean trustsVersions;
    private boolean hasObservedCycle;
    private final Set<IsolationLevel> byTimestamps = EnumSet.noneOf(IsolationLevel.class);
    private @Nullable String timestampDoubt; // the first by its text
    private @Nullable SharedVersion shared; // with the smallest ids
    private @Nullable Set<Anomaly> cycles;
    private boolean isWitnessChecked = true;

    /** @param findingLimit how many findings are kept */
    public ValueMerger(int findingLimit) {
        this.findings = new Findings(findingLimit);
    }

    public synchronized void add(ValueOutcome outcome) {
        groupCount += outcome.groupCount();
        keyCount += outcome.keyCount();
        trustsVersions |= outcome.basis().trustsVersions();
        hasObservedCycle |= outcome.basis().hasObservedCycle();
        byTimestamps.addAll(outcome.basis().byTimestamps());
        String ofTimestamps = outcome.basis().timestampDoubt();
        boolean isFirst =
                ofTimestamps != null && (timestampDoubt == null || ofTimestamps.compareTo(timestampDoubt) < 0);
        timestampDoubt = isFirst ? ofTimestamps : timestampDoubt;
        shared = SharedVersion.firstOf(shared, outcome.basis().shared());
        isWitnessChecked &=
                outcome.orders().areChecked() || outcome.orders().witnesses().isEmpty();
        findings.merge(outcome.findings());
        promoted.addAll(outcome.basis().promoted());
        cycles = ValueOutcome.unionOf(cycles, outcome.refuted().cycles());
        addTo(refuted, outcome.refuted().levels());
        addTo(refutedWithoutSessions, outcome.refuted().withoutSessions());
        outcome.refuted().readFaults().forEach((anomaly, count) -> readFaults.merge(anomaly, count, Long::sum));
        outcome.doubts().forEach((level, doubt) -> doubts.merge(level, doubt, Doubt::and));
        components.addAll(outcome.components());
        witnesses.addAll(outcome.orders().witnesses());
    }

    private static void addTo(Map<IsolationLevel, Set<Anomaly>> all, Map<IsolationLevel, Set<Anomaly>> some) {
        some.forEach((level, anomalies) -> all.computeIfAbsent(level, unseen -> EnumSet.noneOf(Anomaly.class))
                .addAll(anomalies));
    }

    /** Returns the merged outcome, independent of the order of additions. */
    public synchronized ValueOutcome merged() {
        components.sort(ComponentRow.LARGEST_FIRST);
        witnesses.sort(Witness.BY_SMALLEST_ID);
        return new ValueOutcome(
                groupCount,
                keyCount,
                findings,
                new ValueOutcome.Basis(
                        trustsVersions, shared, promoted, hasObservedCycle, timestampDoubt, Set.copyOf(byTimestamps)),
                new ValueOutcome.Refuted(cycles, refuted, refutedWithoutSessions, readFaults),
                doubts,
                components,
                new ValueOutcome.Orders(witnesses, isWitnessChecked && !witnesses.isEmpty()));
    }
}
