package io.nightjar.pipeline.predicate;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.Seeds;
import io.nightjar.formats.finding.EdgeReason;
import io.nightjar.formats.finding.EdgeReason.OfRows;
import io.nightjar.formats.finding.EdgeReason.RowFact;
import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Edge;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.check.Findings;
import io.nightjar.pipeline.explain.EdgeReasons;
import io.nightjar.pipeline.predicate.SmallTables.Act;
import io.nightjar.pipeline.predicate.SmallTables.Txn;
import io.nightjar.pipeline.verify.FindingReplay;
import io.nightjar.pipeline.verify.RefutedFinding;
import it.unimi.dsi.fastutil.longs.LongSets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Random histories of tables against the literal definitions: all versions, all predicates, all serial orders. */
@Tag(Seeds.TAG)
class TableDefinitionTest {

    private static final int HISTORIES = Integer.getInteger("nightjar.tables", 2_500);
    private static final Set<IsolationLevel> LEVELS = EnumSet.of(
            IsolationLevel.PL_1,
            IsolationLevel.PL_2,
            IsolationLevel.PL_2_99,
            IsolationLevel.PL_SI,
            IsolationLevel.PL_3,
            IsolationLevel.SERIALIZABLE);
    private static final Set<IsolationLevel> ASKED = EnumSet.of(
            IsolationLevel.READ_COMMITTED,
            IsolationLevel.CAUSAL,
            IsolationLevel.PREFIX,
            IsolationLevel.SNAPSHOT_ISOLATION,
            IsolationLevel.SERIALIZABLE);

    private static final String DEFINED = "violated by definition";
    private static final String LEFT_OPEN = "of these left undecided";
    private final Map<String, Integer> met = new TreeMap<>();

    private void count(String what, boolean isIt) {
        met.merge(what, isIt ? 1 : 0, Integer::sum);
    }

    /** Checks a history, and has every finding replayed. */
    static TableOutcome check(SmallTables history, TableCheckRequest question, String where) {
        TableCheck check = new TableCheck(1000);
        check.add(history.slice);
        TableOutcome outcome = check.check(question);
        List<Finding> findings = outcome.findings().inTime();
        assertThat(refuted(findings, history, question)).as(where).isEmpty();
        List<Finding> changed = new ArrayList<>();
        findings.forEach(finding -> changed.addAll(withOtherReasons(finding)));
        assertThat(refuted(changed, history, question)).as(where).hasSameSizeAs(changed);
        return outcome;
    }

    private static List<RefutedFinding> refuted(
            List<Finding> findings, SmallTables history, TableCheckRequest question) {
        FindingReplay replay = new FindingReplay(
                findings,
                null,
                level -> LongSets.EMPTY_SET,
                level -> LongSets.EMPTY_SET,
                LongSets.EMPTY_SET,
                question.serialOrder());
        replay.observe(history.slice);
        replay.endOfPass();
        return replay.refuted();
    }

    /** The finding with a reason that is not true, for each thing that can be wrong about it. */
    private static List<Finding> withOtherReasons(Finding finding) {
        List<Finding> changed = new ArrayList<>();
        for (int position = 0; position < finding.edges().size(); position++) {
            Edge edge = finding.edges().get(position);
            OfRows reason = (OfRows) edge.reason();
            changed.add(with(finding, position, edge, null, edge.predicate()));
            changed.add(
                    with(finding, position, edge, new EdgeReason.Explained(EdgeReasons.of(edge)), edge.predicate()));
            RowFact other = reason.fact() == RowFact.OVERLAP ? RowFact.LATE_START : RowFact.OVERLAP;
            changed.add(with(
                    finding, position, edge, new OfRows(other, reason.first(), reason.second()), edge.predicate()));
            if (reason.first() != null) {
                OfRows moved = new OfRows(reason.fact(), reason.first() + 1_000, reason.second());
                changed.add(with(finding, position, edge, moved, edge.predicate()));
            }
            if (reason.second() != null) {
                changed.add(with(
                        finding, position, edge, new OfRows(reason.fact(), reason.first(), null), edge.predicate()));
            }
            if (edge.predicate() != null) {
                changed.add(with(finding, position, edge, reason, "1 = 2"));
            }
        }
        return changed;
    }

    private static Finding with(Finding finding, int position, Edge edge, EdgeReason reason, String predicate) {
        List<Edge> edges = new ArrayList<>(finding.edges());
        edges.set(
                position,
                new Edge(
                        edge.fromTxnId(),
                        edge.toTxnId(),
                        edge.type(),
                        edge.key(),
                        edge.fromValue(),
                        edge.toValue(),
                        edge.evidence(),
                        reason,
                        predicate));
        return new Finding(
                finding.anomaly(),
                finding.pattern(),
                finding.level(),
                finding.algorithm(),
                finding.key(),
                finding.participants(),
                finding.expectation(),
                finding.slack(),
                finding.dependsOnUnknown(),
                edges);
    }

    private void countFeatures(SmallTables history) {
        List<Act> acts = new ArrayList<>();
        for (Txn txn : history.txns) {
            acts.addAll(txn.acts);
        }
        count("histories", true);
        count("with 7 transactions", history.txns.size() == 7);
        count("predicate reads", acts.stream().anyMatch(act -> act.kind() == 'p'));
        count(
                "deletions",
                acts.stream().anyMatch(act -> act.kind() == 'w' && act.version().column() == null));
        count(
                "statement snapshots",
                acts.stream()
                        .anyMatch(act -> act.predicateRead() != null
                                && act.predicateRead().readTs() != null));
        count(
                "aggregates",
                acts.stream()
                        .anyMatch(act -> act.predicateRead() != null
                                && act.predicateRead().isComputed()));
        boolean replacesOwn = acts.stream()
                .anyMatch(act -> act.kind() == 'w' && !act.version().isFinal());
        count("own intermediate writes", replacesOwn);
    }

    // ---------------------------------------------------------------- versions

    @Test
    void levelsAreThoseOfTheDefinition() {
        for (long seed : Seeds.upTo(HISTORIES)) {
            SmallTables history = new SmallTables(new Random(seed), 7);
            TableDefinition definition = new TableDefinition(history);
            Set<IsolationLevel> asked = EnumSet.copyOf(LEVELS);
            asked.addAll(ASKED);
            TableCheckRequest question = new TableCheckRequest(asked, false, true, false, false, null);
            TableOutcome outcome = check(history, question, "seed=" + seed);
            countFeatures(history);
            outcome.anomalies().forEach(anomaly -> count(anomaly.spelling(), true));
            count("by elimination", !definition.isKnown());
            count("before or after its deletion", definition.readsUnknown);
            check(definition, outcome, seed);
            checkSnapshots(definition, outcome, seed);
        }
        System.out.println("tables: " + met);
        if (Seeds.areAll()) {
            assertThat(met).containsKeys("G0", "G1a", "G1b", "G1c", "G-single", "G-nonadjacent", "G2", "internal");
            assertThat(met).containsKeys("garbage-read", "predicate-read-miss", "G2-item", "G2-process");
            assertThat(met.remove(LEFT_OPEN)).isLessThan(met.get(DEFINED) / 100);
            assertThat(met)
                    .allSatisfy((what, times) -> assertThat(times).as(what).isPositive());
        }
    }

    private void check(TableDefinition definition, TableOutcome outcome, long seed) {
        boolean hasOrder = definition.faults.isEmpty() && definition.hasSerialOrder(true);
        for (IsolationLevel level : LEVELS) {
            String where = "seed=%d level=%s answer=%s"
                    .formatted(seed, level, outcome.answers().get(level));
            boolean isViolated = !outcome.findings().counts(level).isEmpty();
            boolean isDefined = definition.isViolated(level);
            boolean isOpen = outcome.answers().get(level).doubt() != null;
            if (level == IsolationLevel.SERIALIZABLE) {
                count(DEFINED, isDefined);
                count(LEFT_OPEN, isDefined && !isViolated);
            }
            count("violated at " + level, isViolated);
            count("holds at " + level, !isViolated && !isOpen);
            if (definition.isKnown() && !definition.leavesOut) {
                assertThat(isViolated).as(where).isEqualTo(isDefined);
                boolean mayBeOpen =
                        definition.looksPastOwn || definition.leavesOut || definition.readsUnknown || !hasOrder;
                assertThat(isOpen && !isViolated && !mayBeOpen).as(where).isFalse();
            } else if (isViolated) {
                assertThat(isDefined).as(where).isTrue();
            }
            boolean isSerial = level == IsolationLevel.PL_3 || level == IsolationLevel.SERIALIZABLE;
            if (isSerial && !isViolated && !isOpen) {
                assertThat(definition.hasSerialOrder(false)).as(where).isTrue();
            }
            if (level == IsolationLevel.SERIALIZABLE) {
                count("undecided at " + level, !isViolated && isOpen);
                assertThat(isViolated && hasOrder).as(where).isFalse();
                assertThat(isDefined && hasOrder).as(where).isFalse();
            }
        }
    }

    /** Snapshot isolation and what it implies, by versions; a row missed of which every version matches rules out all of them. */
    private void checkSnapshots(TableDefinition definition, TableOutcome outcome, long seed) {
        boolean isMissed = definition.faults.contains(Anomaly.PREDICATE_READ_MISS);
        assertThat(outcome.anomalies().contains(Anomaly.PREDICATE_READ_MISS))
                .as("seed=" + seed)
                .isEqualTo(isMissed);
        for (IsolationLevel level : ASKED) {
            boolean isViolated = !outcome.findings().counts(level).isEmpty();
            boolean isOpen = outcome.answers().get(level).doubt() != null;
            String where = "seed=%d level=%s".formatted(seed, level);
            assertThat(isMissed && !isViolated).as(where).isFalse();
            if (level == IsolationLevel.SNAPSHOT_ISOLATION) {
                count("violated at " + level, isViolated);
                assertThat(isViolated && definition.faults.isEmpty() && definition.hasSnapshotOrder(true))
                        .as(where)
                        .isFalse();
                boolean holds = !isViolated && !isOpen;
                count("holds at " + level, holds);
                assertThat(holds && !definition.hasSnapshotOrder(false))
                        .as(where)
                        .isFalse();
            }
        }
        if (isMissed) {
            assertThat(definition.hasSnapshotOrder(false)).as("seed=" + seed).isFalse();
        }
    }

    // ---------------------------------------------------------------- timestamps and given orders

    @Test
    void serializableByTimestampsAgreesWithDefinition() {
        int violated = 0;
        int held = 0;
        int open = 0;
        IsolationLevel level = IsolationLevel.SERIALIZABLE;
        for (long seed : Seeds.upTo(HISTORIES)) {
            SmallTables history = new SmallTables(new Random(seed), 7);
            if (!history.isTimed) {
                continue;
            }
            TableDefinition definition = new TableDefinition(history);
            TableCheckRequest question = new TableCheckRequest(Set.of(level), true, false, false, false, null);
            TableOutcome outcome = check(history, question, "seed=" + seed);
            boolean isViolated = !outcome.findings().counts(level).isEmpty();
            boolean isOpen = !isViolated && outcome.answers().get(level).doubt() != null;
            if (isViolated) {
                assertThat(definition.isViolated(level)).as("seed=%d", seed).isTrue();
                assertThat(definition.faults.isEmpty() && definition.hasSerialOrder(true))
                        .as("seed=%d", seed)
                        .isFalse();
            } else if (!isOpen) {
                assertThat(definition.hasSerialOrder(false)).as("seed=%d", seed).isTrue();
            }
            violated += isViolated ? 1 : 0;
            held += isViolated || isOpen ? 0 : 1;
            open += isOpen ? 1 : 0;
        }
        System.out.println(
                "tables, serializable by timestamps: held " + held + ", violated " + violated + ", undecided " + open);
        assertThat(violated).isPositive();
        assertThat(held).isPositive();
        assertThat(open).isLessThan(held + violated);
    }

    @Test
    void replaysAgreeWithDefinitionByRows() {
        Map<Anomaly, Long> bySnapshots = new HashMap<>();
        Map<Anomaly, Long> byOrders = new HashMap<>();
        int agrees = 0;
        int contradicted = 0;
        for (long seed : Seeds.upTo(HISTORIES)) {
            Random random = new Random(seed);
            SmallTables history = new SmallTables(random, 7);
            TableReplayer replayer = new TableReplayer(history, null);
            Set<IsolationLevel> si = Set.of(IsolationLevel.SNAPSHOT_ISOLATION);
            if (history.isTimed) {
                TableOutcome outcome =
                        check(history, new TableCheckRequest(si, true, true, false, false, null), "seed=" + seed);
                compare(outcome, IsolationLevel.SNAPSHOT_ISOLATION, replayer.bySnapshots(), bySnapshots, seed);
                agrees += askSecondOpinion(history, outcome, seed) ? 1 : 0;
                contradicted += askStatements(history, replayer, seed) ? 1 : 0;
            }
            List<Integer> order = new ArrayList<>(history.hidden);
            if (random.nextInt(3) == 0) {
                Collections.shuffle(order, random);
            }
            long[] ids = order.stream().mapToLong(txn -> txn + 1L).toArray();
            Set<IsolationLevel> ser = Set.of(IsolationLevel.SERIALIZABLE);
            TableOutcome outcome =
                    check(history, new TableCheckRequest(ser, true, true, false, true, ids), "seed=" + seed);
            compare(outcome, IsolationLevel.SERIALIZABLE, replayer.serially(order), byOrders, seed);
        }
        System.out.println("snapshots: " + bySnapshots + ", orders: " + byOrders + ", start-ordered: " + agrees
                + ", statements: " + contradicted);
        if (Seeds.areAll()) {
            assertThat(bySnapshots).containsKeys(Anomaly.EXT, Anomaly.INT, Anomaly.RESULT_SET_MISMATCH);
            assertThat(bySnapshots).containsKeys(Anomaly.NOCONFLICT, Anomaly.SESSION);
            assertThat(byOrders).containsKeys(Anomaly.EXT, Anomaly.INT, Anomaly.RESULT_SET_MISMATCH);
        }
    }

    private static boolean askStatements(SmallTables history, TableReplayer replayer, long seed) {
        TableHistory tables = new TableHistory(null);
        tables.add(history.slice);
        tables.finish();
        boolean isContradicted = replayer.isAnyStatementContradicted();
        assertThat(StatementSnapshots.first(tables, new TableVersions(tables)) != null)
                .as("seed=" + seed)
                .isEqualTo(isContradicted);
        return isContradicted;
    }

    /**
     * Snapshot isolation by the graph that starts and commits order: where that holds, timestamps find nothing, and the other
     * way round where every version read is the one of the snapshot; whether that was asked.
     */
    private static boolean askSecondOpinion(SmallTables history, TableOutcome outcome, long seed) {
        TableDefinition definition = new TableDefinition(history);
        boolean isComputed = history.txns.stream()
                .flatMap(txn -> txn.acts.stream())
                .anyMatch(act ->
                        act.predicateRead() != null && act.predicateRead().isComputed());
        boolean isDecided = definition.isKnown() && !definition.leavesOut && !definition.readsUnknown;
        if (isComputed || !isDecided || definition.looksPastOwn) {
            return false;
        }
        Map<Anomaly, Long> counts = new HashMap<>(outcome.findings().counts(IsolationLevel.SNAPSHOT_ISOLATION));
        counts.remove(Anomaly.SESSION); // which that graph does not know
        boolean isStartOrdered = definition.isStartOrdered();
        assertThat(isStartOrdered && !counts.isEmpty())
                .as("seed=%d %s", seed, counts)
                .isFalse();
        boolean isExact = history.isObedient() && definition.faults.isEmpty();
        assertThat(isExact && !isStartOrdered && counts.isEmpty())
                .as("seed=%d", seed)
                .isFalse();
        return isStartOrdered || isExact;
    }

    private static void compare(
            TableOutcome outcome,
            IsolationLevel level,
            Map<Anomaly, Long> expected,
            Map<Anomaly, Long> sums,
            long seed) {
        Findings findings = outcome.findings();
        assertThat(findings.counts(level)).as("seed=" + seed).isEqualTo(expected);
        assertThat(outcome.answers().get(level).doubt())
                .as("seed=" + seed)
                .satisfiesAnyOf(doubt -> assertThat(doubt).isNull(), doubt -> assertThat(doubt)
                        .containsAnyOf(
                                "no row has this column",
                                "given order breaks session order",
                                "a predicate read evaluated a version that no transaction may observe"));
        expected.forEach((anomaly, times) -> sums.merge(anomaly, times, Long::sum));
    }
}
