package io.nightjar.pipeline.predicate;

import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.predicate.SmallTables.Act;
import io.nightjar.pipeline.predicate.SmallTables.PredicateRead;
import io.nightjar.pipeline.predicate.SmallTables.Txn;
import io.nightjar.pipeline.predicate.SmallTables.Version;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Adya's definitions taken literally, on a small history: every version of every row for every predicate read. */
final class TableDefinition {

    private static final int WW = 1;
    private static final int WR = 2;
    private static final int RW = 4;
    private static final int PREDICATE_RW = 8;
    private static final int SESSION = 16;
    private static final int FLOW = WW | WR;
    private static final int ALL = FLOW | RW | PREDICATE_RW;

    /** A predicate read and a row, with the versions that it may have looked at, one of each stretch with the same edges. */
    record Choice(int txn, PredicateRead predicateRead, int key, List<Integer> positions) {}

    private final SmallTables history;
    final Set<Anomaly> faults = EnumSet.noneOf(Anomaly.class);
    final List<Choice> choices = new ArrayList<>();
    private final int[][] items; // kinds of dependencies through rows, and of versions
    boolean looksPastOwn; // a row's version that follows one which the reader wrote only later
    boolean readsUnknown; // a row that was not there, before it or after its deletion
    boolean leavesOut; // a row that its snapshot shows to match, or an answer that is another one

    TableDefinition(SmallTables history) {
        this.history = history;
        this.items = new int[history.txns.size()][history.txns.size()];
        for (List<Version> ofKey : history.versions) {
            Version last = null;
            for (Version version : ofKey) {
                if (version.isFinal()) {
                    add(items, last == null ? version.txn() : last.txn(), version.txn(), WW);
                    last = version;
                }
            }
        }
        for (Txn txn : history.txns) {
            for (int at = 0; at < txn.acts.size() && !txn.isAborted; at++) {
                Act act = txn.acts.get(at);
                if (act.kind() == 'r') {
                    read(txn, act.key(), at, act.version());
                } else if (act.kind() == 'p') {
                    predicateRead(txn, at, act.predicateRead());
                }
            }
        }
    }

    private static void add(int[][] kinds, int from, int to, int kind) {
        kinds[from][to] |= from == to ? 0 : kind;
    }

    /** The position of a version among those of its key, -1 before all of them. */
    private int position(Version version) {
        return version == null ? -1 : history.versions.get(version.key()).indexOf(version);
    }

    private void read(Txn txn, int key, int at, Version seen) {
        Version own = txn.ownBefore(key, at);
        boolean isInvalid = isInvalid(txn, seen);
        if (own != null) {
            faults.addAll(new TableReplayer(history, null).isSame(seen, own) ? Set.of() : Set.of(Anomaly.INTERNAL));
        } else if (isUnknown(txn, key, seen)) {
            readsUnknown = true;
        } else if (!isInvalid) {
            addItemEdges(txn, key, position(known(txn, key, seen)));
        }
    }

    /** Whether a row that was not there may be deleted or not there yet, and no snapshot says which. */
    private boolean isUnknown(Txn txn, int key, Version seen) {
        Version known = known(txn, key, seen);
        return seen == null && (known == null ? !history.isTimed && isDeleted(key) : known.column() != null);
    }

    private boolean isDeleted(int key) {
        return history.versions.get(key).stream().anyMatch(version -> version.column() == null);
    }

    /** The version that was read; where there was no row, the one that the snapshot shows. */
    private Version known(Txn txn, int key, Version seen) {
        boolean isAsked = seen == null && history.isTimed && isDeleted(key);
        return isAsked ? history.atSnapshot(txn, key, txn.start) : seen;
    }

    /** Whether a read of a row may have been one of a version. */
    boolean mayRead(Txn txn, int key, Version seen, Version version) {
        return isUnknown(txn, key, seen) || known(txn, key, seen) == version;
    }

    /** Returns whether no transaction may see a version, and notes the fault. */
    private boolean isInvalid(Txn txn, Version seen) {
        if (seen == null || seen.txn() == txn.index) {
            return false;
        }
        boolean isTakenBack = history.takenBack.contains(seen);
        if (isTakenBack || !seen.isFinal()) {
            faults.add(isTakenBack ? Anomaly.G1A : Anomaly.G1B);
            return true;
        }
        return false;
    }

    private void addItemEdges(Txn txn, int key, int position) {
        List<Version> ofKey = history.versions.get(key);
        if (position >= 0) {
            add(items, ofKey.get(position).txn(), txn.index, WR);
        }
        int next = position + 1;
        while (next < ofKey.size() && !ofKey.get(next).isFinal()) {
            next++;
        }
        if (next < ofKey.size()) {
            add(items, txn.index, ofKey.get(next).txn(), RW);
        }
    }

    private void predicateRead(Txn txn, int at, PredicateRead predicateRead) {
        boolean isContradicted = new TableReplayer(history, null).isContradicted(txn, at);
        leavesOut |= isContradicted;
        for (int key = 0; key < history.keyCount; key++) {
            if (!predicateRead.isAbout(key)) {
                continue;
            }
            Version seen = predicateRead.seen()[key];
            Version own = txn.ownBefore(key, at);
            boolean isNumbered = predicateRead.isNumbered()[key];
            if (predicateRead.returned()[key]) {
                read(txn, key, at, seen);
            }
            if (isNumbered && isInvalid(txn, seen)) {
                continue;
            }
            if (predicateRead.returned()[key] && !predicateRead.condition().matches(seen)) {
                faults.add(Anomaly.GARBAGE_READ);
                continue;
            }
            if (own != null
                    && !predicateRead.isComputed()
                    && !predicateRead.returned()[key]
                    && predicateRead.condition().matches(own)) {
                faults.add(Anomaly.INTERNAL);
            }
            if (isNumbered || own == null && !isContradicted) {
                choose(
                        txn,
                        predicateRead,
                        key,
                        isNumbered && seen != null && seen.txn() == txn.index
                                ? null
                                : versionSet(txn, predicateRead, key));
            }
        }
    }

    /** The positions that a look may have seen; null if these are not one or the other. */
    private List<Integer> versionSet(Txn txn, PredicateRead predicateRead, int key) {
        List<Version> ofKey = history.versions.get(key);
        if (predicateRead.isNumbered()[key]) {
            return List.of(position(predicateRead.seen()[key]));
        }
        if (history.isTimed) {
            long snapshot = predicateRead.readTs() != null ? predicateRead.readTs() : txn.start;
            Version shown = history.atSnapshot(txn, key, snapshot);
            boolean isLeftOut =
                    !predicateRead.isComputed() && predicateRead.condition().matches(shown);
            leavesOut |= isLeftOut;
            if (!isLeftOut) {
                return List.of(position(shown));
            }
        }
        List<Integer> positions = new ArrayList<>();
        if (history.mayBeUnborn(key)) {
            positions.add(-1);
        }
        for (Version version : ofKey) {
            if (version.isFinal()
                    && version.txn() != txn.index
                    && !predicateRead.condition().matches(version)) {
                positions.add(position(version));
            }
        }
        faults.addAll(positions.isEmpty() ? Set.of(Anomaly.PREDICATE_READ_MISS) : Set.of());
        return positions;
    }

    private void choose(Txn txn, PredicateRead predicateRead, int key, List<Integer> positions) {
        if (positions == null || positions.isEmpty()) {
            return;
        }
        List<Integer> stretches = new ArrayList<>();
        for (int position : positions) {
            boolean isKnown = stretches.stream().anyMatch(other -> isSameStretch(predicateRead, key, other, position));
            if (!isKnown) {
                stretches.add(position);
            }
            looksPastOwn |= history.versions.get(key).subList(0, Math.max(0, position)).stream()
                    .anyMatch(version -> version.txn() == txn.index);
        }
        choices.add(new Choice(txn.index, predicateRead, key, stretches));
    }

    /** Whether no version between two changes what matches. */
    private boolean isSameStretch(PredicateRead predicateRead, int key, int one, int other) {
        for (int position = Math.min(one, other) + 1; position <= Math.max(one, other); position++) {
            if (changes(predicateRead, key, position)) {
                return false;
            }
        }
        return true;
    }

    private boolean matchesAt(PredicateRead predicateRead, int key, int position) {
        return position >= 0
                && predicateRead.condition().matches(history.versions.get(key).get(position));
    }

    /** Whether a final version matches where the one before does not, the other way round, or makes another sum. */
    private boolean changes(PredicateRead predicateRead, int key, int position) {
        List<Version> ofKey = history.versions.get(key);
        int before = position - 1;
        while (before >= 0 && !ofKey.get(before).isFinal()) {
            before--;
        }
        if (!ofKey.get(position).isFinal()
                || !matchesAt(predicateRead, key, position) && !matchesAt(predicateRead, key, before)) {
            return false;
        }
        boolean isOfColumn =
                predicateRead.isComputed() && !predicateRead.computed().equals("count(*)");
        return !matchesAt(predicateRead, key, position)
                || !matchesAt(predicateRead, key, before)
                || isOfColumn
                        && !ofKey.get(position)
                                .column()
                                .equals(ofKey.get(before).column());
    }

    // ---------------------------------------------------------------- levels

    /** Whether the versions looked at are known, one for each row. */
    boolean isKnown() {
        return choices.stream().allMatch(choice -> choice.positions().size() == 1);
    }

    /** Whether a level is violated whichever versions were looked at. */
    boolean isViolated(IsolationLevel level) {
        return isForbidden(level) || isViolated(level, 0, items);
    }

    private boolean isForbidden(IsolationLevel level) {
        Set<Anomaly> forbidden = EnumSet.noneOf(Anomaly.class);
        if (level != IsolationLevel.PL_1) {
            forbidden.addAll(Set.of(Anomaly.G1A, Anomaly.G1B, Anomaly.GARBAGE_READ));
        }
        boolean isSerializable = level == IsolationLevel.PL_3 || level == IsolationLevel.SERIALIZABLE;
        forbidden.addAll(isSerializable ? Set.of(Anomaly.INTERNAL, Anomaly.PREDICATE_READ_MISS) : Set.of());
        forbidden.addAll(level == IsolationLevel.PL_SI ? Set.of(Anomaly.INTERNAL) : Set.of());
        return faults.stream().anyMatch(forbidden::contains);
    }

    /** More edges never take a cycle away, so what is violated by a part of the choices is by all that go on from there. */
    private boolean isViolated(IsolationLevel level, int next, int[][] kinds) {
        if (hasForbiddenCycle(level, kinds)) {
            return true;
        }
        if (next == choices.size()) {
            return false;
        }
        Choice choice = choices.get(next);
        for (int position : choice.positions()) {
            int[][] more = new int[kinds.length][];
            java.util.Arrays.setAll(more, txn -> kinds[txn].clone());
            addPredicateEdges(more, choice, position);
            if (!isViolated(level, next + 1, more)) {
                return false;
            }
        }
        return true;
    }

    private void addPredicateEdges(int[][] kinds, Choice choice, int seen) {
        List<Version> ofKey = history.versions.get(choice.key());
        boolean isAfter = false;
        for (int position = ofKey.size() - 1; position >= 0; position--) {
            boolean changes = changes(choice.predicateRead(), choice.key(), position);
            boolean isStart = history.hasInitial && position == 0 && seen >= 0; // no order has anybody in front of it
            if (changes && position > seen) {
                add(kinds, choice.txn(), ofKey.get(position).txn(), PREDICATE_RW);
            } else if ((changes || isStart) && !isAfter) {
                add(kinds, ofKey.get(position).txn(), choice.txn(), WR);
                isAfter = true;
            }
        }
    }

    private boolean hasForbiddenCycle(IsolationLevel level, int[][] kinds) {
        return switch (level) {
            case PL_1 -> hasCycle(closure(kinds, WW));
            case PL_2 -> hasCycle(closure(kinds, FLOW));
            case PL_2_99 -> hasCycle(closure(kinds, FLOW | RW));
            case PL_SI -> hasCycle(closure(kinds, FLOW)) || hasCycle(closed(spread(kinds)));
            case PL_3 -> hasCycle(closure(kinds, ALL));
            case SERIALIZABLE -> hasCycle(closure(withSessions(kinds), ALL | SESSION));
            default -> throw new IllegalArgumentException("level=" + level);
        };
    }

    // ---------------------------------------------------------------- start-ordered serialization graph

    /**
     * Whether snapshot isolation holds by the graph in which each commit comes before every later start: every
     * dependency is on a transaction that had committed, and no cycle has a single antidependency. Asked of what is
     * {@link #isKnown}.
     */
    boolean isStartOrdered() {
        int[][] kinds = items;
        for (Choice choice : choices) {
            addPredicateEdges(kinds, choice, choice.positions().get(0));
        }
        int count = history.txns.size();
        boolean[][] before = new boolean[count][count];
        for (Txn from : history.txns) {
            for (Txn to : history.txns) {
                boolean hasCommitted = !from.isAborted && !to.isAborted && from.commit <= to.start;
                before[from.index][to.index] = hasCommitted;
                if ((kinds[from.index][to.index] & FLOW) != 0 && !hasCommitted) {
                    return false;
                }
            }
        }
        closed(before); // dependencies are among these
        for (int from = 0; from < count; from++) {
            for (int to = 0; to < count; to++) {
                if ((kinds[from][to] & (RW | PREDICATE_RW)) != 0 && before[to][from]) {
                    return false;
                }
            }
        }
        return faults.isEmpty();
    }

    private int[][] withSessions(int[][] kinds) {
        int[][] more = new int[kinds.length][];
        java.util.Arrays.setAll(more, txn -> kinds[txn].clone());
        for (Txn one : history.txns) {
            for (Txn other : history.txns) {
                boolean isBefore = one.session == other.session && one.seq < other.seq;
                more[one.index][other.index] |= isBefore && !one.isAborted && !other.isAborted ? SESSION : 0;
            }
        }
        return more;
    }

    private static boolean[][] closure(int[][] kinds, int allowed) {
        boolean[][] steps = new boolean[kinds.length][kinds.length];
        for (int from = 0; from < kinds.length; from++) {
            for (int to = 0; to < kinds.length; to++) {
                steps[from][to] = (kinds[from][to] & allowed) != 0;
            }
        }
        return closed(steps);
    }

    /** A dependency, with an antidependency behind it or not: so that no two of those are adjacent. */
    private static boolean[][] spread(int[][] kinds) {
        boolean[][] steps = new boolean[kinds.length][kinds.length];
        for (int from = 0; from < kinds.length; from++) {
            for (int over = 0; over < kinds.length; over++) {
                boolean depends = (kinds[from][over] & FLOW) != 0;
                steps[from][over] |= depends;
                for (int to = 0; depends && to < kinds.length; to++) {
                    steps[from][to] |= (kinds[over][to] & (RW | PREDICATE_RW)) != 0;
                }
            }
        }
        return steps;
    }

    private static boolean[][] closed(boolean[][] reach) {
        for (int over = 0; over < reach.length; over++) {
            for (int from = 0; from < reach.length; from++) {
                for (int to = 0; to < reach.length && reach[from][over]; to++) {
                    reach[from][to] |= reach[over][to];
                }
            }
        }
        return reach;
    }

    private static boolean hasCycle(boolean[][] reach) {
        for (int txn = 0; txn < reach.length; txn++) {
            if (reach[txn][txn]) {
                return true;
            }
        }
        return false;
    }

    // ---------------------------------------------------------------- serial orders

    /**
     * Whether a serial order explains the history, all of them tried.
     *
     * @param isByVersions whether it must also keep the order of versions, the versions read and those looked at, and the
     *     order of sessions; else what clients saw is enough
     */
    boolean hasSerialOrder(boolean isByVersions) {
        return goesOn(new ArrayList<>(), new HashSet<>(), new Version[history.keyCount], isByVersions);
    }

    private boolean goesOn(List<Integer> order, Set<Integer> done, Version[] current, boolean isByVersions) {
        if (order.size() == history.txns.stream().filter(txn -> !txn.isAborted).count()) {
            return true;
        }
        for (Txn txn : history.txns) {
            boolean isNext =
                    !txn.isAborted && !done.contains(txn.index) && (!isByVersions || isNext(txn, done, current));
            if (!isNext || !new TableReplayer(history, isByVersions ? this : null).isExplained(txn, current)) {
                continue;
            }
            Version[] after = current.clone();
            txn.acts.stream().filter(act -> act.kind() == 'w').forEach(act -> after[act.key()] = act.version());
            order.add(txn.index);
            done.add(txn.index);
            boolean found = goesOn(order, done, after, isByVersions);
            done.remove(txn.index);
            order.remove(order.size() - 1);
            if (found) {
                return true;
            }
        }
        return false;
    }

    // ---------------------------------------------------------------- snapshots

    /**
     * Whether snapshot isolation explains the history: some order of commits in which each transaction reads what some
     * earlier moment left, not before the last commit of its session, and none in between wrote what it writes. All of
     * them are tried.
     *
     * @param isByVersions see {@link #hasSerialOrder}
     */
    boolean hasSnapshotOrder(boolean isByVersions) {
        List<Version[]> states = new ArrayList<>();
        states.add(new Version[history.keyCount]);
        return goesOn(new ArrayList<>(), states, isByVersions);
    }

    /** @param states what the first transactions of the order left, by how many there are */
    private boolean goesOn(List<Integer> order, List<Version[]> states, boolean isByVersions) {
        if (order.size() == history.txns.stream().filter(txn -> !txn.isAborted).count()) {
            return true;
        }
        Version[] current = states.get(order.size());
        for (Txn txn : history.txns) {
            boolean isFree = !txn.isAborted && !order.contains(txn.index);
            boolean isFirst = !history.hasInitial || order.isEmpty() == (txn.index == 0);
            if (!isFree || !isFirst || !isNext(txn, Set.copyOf(order), current, isByVersions)) {
                continue;
            }
            TableReplayer replayer = new TableReplayer(history, isByVersions ? this : null);
            boolean isExplained = false;
            for (int at = order.size(); at >= 0 && !isExplained; at--) {
                isExplained = replayer.isExplained(txn, states.get(at));
                if (at > 0 && (follows(txn, order.get(at - 1)) || history.hasInitial && at == 1)) {
                    break;
                }
            }
            if (!isExplained) {
                continue;
            }
            Version[] after = current.clone();
            txn.acts.stream().filter(act -> act.kind() == 'w').forEach(act -> after[act.key()] = act.version());
            order.add(txn.index);
            states.add(after);
            boolean found = goesOn(order, states, isByVersions);
            states.remove(states.size() - 1);
            order.remove(order.size() - 1);
            if (found) {
                return true;
            }
        }
        return false;
    }

    /** Whether a transaction may not have begun before another one committed. */
    private boolean follows(Txn txn, int other) {
        Txn before = history.txns.get(other);
        boolean isConflict = txn.acts.stream()
                .anyMatch(act -> act.kind() == 'w'
                        && before.acts.stream().anyMatch(theirs -> theirs.kind() == 'w' && theirs.key() == act.key()));
        return isConflict || before.session == txn.session && before.seq < txn.seq;
    }

    /** Whether sessions, and versions where they are asked, allow a transaction to commit next. */
    private boolean isNext(Txn txn, Set<Integer> done, Version[] current, boolean isByVersions) {
        if (isByVersions) {
            return isNext(txn, done, current);
        }
        return history.txns.stream()
                .noneMatch(other -> other.session == txn.session
                        && other.seq < txn.seq
                        && !other.isAborted
                        && !done.contains(other.index));
    }

    /** Whether versions and sessions allow a transaction to be the next. */
    private boolean isNext(Txn txn, Set<Integer> done, Version[] current) {
        if (history.hasInitial && done.isEmpty()) {
            return txn.index == 0;
        }
        for (Txn other : history.txns) {
            boolean isBefore = other.session == txn.session && other.seq < txn.seq && !other.isAborted;
            if (isBefore && !done.contains(other.index)) {
                return false;
            }
        }
        for (Act act : txn.acts) {
            int next = act.kind() == 'w' ? position(current[act.key()]) + 1 : 0;
            if (act.kind() == 'w' && history.versions.get(act.key()).get(next).txn() != txn.index) {
                return false;
            }
        }
        return true;
    }

    /** Whether a look may have seen the current version of a row, as far as it says which one it saw. */
    boolean isPossible(int txn, PredicateRead predicateRead, int key, Version current) {
        for (Choice choice : choices) {
            if (choice.txn() == txn && choice.predicateRead() == predicateRead && choice.key() == key) {
                return choice.positions().stream()
                        .anyMatch(position -> isSameStretch(predicateRead, key, position, position(current)));
            }
        }
        return true;
    }
}
