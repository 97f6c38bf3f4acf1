package io.nightjar.pipeline.explain;

import io.nightjar.formats.finding.EdgeReason;
import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Edge;
import io.nightjar.formats.finding.Finding.Participant;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.level.EdgeEvidence;
import io.nightjar.formats.level.EdgeType;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.check.Contradiction;
import io.nightjar.pipeline.check.Contradiction.Half;
import io.nightjar.pipeline.check.Contradiction.Rule;
import io.nightjar.pipeline.check.Contradiction.Step;
import io.nightjar.pipeline.infer.ClientHistory;
import io.nightjar.pipeline.infer.OperationLog;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Makes findings of contradictions: ordinals become names, steps become edges with a reason each. */
public final class ContradictionFindings {

    private final ClientHistory history;
    private final LogValues values;

    private ContradictionFindings(ClientHistory history, LogValues values) {
        this.history = history;
        this.values = values;
    }

    /**
     * A contradiction to report as a finding.
     *
     * @param history history whose ordinals it uses, whole or a part
     * @param level the weakest requested level that it rules out
     */
    public record Ruling(Contradiction contradiction, ClientHistory history, IsolationLevel level) {}

    /**
     * Returns the findings of some contradictions, in their order.
     *
     * @param log the operations of the whole history, whose keys the histories name
     */
    public static List<Finding> of(List<Ruling> rulings, OperationLog log) {
        LongOpenHashSet ids = new LongOpenHashSet();
        for (Ruling ruling : rulings) {
            for (int txn : ruling.contradiction().txns()) {
                ids.add(ruling.history().txnIdOf[txn]);
            }
        }
        LogValues values = new LogValues(log, ids);
        List<Finding> findings = new ArrayList<>();
        for (Ruling ruling : rulings) {
            findings.add(new ContradictionFindings(ruling.history(), values)
                    .finding(ruling.contradiction(), ruling.level()));
        }
        return findings;
    }

    /** Makes findings of contradictions of one history, each at its own level. */
    public static List<Finding> of(List<Contradiction> contradictions, ClientHistory history, OperationLog log) {
        return of(
                contradictions.stream()
                        .map(contradiction -> new Ruling(contradiction, history, contradiction.level()))
                        .toList(),
                log);
    }

    private Finding finding(Contradiction contradiction, IsolationLevel level) {
        List<Step> steps = withoutLoops(withoutInitial(contradiction));
        List<Edge> edges = new ArrayList<>();
        Set<Integer> onCycle = new LinkedHashSet<>();
        for (Step step : steps) {
            edges.add(edge(step, contradiction.level()));
            onCycle.add(step.from());
        }
        List<Participant> participants = new ArrayList<>();
        for (int txn : onCycle) {
            participants.add(participant(txn, Role.ON_CYCLE));
        }
        Set<Integer> all = new LinkedHashSet<>(contradiction.txns());
        all.addAll(onCycle);
        for (int txn : all) {
            if (!onCycle.contains(txn)) {
                participants.add(participant(txn, Role.NEEDED));
            }
        }
        if (level == IsolationLevel.STRICT_SERIALIZABLE) {
            for (Edge edge : RealTimePremises.of(history, values, steps, all, step -> edge(step, null))) {
                if (!edges.contains(edge)) {
                    edges.add(edge);
                }
            }
        }
        addNumberedVersions(all, edges);
        boolean dependsOnUnknown = participants.stream()
                .mapToInt(txn -> values.txnOf(txn.txnId()))
                .anyMatch(txn -> values.log.status[txn] == TxnStatus.UNKNOWN && !values.log.isOptional(txn));
        return DependencyFindings.finding(
                contradiction.anomaly(),
                level,
                contradiction.algorithm(),
                onlyKey(edges),
                participants,
                null,
                dependsOnUnknown,
                edges);
    }

    /**
     * Replaces steps through the initial state: such a cycle means that a transaction that follows a writer still read
     * the initial state; the result leads from the writer to the reader, and back because the reader missed the write.
     */
    private List<Step> withoutInitial(Contradiction contradiction) {
        for (Step step : contradiction.steps()) {
            if (step.to() == ClientHistory.INITIAL) {
                List<Step> steps = pathOfSight(step.from(), step.because(), contradiction.txns());
                steps.add(Step.of(step.because(), step.from(), Rule.OVERWRITES, step.key(), ClientHistory.INITIAL));
                return steps;
            }
        }
        return contradiction.steps();
    }

    /** Returns the shortest path between two transactions by sessions and reads, through some others only. */
    private List<Step> pathOfSight(int from, int to, List<Integer> through) {
        List<Step> path = LogValues.path(from, to, through, this::sight);
        if (path == null) {
            throw new AssertionError("bug: a stale read by a transaction that need not observe the write: writer="
                    + history.txnIdOf[from] + " reader=" + history.txnIdOf[to]);
        }
        return path;
    }

    private @Nullable Step sight(int from, int to) {
        for (int read = history.firstReadOf[to]; read < history.firstReadOf[to + 1]; read++) {
            if (history.writerOf[read] == from) {
                return Step.of(from, to, Rule.READ_FROM, history.keyOfRead[read], Contradiction.NONE);
            }
        }
        boolean isInSession = history.sessionOf[from] == history.sessionOf[to] && from < to;
        return isInSession ? Step.of(from, to, Rule.SESSION_ORDER, Contradiction.NONE, Contradiction.NONE) : null;
    }

    /**
     * Returns one of the two cycles into which a cycle that visits a transaction twice decomposes; each of its steps
     * begins at the end of the previous step.
     */
    private static List<Step> withoutLoops(List<Step> steps) {
        for (int first = 0; first < steps.size(); first++) {
            for (int second = first + 1; second < steps.size(); second++) {
                if (steps.get(first).from() == steps.get(second).from()) {
                    List<Step> inner = steps.subList(first, second);
                    List<Step> outer = new ArrayList<>(steps.subList(second, steps.size()));
                    outer.addAll(steps.subList(0, first));
                    boolean innerIsBroken = inner.get(inner.size() - 1).toHalf() == Half.COMMIT
                            && inner.get(0).fromHalf() == Half.SNAPSHOT;
                    return withoutLoops(innerIsBroken ? outer : List.copyOf(inner));
                }
            }
        }
        return steps;
    }

    private Participant participant(int txn, Role role) {
        return DependencyFindings.participant(values.log, values.txnOf(history.txnIdOf[txn]), role);
    }

    /** Returns the key of all steps that have one; null if they are several, or none. */
    static @Nullable String onlyKey(List<Edge> edges) {
        String only = null;
        for (Edge edge : edges) {
            if (edge.key() != null) {
                if (only != null && !only.equals(edge.key())) {
                    return null;
                }
                only = edge.key();
            }
        }
        return only;
    }

    /** Adds the order of versions among the transactions of the cycle, if the source numbers versions. */
    private void addNumberedVersions(Set<Integer> txns, List<Edge> edges) {
        if (!history.knowsVersionOrders()) {
            return;
        }
        List<Integer> order = List.copyOf(txns);
        Set<Integer> keys = new LinkedHashSet<>();
        for (int txn : order) {
            for (int write = history.firstWriteOf[txn]; write < history.firstWriteOf[txn + 1]; write++) {
                keys.add(history.keyOfWrite[write]);
            }
        }
        Set<Edge> known = new HashSet<>(edges);
        for (int key : keys) {
            int[] writers = versions(key)
                    .map(version -> order.indexOf(history.txnOfVersion[version]))
                    .filter(position -> position >= 0)
                    .toArray();
            for (int next = 1; next < writers.length; next++) {
                Step step = Step.of(
                        order.get(writers[next - 1]),
                        order.get(writers[next]),
                        Rule.VERSION_ORDER,
                        key,
                        Contradiction.NONE);
                Edge edge = edge(step, null);
                if (edge.evidence() == EdgeEvidence.VERSION && known.add(edge)) {
                    edges.add(edge);
                }
            }
        }
    }

    private IntStream versions(int key) {
        return IntStream.range(history.firstVersionOf[key], history.firstVersionOf[key + 1]);
    }

    // ---------------------------------------------------------------- edges

    private Edge edge(Step step, @Nullable IsolationLevel level) {
        long from = history.txnIdOf[step.from()];
        long to = history.txnIdOf[step.to()];
        int key = step.key() == Contradiction.NONE ? LogValues.NO_OP : history.logKeyOf[step.key()];
        return switch (step.rule()) {
            case SESSION_ORDER -> DependencyEdges.inSession(values.log, values.txnOf(from), values.txnOf(to));
            case READ_FROM -> {
                int write = values.writeSeenBy(to, from, key);
                if (write == LogValues.NO_OP) { // it is seen because it had ended
                    yield DependencyEdges.inTime(values.log, values.txnOf(from), values.txnOf(to));
                }
                String value = values.log.writtenText(write);
                String keyText = values.log.keyText(values.log.key[write]);
                EdgeReason reason = new EdgeReason.WasRead(OpKind.name(values.log.recordedKind(write)));
                yield new Edge(from, to, EdgeType.WR, keyText, value, value, EdgeEvidence.VALUE, reason);
            }
            case OVERWRITES -> {
                String read = versionRead(from, step.because(), key);
                String written = values.log.writtenText(values.writeMissedBy(from, to, key));
                String keyText = values.log.keyText(key);
                yield new Edge(
                        from,
                        to,
                        EdgeType.RW,
                        keyText,
                        read,
                        written,
                        EdgeEvidence.VALUE,
                        new EdgeReason.Missed(List.of()));
            }
            case OVERWRITTEN, NO_OVERLAP, VERSION_ORDER -> {
                boolean isListed = step.rule() == Rule.VERSION_ORDER;
                String older = values.log.writtenText(
                        isListed ? values.lastListedWrite(from, key) : values.lastWrite(from, key));
                String newer = values.log.writtenText(values.firstLastingWrite(to, key));
                String keyText = values.log.keyText(key);
                boolean isNumbered = values.log.kind[values.lastWrite(from, key)] != OpKind.APPEND;
                EdgeEvidence evidence = step.rule() != Rule.VERSION_ORDER
                        ? EdgeEvidence.VALUE
                        : isNumbered ? EdgeEvidence.VERSION : EdgeEvidence.LIST;
                EdgeReason reason = isNumbered && step.rule() == Rule.VERSION_ORDER
                        ? new EdgeReason.Numbered()
                        : orderReason(step, level);
                yield new Edge(from, to, EdgeType.WW, keyText, older, newer, evidence, reason);
            }
        };
    }

    /** Returns the version that a transaction read of a key, as its writer left it; null for the initial state. */
    private @Nullable String versionRead(long reader, int writer, int key) {
        if (writer < 0) {
            return null;
        }
        int write = values.writeSeenBy(reader, history.txnIdOf[writer], key);
        return values.log.writtenText(write);
    }

    private EdgeReason orderReason(Step step, @Nullable IsolationLevel level) {
        return switch (step.rule()) {
            case OVERWRITTEN ->
                new EdgeReason.WasVisible(
                        step.because() < 0 ? null : history.txnIdOf[step.because()], step.because() < 0 ? null : level);
            case NO_OVERLAP -> missed(step.from(), step.to());
            default -> new EdgeReason.Listed(values.readerOfTrunk(history.logKeyOf[step.key()]), isListed(step));
        };
    }

    /** Returns a write of one transaction that a read of the other misses, if such a read exists. */
    private EdgeReason.NoOverlap missed(int reader, int writer) {
        for (int read = history.firstReadOf[reader]; read < history.firstReadOf[reader + 1]; read++) {
            int key = history.keyOfRead[read];
            if (key != ClientHistory.NO_KEY && history.writerOf[read] != writer && history.writes(writer, key)) {
                int logKey = history.logKeyOf[key];
                int write = values.writeMissedBy(history.txnIdOf[reader], history.txnIdOf[writer], logKey);
                return new EdgeReason.NoOverlap(values.log.keyText(logKey), values.log.writtenText(write));
            }
        }
        return new EdgeReason.NoOverlap(null, null);
    }

    /** Returns whether the later one of a known order of versions was read at all. */
    private boolean isListed(Step step) {
        return versions(step.key()).anyMatch(version -> history.txnOfVersion[version] == step.to());
    }
}
