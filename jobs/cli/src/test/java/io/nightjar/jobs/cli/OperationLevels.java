package io.nightjar.jobs.cli;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.cli.SmallOperations.Kind;
import io.nightjar.jobs.cli.SmallOperations.Op;
import io.nightjar.jobs.cli.SmallOperations.Txn;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The levels of a small history of any operations by their definitions. Tries all orders of snapshots and commits, below
 * prefix all versions that each operation may have observed.
 */
final class OperationLevels {

    private static final int MAX_CHOICES = 20_000;

    /** A demand on an order of snapshots and commits. */
    private enum Rule {
        SNAPSHOTS,
        CONFLICTS,
        SESSIONS,
        REAL_TIME
    }

    private final SmallOperations history;
    private final List<Txn> txns;

    private OperationLevels(SmallOperations history) {
        this.history = history;
        this.txns = history.txns().stream().filter(txn -> txn.status() != 'a').toList();
    }

    /** Returns whether the history satisfies each level; levels that are not defined are absent. */
    static Map<IsolationLevel, Boolean> of(SmallOperations history) {
        OperationLevels levels = new OperationLevels(history);
        Map<IsolationLevel, Boolean> defined = new EnumMap<>(IsolationLevel.class);
        boolean si = levels.hasOrder(Rule.SNAPSHOTS, Rule.CONFLICTS, Rule.SESSIONS);
        boolean ser = levels.hasOrder(Rule.SESSIONS);
        defined.put(IsolationLevel.PREFIX, levels.hasOrder(Rule.SNAPSHOTS, Rule.SESSIONS));
        defined.put(IsolationLevel.SNAPSHOT_ISOLATION, si);
        defined.put(IsolationLevel.STRONG_SESSION_SNAPSHOT_ISOLATION, si);
        defined.put(IsolationLevel.PL_SI, levels.hasOrder(Rule.SNAPSHOTS, Rule.CONFLICTS));
        defined.put(IsolationLevel.SERIALIZABLE, ser);
        defined.put(IsolationLevel.STRONG_SESSION_SERIALIZABLE, ser);
        defined.put(IsolationLevel.PL_3, levels.hasOrder());
        if (history.hasTimes()) {
            defined.put(IsolationLevel.STRICT_SERIALIZABLE, levels.hasOrder(Rule.SESSIONS, Rule.REAL_TIME));
            defined.put(
                    IsolationLevel.STRONG_SNAPSHOT_ISOLATION,
                    levels.hasOrder(Rule.SNAPSHOTS, Rule.CONFLICTS, Rule.SESSIONS, Rule.REAL_TIME));
        }
        levels.addWeak(defined);
        return defined;
    }

    // ---------------------------------------------------------------- orders

    private boolean hasOrder(Rule... rules) {
        return new Orders(Set.of(rules)).exist(new int[txns.size()], new TreeMap<>());
    }

    private final class Orders {

        private final Set<Rule> rules;
        private final Set<String> failed = new HashSet<>();

        Orders(Set<Rule> rules) {
            this.rules = rules;
        }

        /** @param stage by transaction: 0 before its snapshot, 1 before its commit, 2 after it */
        boolean exist(int[] stage, Map<String, Object> state) {
            boolean isComplete = true;
            for (int i = 0; i < stage.length; i++) {
                isComplete &= stage[i] == 2 || !txns.get(i).isCommitted();
            }
            if (isComplete) {
                return true;
            }
            if (!failed.add(Arrays.toString(stage) + state)) {
                return false;
            }
            for (int i = 0; i < stage.length; i++) {
                int[] next = stage.clone();
                if (stage[i] == 0 && mayBegin(i, stage) && isRight(txns.get(i), state)) {
                    next[i] = rules.contains(Rule.SNAPSHOTS) ? 1 : 2;
                } else if (stage[i] == 1) {
                    next[i] = 2;
                } else {
                    continue;
                }
                Map<String, Object> left = new TreeMap<>(state);
                if (next[i] == 2) {
                    txns.get(i).ops().forEach(op -> op.apply(left));
                }
                if (exist(next, left)) {
                    return true;
                }
            }
            return false;
        }

        private boolean mayBegin(int txn, int[] stage) {
            Txn b = txns.get(txn);
            for (int other = 0; other < stage.length; other++) {
                Txn a = txns.get(other);
                boolean isSession = rules.contains(Rule.SESSIONS) && a.session() == b.session();
                boolean isTime = rules.contains(Rule.REAL_TIME) && a.isCommitted() && a.complete() < b.invoke();
                boolean mustBeBefore = isSession && a.seq() < b.seq() || isTime;
                boolean isMissed = a.isCommitted() ? stage[other] < 2 : stage[other] == 1;
                boolean isTooLate = isSession && a.seq() > b.seq() && stage[other] > 0;
                boolean conflicts = rules.contains(Rule.CONFLICTS) && stage[other] == 1 && a.conflictsWith(b);
                if (mustBeBefore && isMissed || isTooLate || conflicts) {
                    return false;
                }
            }
            return true;
        }

        /** Nobody learned what a transaction of unknown outcome read. */
        private static boolean isRight(Txn txn, Map<String, Object> state) {
            Map<String, Object> seen = new TreeMap<>(state);
            for (Op op : txn.ops()) {
                if (txn.isCommitted() && !op.fits(seen)) {
                    return false;
                }
                op.apply(seen);
            }
            return true;
        }
    }

    // ---------------------------------------------------------------- read committed, read atomic, causal

    /** A version that an operation observed: its writer, -1 for the initial state. */
    private record Sight(int reader, int op, String cell, int writer) {}

    private void addWeak(Map<IsolationLevel, Boolean> defined) {
        boolean isPlain = txns.stream().allMatch(Txn::isCommitted)
                && !history.has(op -> op.kind() == Kind.INCREMENT
                        || op.kind() == Kind.INCREMENT_RESULT
                        || op.kind() == Kind.COUNTER
                        || op.kind() == Kind.APPEND
                        || op.kind() == Kind.LIST);
        if (!isPlain) {
            return;
        }
        List<List<List<Sight>>> sights = new ArrayList<>(); // by operation: all explanations
        long choices = 1;
        for (int txn = 0; txn < txns.size(); txn++) {
            for (int op = 0; op < txns.get(txn).ops().size(); op++) {
                List<List<Sight>> explanations = explanations(txn, op);
                choices = Math.min(MAX_CHOICES + 1L, choices * explanations.size());
                sights.add(explanations);
            }
        }
        if (choices > MAX_CHOICES) {
            return;
        }
        Map<IsolationLevel, Boolean> holding = new EnumMap<>(IsolationLevel.class);
        List.of(IsolationLevel.READ_COMMITTED, IsolationLevel.READ_ATOMIC, IsolationLevel.CAUSAL)
                .forEach(level -> holding.put(level, false));
        choose(sights, new ArrayList<>(), 0, holding);
        defined.putAll(holding);
    }

    private List<List<Sight>> explanations(int txn, int position) {
        List<Op> ops = txns.get(txn).ops();
        Map<String, Object> own = new HashMap<>();
        Set<String> changed = new HashSet<>();
        for (Op op : ops.subList(0, position)) {
            op.apply(own);
            if (op.cellWritten() != null) {
                changed.add(op.cellWritten());
            }
        }
        List<String> cells = ops.get(position).cellsRead().stream()
                .filter(cell -> !changed.contains(cell))
                .toList();
        List<List<Sight>> explanations = new ArrayList<>();
        explain(txn, position, cells, own, new ArrayList<>(), explanations);
        return explanations;
    }

    private void explain(
            int txn,
            int position,
            List<String> cells,
            Map<String, Object> state,
            List<Sight> some,
            List<List<Sight>> into) {
        if (some.size() == cells.size()) {
            Op op = txns.get(txn).ops().get(position);
            if (op.cellsRead().isEmpty() || op.fits(state)) {
                into.add(List.copyOf(some));
            }
            return;
        }
        String cell = cells.get(some.size());
        for (int writer = -1; writer < txns.size(); writer++) {
            if (writer == txn || writer >= 0 && !writes(writer, cell)) {
                continue;
            }
            Map<String, Object> left = new HashMap<>();
            if (writer >= 0) {
                txns.get(writer).ops().forEach(op -> op.apply(left));
            }
            Map<String, Object> with = new HashMap<>(state);
            if (left.containsKey(cell)) {
                with.put(cell, left.get(cell));
            }
            some.add(new Sight(txn, position, cell, writer));
            explain(txn, position, cells, with, some, into);
            some.remove(some.size() - 1);
        }
    }

    private boolean writes(int txn, String cell) {
        return txns.get(txn).ops().stream().anyMatch(op -> cell.equals(op.cellWritten()));
    }

    private void choose(
            List<List<List<Sight>>> sights, List<Sight> chosen, int next, Map<IsolationLevel, Boolean> holding) {
        if (holding.values().stream().allMatch(holds -> holds)) {
            return;
        }
        if (next == sights.size()) {
            holding.replaceAll((level, holds) -> holds || isAcyclic(level, chosen));
            return;
        }
        for (List<Sight> explanation : sights.get(next)) {
            chosen.addAll(explanation);
            choose(sights, chosen, next + 1, holding);
            chosen.subList(chosen.size() - explanation.size(), chosen.size()).clear();
        }
    }

    private boolean isAcyclic(IsolationLevel level, List<Sight> sights) {
        int count = txns.size();
        boolean[][] directly = new boolean[count][count];
        for (int a = 0; a < count; a++) {
            for (int b = 0; b < count; b++) {
                directly[a][b] = txns.get(a).session() == txns.get(b).session()
                        && txns.get(a).seq() < txns.get(b).seq();
            }
        }
        sights.stream()
                .filter(sight -> sight.writer >= 0)
                .forEach(sight -> directly[sight.writer][sight.reader] = true);
        boolean[][] causally = closed(directly);
        boolean[][] before = new boolean[count][];
        Arrays.setAll(before, txn -> directly[txn].clone());
        for (Sight sight : sights) {
            for (int other = 0; other < count; other++) {
                boolean isRival = other != sight.writer && other != sight.reader && writes(other, sight.cell);
                if (isRival && isRelated(level, other, sight, sights, directly, causally)) {
                    if (sight.writer < 0) {
                        return false;
                    }
                    before[other][sight.writer] = true;
                }
            }
        }
        boolean[][] all = closed(before);
        boolean isAcyclic = true;
        for (int txn = 0; txn < count; txn++) {
            isAcyclic &= !all[txn][txn];
        }
        return isAcyclic;
    }

    private static boolean isRelated(
            IsolationLevel level,
            int other,
            Sight sight,
            List<Sight> sights,
            boolean[][] directly,
            boolean[][] causally) {
        return switch (level) {
            case READ_COMMITTED ->
                sights.stream()
                        .anyMatch(earlier ->
                                earlier.reader == sight.reader && earlier.op < sight.op && earlier.writer == other);
            case READ_ATOMIC -> directly[other][sight.reader];
            default -> causally[other][sight.reader];
        };
    }

    private static boolean[][] closed(boolean[][] edges) {
        boolean[][] closed = new boolean[edges.length][];
        Arrays.setAll(closed, from -> edges[from].clone());
        for (int via = 0; via < edges.length; via++) {
            for (int from = 0; from < edges.length; from++) {
                for (int to = 0; to < edges.length; to++) {
                    closed[from][to] |= closed[from][via] && closed[via][to];
                }
            }
        }
        return closed;
    }
}
