package io.nightjar.pipeline.explain;

import io.nightjar.formats.finding.EdgeReason;
import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Edge;
import io.nightjar.formats.finding.Finding.Expectation;
import io.nightjar.formats.finding.Finding.Origin;
import io.nightjar.formats.finding.Finding.Participant;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.finding.ListText;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.CycleShape;
import io.nightjar.formats.level.EdgeEvidence;
import io.nightjar.formats.level.EdgeType;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.LevelLattice;
import io.nightjar.pipeline.check.cycle.DependencyAnswer;
import io.nightjar.pipeline.check.cycle.DependencyCycle;
import io.nightjar.pipeline.check.cycle.DirectAnomaly;
import io.nightjar.pipeline.infer.CyclicVersions;
import io.nightjar.pipeline.infer.KeyUse;
import io.nightjar.pipeline.infer.ListOrders;
import io.nightjar.pipeline.infer.OperationLog;
import io.nightjar.pipeline.infer.ReadResolution;
import io.nightjar.pipeline.infer.TxnOutcomes;
import io.nightjar.pipeline.infer.VersionOrders;
import io.nightjar.pipeline.infer.Versions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Conversion of the results of the dependency check to findings: ordinals become names, steps become edges with a
 * reason each.
 */
public final class DependencyFindings {

    /*
     * Parts of a finding, by anomaly:
     *
     *                        participants                    expected            observed            origin
     *   G1a                  reader, observed writer         -                   the value read      aborted
     *   G1b                  reader, observed writer         the writer's last   the value read      intermediate
     *   garbage-read         reader                          -                   the value read      never
     *   internal             reader (, observed writer)      the own value       the value read      -
     *   future-read          reader                          -                   the value read      future
     *   duplicate-write      first and second as             the value           the value           -
     *                        expected and observed writer
     *   duplicate-elements   reader (, observed writer)      -                   the element         -
     *   incompatible-order   reader, another reader          the longer list     the list read       -
     *
     * For lists, the value read is the element at fault; for internal, the whole list. A dash is null. Beyond them:
     *
     *   dirty-update      the aborted writer (earlier), who built on it (later), whose read shows it (needed)
     *   lost-update       all who read the version and replaced it (subjects); observed: the version
     *   cyclic-versions   all who show that a version comes before the next (subjects); an edge ww for each such step
     *   cycles            transactions on the cycle, in order, then transactions that prove a version order (needed); an edge
     *                     a step
     */

    private static final int NONE = DirectAnomaly.NONE;
    private static final String ALGORITHM = "cycle";

    private final OperationLog log;
    private final VersionOrders orders;
    private final Versions versions;
    private final DependencyEdges edges;
    private final Levels levels;
    private final String algorithmOfReads;
    private @Nullable List<IsolationLevel> asked; // null if levels alone determines the level

    /** Provider of the level of a finding. */
    @FunctionalInterface
    public interface Levels {

        /**
         * Returns the weakest level that an anomaly rules out; null if it rules out none, and then it is not reported.
         *
         * @param isAssumed whether it depends on an assumed order of versions, and so rules out no level that refers to
         *     commit order
         */
        @Nullable
        IsolationLevel weakest(Anomaly anomaly, boolean isAssumed);

        /** Returns the weakest level for a read that does not return its own transaction's write. */
        default @Nullable IsolationLevel weakestOfOwnWrite() {
            return weakest(Anomaly.INTERNAL, false);
        }
    }

    private DependencyFindings(OperationLog log, VersionOrders orders, Levels levels, String algorithmOfReads) {
        this.algorithmOfReads = algorithmOfReads;
        this.log = log;
        this.orders = orders;
        this.levels = levels;
        versions = orders.versions();
        edges = new DependencyEdges(log, orders);
    }

    /**
     * Returns at most the given number of findings that rule out a requested level, or report ambiguous reads: first
     * anomalies without a cycle, then cycles, the gravest anomaly first.
     */
    public static List<Finding> of(
            OperationLog log, DependencyAnswer answer, Collection<IsolationLevel> levels, int max) {
        List<IsolationLevel> asked = new ArrayList<>(levels);
        Collections.sort(asked);
        DependencyFindings maker = new DependencyFindings(
                log, answer.orders(), (anomaly, isAssumed) -> LevelLattice.weakestRuledOut(anomaly, asked), ALGORITHM);
        maker.asked = asked;
        return maker.findings(answer, max);
    }

    /**
     * Returns the same with levels determined by the anomaly alone, independent of the edges of a cycle.
     *
     * @param algorithmOfReads name of the algorithm reported for anomalies of single reads of registers and lists
     */
    public static List<Finding> of(
            OperationLog log, DependencyAnswer answer, Levels levels, String algorithmOfReads, int max) {
        return new DependencyFindings(log, answer.orders(), levels, algorithmOfReads).findings(answer, max);
    }

    /** Returns at most the given number of values that were written twice, for a history without other findings. */
    public static List<Finding> ofRepeatedWrites(ReadResolution reads, String algorithm, int max) {
        List<Finding> findings = new ArrayList<>();
        reads.forEachRepeatedWrite((first, second, op) -> {
            if (findings.size() < max) {
                findings.add(duplicate(reads.log, reads.outcomes(), first, second, op, null, algorithm));
            }
        });
        return findings;
    }

    private List<Finding> findings(DependencyAnswer answer, int max) {
        List<Finding> findings = new ArrayList<>();
        for (CyclicVersions cyclic : answer.orders().cyclicVersions()) {
            addIfAny(findings, max, () -> cyclicVersions(cyclic));
        }
        for (DirectAnomaly direct : answer.direct()) {
            addIfAny(findings, max, () -> direct(direct));
        }
        for (DependencyCycle cycle : answer.cycles()) {
            addIfAny(findings, max, () -> cycle(cycle));
        }
        return findings;
    }

    private static void addIfAny(List<Finding> findings, int max, Supplier<@Nullable Finding> maker) {
        Finding finding = findings.size() < max ? maker.get() : null;
        if (finding != null) {
            findings.add(finding);
        }
    }

    // ---------------------------------------------------------------- cycles

    private @Nullable Finding cycle(DependencyCycle cycle) {
        edges.begin();
        List<Edge> steps = new ArrayList<>();
        Set<Integer> onCycle = new LinkedHashSet<>();
        for (int i = 0; i < cycle.length(); i++) {
            onCycle.add(cycle.txn(i));
            steps.add(edges.edge(cycle.txn(i), cycle.next(i), cycle.kind(i)));
        }
        IsolationLevel level = weakest(cycle.anomaly(), steps);
        List<Participant> participants = new ArrayList<>();
        onCycle.forEach(txn -> participants.add(participant(txn, Role.ON_CYCLE)));
        Set<Integer> needed = new LinkedHashSet<>(edges.needed());
        needed.removeAll(onCycle);
        needed.forEach(txn -> participants.add(participant(txn, Role.NEEDED)));
        boolean dependsOnUnknown =
                Stream.concat(onCycle.stream(), needed.stream()).anyMatch(orders.outcomes()::isUnknown);
        String key = ContradictionFindings.onlyKey(steps);
        return level == null
                ? null
                : finding(cycle.anomaly(), level, ALGORITHM, key, participants, null, dependsOnUnknown, steps);
    }

    /** Returns the weakest requested level that a cycle rules out; levels of commit order depend on its edges. */
    private @Nullable IsolationLevel weakest(Anomaly anomaly, List<Edge> steps) {
        if (asked == null) {
            return levels.weakest(anomaly, isAssumed(steps));
        }
        IsolationLevel ofCommits = CycleShape.weakestRuledOut(
                steps.stream().map(Edge::type).toList(),
                steps.stream().map(Edge::evidence).toList());
        for (IsolationLevel level : asked) {
            boolean isRuledOut = IsolationLevel.all().contains(level)
                    ? ofCommits != null && LevelLattice.implies(level, ofCommits)
                    : LevelLattice.rulesOut(anomaly, level);
            if (isRuledOut) {
                return level;
            }
        }
        return null;
    }

    private static boolean isAssumed(List<Edge> steps) {
        return steps.stream().filter(step -> step.key() != null).anyMatch(step -> switch (step.evidence()) {
            case SESSION, REALTIME, TIMESTAMP -> true;
            default -> false;
        });
    }

    private @Nullable Finding cyclicVersions(CyclicVersions cyclic) {
        IsolationLevel level = levels.weakest(Anomaly.CYCLIC_VERSIONS, true);
        if (level == null) {
            return null;
        }
        Set<Integer> txns = new LinkedHashSet<>();
        List<Edge> steps = new ArrayList<>();
        for (CyclicVersions.Link link : cyclic.links()) {
            txns.add(link.earlier());
            txns.add(link.later());
            steps.add(new Edge(
                    log.txnId[link.earlier()],
                    log.txnId[link.later()],
                    EdgeType.WW,
                    log.keyText(cyclic.key()),
                    versions.text(link.from()),
                    versions.text(link.to()),
                    link.source().evidence(),
                    new EdgeReason.Linked(edges.link(link))));
        }
        List<Participant> participants = new ArrayList<>();
        txns.forEach(txn -> participants.add(participant(txn, Role.SUBJECT)));
        boolean dependsOnUnknown = txns.stream().anyMatch(orders.outcomes()::isUnknown);
        String key = log.keyText(cyclic.key());
        return finding(Anomaly.CYCLIC_VERSIONS, level, ALGORITHM, key, participants, null, dependsOnUnknown, steps);
    }

    /** Makes a finding, which has neither a pattern nor a slack. */
    static Finding finding(
            Anomaly anomaly,
            @Nullable IsolationLevel level,
            String algorithm,
            @Nullable String key,
            List<Participant> participants,
            @Nullable Expectation expectation,
            boolean dependsOnUnknown,
            List<Edge> edges) {
        return new Finding(
                anomaly, null, level, algorithm, key, participants, expectation, null, dependsOnUnknown, edges);
    }

    // ---------------------------------------------------------------- anomalies without a cycle

    private @Nullable Finding direct(DirectAnomaly direct) {
        IsolationLevel level =
                direct.isOfOwnWrite() ? levels.weakestOfOwnWrite() : levels.weakest(direct.anomaly(), false);
        if (direct.anomaly() == Anomaly.DUPLICATE_WRITE) {
            return duplicate(direct, level);
        }
        if (level == null) {
            return null;
        }
        return switch (direct.anomaly()) {
            case G1A, G1B, GARBAGE_READ, FUTURE_READ, DUPLICATE_ELEMENTS -> wrongRead(direct, level);
            case INTERNAL -> internal(direct, level);
            case INCOMPATIBLE_ORDER -> incompatible(direct, level);
            case LOST_UPDATE -> lostUpdate(direct, level);
            case DIRTY_UPDATE ->
                finding(
                        direct,
                        level,
                        List.of(
                                participant(direct.txns()[1], Role.EARLIER_WRITER),
                                participant(direct.txns()[0], Role.LATER_WRITER),
                                participant(direct.txns()[2], Role.NEEDED)),
                        observed(versions.text(direct.version())),
                        List.of());
            default -> throw new AssertionError("bug: needs a cycle: anomaly=" + direct.anomaly());
        };
    }

    private static Expectation observed(@Nullable String text) {
        return new Expectation(null, null, text, null, null);
    }

    private Finding wrongRead(DirectAnomaly direct, IsolationLevel level) {
        int op = direct.op();
        int reader = direct.txns()[0];
        String observed =
                direct.version() == NONE ? textOfUnwritten(direct) : log.valueText(versions.value(direct.version()));
        List<Participant> participants = new ArrayList<>(2);
        List<Edge> steps = new ArrayList<>(1);
        participants.add(participant(reader, Role.READER));
        Long writerId = direct.anomaly() == Anomaly.FUTURE_READ ? Long.valueOf(log.txnId[reader]) : null;
        String expected = null;
        Long expectedWriter = null;
        if (direct.txns().length > 1) {
            int writer = direct.txns()[1];
            writerId = log.txnId[writer];
            participants.add(participant(writer, Role.OBSERVED_WRITER));
            String key = log.keyText(direct.key());
            EdgeEvidence evidence = log.kind[op] == OpKind.READ_LIST ? EdgeEvidence.LIST : EdgeEvidence.VALUE;
            steps.add(new Edge(writerId, log.txnId[reader], EdgeType.WR, key, observed, observed, evidence));
            if (direct.anomaly() == Anomaly.G1B) {
                expected = finalValue(writer, direct.key());
                expectedWriter = writerId;
            }
        }
        Origin origin =
                switch (direct.anomaly()) {
                    case G1A -> Origin.ABORTED;
                    case G1B -> Origin.INTERMEDIATE;
                    case GARBAGE_READ -> Origin.NEVER;
                    case FUTURE_READ -> Origin.FUTURE;
                    default -> null;
                };
        Expectation read = new Expectation(expected, expectedWriter, observed, writerId, origin);
        return finding(direct, level, participants, read, steps);
    }

    /** Returns a value that was read and never written; of a list the first such element, or the first repeated one. */
    private String textOfUnwritten(DirectAnomaly direct) {
        int op = direct.op();
        if (log.kind[op] != OpKind.READ_LIST) {
            return log.valueText(log.value[op]);
        }
        Set<Long> seen = new HashSet<>();
        for (int at = 0; at < log.lists.length(log.value[op]); at++) {
            long element = log.lists.element(direct.key(), log.value[op], at);
            boolean isTwice = !seen.add(element);
            if (versions.find(direct.key(), element) == Versions.NONE
                    && (isTwice || direct.anomaly() != Anomaly.DUPLICATE_ELEMENTS)) {
                return log.valueText(element);
            }
        }
        throw new AssertionError("bug: every element was written: txn=" + log.txnId[direct.txns()[0]]);
    }

    private String finalValue(int txn, int key) {
        for (int op = log.firstOpOf[txn + 1] - 1; op >= log.firstOpOf[txn]; op--) {
            if (log.key[op] == key && OpKind.isWrite(log.kind[op])) {
                return log.writtenText(op);
            }
        }
        throw new AssertionError("bug: txn=" + log.txnId[txn] + " does not write key=" + log.keyText(key));
    }

    private Finding internal(DirectAnomaly direct, IsolationLevel level) {
        int txn = direct.txns()[0];
        List<String> own = new ArrayList<>();
        int firstRead = NONE;
        for (int op = log.firstOpOf[txn]; op < direct.op(); op++) {
            if (log.key[op] == direct.key()) {
                if (OpKind.isWrite(log.kind[op])) {
                    own.add(log.writtenText(op));
                } else if (firstRead == NONE) {
                    firstRead = op;
                }
            }
        }
        byte use = orders.use().of(direct.key());
        boolean isRegister = use == KeyUse.REGISTER;
        String expected = own.isEmpty()
                ? text(isRegister || use == KeyUse.SET ? direct.otherOp() : firstRead)
                : isRegister ? own.get(own.size() - 1) : ListText.of(own.size(), own::get);
        Long expectedWriter = own.isEmpty() ? null : Long.valueOf(log.txnId[txn]);
        List<Participant> participants = new ArrayList<>(2);
        participants.add(participant(txn, Role.READER));
        List<Edge> steps = new ArrayList<>(1);
        int seen = direct.isOfOwnWrite() && log.kind[direct.op()] == OpKind.READ
                ? versions.ofOp(direct.op())
                : Versions.NONE;
        int writer = seen == Versions.NONE ? Versions.NO_TXN : versions.firstWriter(seen);
        Long observedWriter = writer == Versions.NO_TXN ? null : Long.valueOf(log.txnId[writer]);
        if (observedWriter != null && writer != txn) {
            participants.add(participant(writer, Role.OBSERVED_WRITER));
            String value = text(direct.op());
            steps.add(new Edge(
                    observedWriter,
                    log.txnId[txn],
                    EdgeType.WR,
                    log.keyText(direct.key()),
                    value,
                    value,
                    EdgeEvidence.VALUE));
        }
        Expectation read = new Expectation(expected, expectedWriter, text(direct.op()), observedWriter, null);
        return finding(direct, level, participants, read, steps);
    }

    /** Returns the value that an operation read or wrote; null for the initial state. */
    private @Nullable String text(int op) {
        return switch (log.kind[op]) {
            case OpKind.READ_NOTHING -> null;
            case OpKind.READ_LIST -> {
                OperationLog recorded = log.recorded();
                yield ListText.of(
                        recorded.lengthRead(op),
                        at -> log.valueText(recorded.lists.element(log.key[op], recorded.value[op], at)));
            }
            default -> log.valueText(log.value[op]);
        };
    }

    private Finding incompatible(DirectAnomaly direct, IsolationLevel level) {
        int other = direct.txns()[1];
        Expectation read = new Expectation(text(maxRead(other, direct.key())), null, text(direct.op()), null, null);
        List<Participant> readers =
                List.of(participant(direct.txns()[0], Role.READER), participant(other, Role.READER));
        return finding(direct, level, readers, read, List.of());
    }

    /** Returns the read by which a transaction shows the whole order of a key. */
    private int maxRead(int reader, int key) {
        ListOrders lists = orders.lists();
        for (int op = log.firstOpOf[reader]; op < log.firstOpOf[reader + 1]; op++) {
            boolean isOfKey = log.key[op] == key && log.kind[op] == OpKind.READ_LIST;
            if (isOfKey && log.lengthRead(op) == lists.length(key) && lists.isPrefix(op)) {
                return op;
            }
        }
        throw new AssertionError("bug: the order of a list has no read: txn=" + log.txnId[reader]);
    }

    private Finding duplicate(DirectAnomaly direct, @Nullable IsolationLevel level) {
        int first = direct.txns()[0];
        int second = direct.txns()[direct.txns().length - 1];
        return duplicate(log, orders.outcomes(), first, second, direct.op(), level, algorithm(direct));
    }

    private static Finding duplicate(
            OperationLog log,
            TxnOutcomes outcomes,
            int first,
            int second,
            int op,
            @Nullable IsolationLevel level,
            String algorithm) {
        String value = log.valueText(log.value[op]);
        List<Participant> writers =
                List.of(participant(log, first, Role.EXPECTED_WRITER), participant(log, second, Role.OBSERVED_WRITER));
        Expectation write = new Expectation(value, log.txnId[first], value, log.txnId[second], null);
        boolean dependsOnUnknown = outcomes.isPromoted(first) || outcomes.isPromoted(second);
        String key = log.keyText(log.key[op]);
        return finding(Anomaly.DUPLICATE_WRITE, level, algorithm, key, writers, write, dependsOnUnknown, List.of());
    }

    private Finding lostUpdate(DirectAnomaly direct, IsolationLevel level) {
        List<Participant> participants = new ArrayList<>();
        for (int txn : direct.txns()) {
            participants.add(participant(txn, Role.SUBJECT));
        }
        int first = direct.txns()[0];
        int read = log.firstOpOf[first];
        while (log.key[read] != direct.key() || OpKind.isGuard(log.kind[read])) {
            read++;
        }
        return finding(direct, level, participants, observed(text(read)), List.of());
    }

    private Finding finding(
            DirectAnomaly direct,
            IsolationLevel level,
            List<Participant> participants,
            Expectation expectation,
            List<Edge> steps) {
        boolean dependsOnUnknown = IntStream.of(direct.txns()).anyMatch(orders.outcomes()::isPromoted);
        String key = log.keyText(direct.key());
        return finding(
                direct.anomaly(), level, algorithm(direct), key, participants, expectation, dependsOnUnknown, steps);
    }

    private String algorithm(DirectAnomaly direct) {
        byte use = orders.use().of(direct.key());
        boolean isOfRead =
                switch (direct.anomaly()) {
                    case LOST_UPDATE, DIRTY_UPDATE -> false;
                    case INTERNAL -> direct.isOfOwnWrite();
                    default -> use == KeyUse.REGISTER || use == KeyUse.LIST;
                };
        return isOfRead ? algorithmOfReads : ALGORITHM;
    }

    private Participant participant(int txn, Role role) {
        return participant(log, txn, role);
    }

    static Participant participant(OperationLog log, int txn, Role role) {
        return new Participant(log.txnId[txn], role, timestamp(log.startTs, txn), timestamp(log.commitTs, txn));
    }

    private static long timestamp(long @Nullable [] column, int txn) {
        return column == null ? HistorySlice.NONE : column[txn];
    }
}
