package io.nightjar.pipeline.predicate;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Edge;
import io.nightjar.formats.finding.Finding.Expectation;
import io.nightjar.formats.finding.Finding.Participant;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.LevelLattice;
import io.nightjar.pipeline.check.Findings;
import io.nightjar.pipeline.graph.Digraph;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Decides levels of a history of tables: from timestamps by replays, from versions by the graph of dependencies, predicates
 * included.
 *
 * <p>Show every whole slice with {@link #add}, then call {@link #check}. One thread.
 */
public final class TableCheck {

    /** What {@link Finding#algorithm} says of findings made here. */
    public static final String ALGORITHM = Finding.OF_TABLES;

    private static final int MAX_ROW_CHARS = 120;

    private final TableHistory history = new TableHistory();
    private final TableQuestion question;
    private final Findings findings;
    private final Map<IsolationLevel, TableOutcome.Answer> answers = new EnumMap<>(IsolationLevel.class);
    private final Set<Anomaly> anomalies = EnumSet.noneOf(Anomaly.class);
    private final PredicateDoubts doubts = new PredicateDoubts();
    private TableVersions versions;
    private Digraph graph;
    private TableGraph labels;

    public TableCheck(TableQuestion question) {
        this.question = question;
        this.findings = new Findings(question.findingLimit());
    }

    /** Adds a whole slice, in the order of the rows. */
    public void add(HistorySlice slice) {
        history.add(slice);
    }

    /** Bytes held, about. */
    public long byteSize() {
        return history.byteSize();
    }

    /** Decides what can be decided; levels without an answer are nobody's here. */
    public TableOutcome check() {
        history.finish();
        versions = new TableVersions(history);
        boolean byTime = question.trustsTimestamps() && versions.areTimestampsComplete;
        Set<IsolationLevel> open = EnumSet.noneOf(IsolationLevel.class);
        open.addAll(question.levels());
        if (question.isOrderGiven() && open.remove(IsolationLevel.SERIALIZABLE)) {
            givenOrder();
        }
        if (byTime && open.remove(IsolationLevel.SNAPSHOT_ISOLATION)) {
            snapshots();
        }
        if (byTime && open.contains(IsolationLevel.SERIALIZABLE) && commitOrder()) {
            open.remove(IsolationLevel.SERIALIZABLE);
        }
        if (question.trustsVersions() && !open.isEmpty()) {
            versions(open);
        }
        return new TableOutcome(findings, answers, anomalies, history.keyCount());
    }

    // ---------------------------------------------------------------- replays

    /** What a replay found, for one level. */
    private final class ReplayFindings implements TableReplay.Mismatches {

        private final IsolationLevel level;
        private final boolean isKept;
        private final String evidence;
        private final Set<Long> external = new HashSet<>(); // transactions and keys told of
        private final Set<Long> internal = new HashSet<>();
        private long count;

        ReplayFindings(IsolationLevel level, boolean isKept, String evidence) {
            this.level = level;
            this.isKept = isKept;
            this.evidence = evidence;
        }

        @Override
        public void read(int txn, int op, int expectedSlot, boolean isOwn) {
            if (isFirst(isOwn ? internal : external, txn, op) && isKept) {
                Anomaly anomaly = isOwn ? Anomaly.INT : Anomaly.EXT;
                note(level, anomaly, readFinding(level, anomaly, txn, op, expectedSlot, evidence, null));
            }
        }

        @Override
        public void repeated(int txn, int op, int before) {
            if (isFirst(internal, txn, op) && isKept) {
                note(level, Anomaly.INT, repeatedFinding(level, txn, op, before, evidence));
            }
        }

        private boolean isFirst(Set<Long> told, int txn, int op) {
            boolean isFirst = told.add((long) txn << 32 | history.key[op] & 0xffffffffL);
            count += isFirst ? 1 : 0;
            return isFirst;
        }

        @Override
        public void result(int txn, int op, int key, int expectedSlot, int row) {
            count++;
            if (isKept) {
                note(
                        level,
                        Anomaly.RESULT_SET_MISMATCH,
                        resultFinding(level, txn, op, key, expectedSlot, row, evidence));
            }
        }

        @Override
        public void answer(int txn, int op, String expected) {
            count++;
            if (isKept) {
                String observed = history.valueText(history.value[op]);
                String reason = "T%d computed %s where %s, and the rows that it should have seen make %s"
                        .formatted(history.txnId[txn], observed, history.conditionText(op), expected);
                note(
                        level,
                        Anomaly.RESULT_SET_MISMATCH,
                        finding(
                                Anomaly.RESULT_SET_MISMATCH,
                                level,
                                null,
                                List.of(participant(txn, Role.READER)),
                                new Expectation(expected, null, observed, null, null),
                                List.of(new Edge(
                                        history.txnId[txn],
                                        history.txnId[txn],
                                        "rt",
                                        null,
                                        expected,
                                        observed,
                                        evidence,
                                        reason))));
            }
        }
    }

    private void note(IsolationLevel level, Anomaly anomaly, Finding finding) {
        findings.count(level, anomaly, 1);
        findings.countRows(1);
        long at = history.txnOfId(finding.participants().get(0).txnId());
        findings.keep(at, finding);
    }

    private Finding readFinding(
            IsolationLevel level, Anomaly anomaly, int txn, int op, int expectedSlot, String evidence, String why) {
        int seen = versions.slotOfRead(op);
        String key = history.keyName(history.key[op]);
        String expected = history.valueText(versions.valueOf(expectedSlot));
        String observed = history.valueText(history.value[op]);
        Long expectedWriter = expectedSlot < 0 ? null : history.txnId[versions.txnOf[expectedSlot]];
        Long observedWriter = seen < 0 ? null : history.txnId[versions.txnOf[seen]];
        List<Participant> participants = new ArrayList<>();
        participants.add(participant(txn, Role.READER));
        if (expectedSlot >= 0 && versions.txnOf[expectedSlot] != txn) {
            participants.add(participant(versions.txnOf[expectedSlot], Role.EXPECTED_WRITER));
        }
        if (seen >= 0 && versions.txnOf[seen] != txn) {
            participants.add(participant(versions.txnOf[seen], Role.OBSERVED_WRITER));
        }
        String reason = why != null
                ? why
                : "T%d read %s of %s, and should have read %s"
                        .formatted(history.txnId[txn], shown(observed), key, versionText(expectedSlot));
        long from = expectedWriter == null ? history.txnId[txn] : expectedWriter;
        Edge edge = new Edge(from, history.txnId[txn], "wr", key, expected, observed, evidence, reason);
        return finding(
                anomaly,
                level,
                key,
                participants,
                new Expectation(expected, expectedWriter, observed, observedWriter, null),
                List.of(edge));
    }

    private Finding repeatedFinding(IsolationLevel level, int txn, int op, int before, String evidence) {
        String key = history.keyName(history.key[op]);
        String first = history.valueText(history.value[before]);
        String second = history.valueText(history.value[op]);
        long id = history.txnId[txn];
        String reason = "T%d read %s of %s, after it had read %s".formatted(id, shown(second), key, shown(first));
        return finding(
                Anomaly.INT,
                level,
                key,
                List.of(participant(txn, Role.READER)),
                new Expectation(first, null, second, null, null),
                List.of(new Edge(id, id, "wr", key, first, second, evidence, reason)));
    }

    private Finding resultFinding(
            IsolationLevel level, int txn, int op, int key, int expectedSlot, int row, String evidence) {
        String name = history.keyName(key);
        String observed = row == TableHistory.NONE ? null : history.valueText(history.value[row]);
        String expected = history.valueText(versions.valueOf(expectedSlot));
        String saw =
                row == TableHistory.NONE ? "did not return " + name : "returned " + shown(observed) + " for " + name;
        String reason = "T%d asked for rows where %s and %s, where it should have seen %s"
                .formatted(history.txnId[txn], history.conditionText(op), saw, versionText(expectedSlot));
        int seen = row == TableHistory.NONE ? TableVersions.NOWHERE : versions.slotOfRead(row);
        List<Participant> participants = new ArrayList<>();
        participants.add(participant(txn, Role.READER));
        Long expectedWriter = null;
        if (expectedSlot >= 0) {
            expectedWriter = history.txnId[versions.txnOf[expectedSlot]];
            if (versions.txnOf[expectedSlot] != txn) {
                participants.add(participant(versions.txnOf[expectedSlot], Role.EXPECTED_WRITER));
            }
        }
        Long observedWriter = seen < 0 ? null : history.txnId[versions.txnOf[seen]];
        if (seen >= 0 && versions.txnOf[seen] != txn) {
            participants.add(participant(versions.txnOf[seen], Role.OBSERVED_WRITER));
        }
        long from = expectedWriter == null ? history.txnId[txn] : expectedWriter;
        Edge edge = new Edge(from, history.txnId[txn], "wr", name, expected, observed, evidence, reason);
        return finding(
                Anomaly.RESULT_SET_MISMATCH,
                level,
                name,
                participants,
                new Expectation(expected, expectedWriter, observed, observedWriter, null),
                List.of(edge));
    }

    private static Finding finding(
            Anomaly anomaly,
            IsolationLevel level,
            String key,
            List<Participant> participants,
            Expectation expectation,
            List<Edge> edges) {
        return new Finding(anomaly, null, level, ALGORITHM, key, participants, expectation, null, false, edges);
    }

    private Participant participant(int txn, Role role) {
        return new Participant(history.txnId[txn], role, history.startTs[txn], versions.commitTs(txn));
    }

    private static String shown(String row) {
        if (row == null) {
            return "no row";
        }
        return row.length() <= MAX_ROW_CHARS ? row : row.substring(0, MAX_ROW_CHARS) + "…";
    }

    /** A version with its writer. */
    private String versionText(int slot) {
        if (slot == TableVersions.UNBORN) {
            return "no row, as before its first version";
        }
        String row = history.valueText(versions.valueOf(slot));
        long writer = history.txnId[versions.txnOf[slot]];
        return row == null ? "no row, deleted by T" + writer : shown(row) + " of T" + writer;
    }

    // ---------------------------------------------------------------- timestamps

    private void snapshots() {
        IsolationLevel level = IsolationLevel.SNAPSHOT_ISOLATION;
        PredicateDoubts open = new PredicateDoubts();
        new TableReplay(history, versions, open, new ReplayFindings(level, true, "timestamp")).bySnapshots();
        timesInOrder(level);
        sessionsInOrder(level, false, true);
        conflicts(level);
        answers.put(level, new TableOutcome.Answer(true, open.first()));
    }

    private void timesInOrder(IsolationLevel level) {
        for (int txn = 0; txn < history.txnCount; txn++) {
            if (history.status[txn] == TxnStatus.COMMITTED && versions.commitTs(txn) < history.startTs[txn]) {
                String reason = "T%d starts at %d, after its commit at %d"
                        .formatted(history.txnId[txn], history.startTs[txn], versions.commitTs(txn));
                note(
                        level,
                        Anomaly.TIMESTAMP_ORDER,
                        finding(
                                Anomaly.TIMESTAMP_ORDER,
                                level,
                                null,
                                List.of(participant(txn, Role.SUBJECT)),
                                null,
                                List.of(edge(txn, txn, "ts", null, "timestamp", reason))));
            }
        }
    }

    private Edge edge(int from, int to, String type, String key, String evidence, String reason) {
        return new Edge(history.txnId[from], history.txnId[to], type, key, null, null, evidence, reason);
    }

    /** Committed transactions by session and position. */
    private int[] bySession() {
        Integer[] order = committed();
        java.util.Arrays.sort(
                order,
                Comparator.<Integer>comparingLong(txn -> history.sessionId[txn])
                        .thenComparingLong(txn -> history.sessionSeq[txn]));
        return unboxed(order);
    }

    private Integer[] committed() {
        List<Integer> committed = new ArrayList<>();
        for (int txn = 0; txn < history.txnCount; txn++) {
            if (history.status[txn] == TxnStatus.COMMITTED) {
                committed.add(txn);
            }
        }
        return committed.toArray(new Integer[0]);
    }

    private static int[] unboxed(Integer[] numbers) {
        int[] plain = new int[numbers.length];
        for (int i = 0; i < plain.length; i++) {
            plain[i] = numbers[i];
        }
        return plain;
    }

    /** @return how many transactions come too early */
    private long sessionsInOrder(IsolationLevel level, boolean isSerial, boolean isKept) {
        int[] order = bySession();
        long count = 0;
        for (int i = 1; i < order.length; i++) {
            int before = order[i - 1];
            int txn = order[i];
            if (history.sessionId[before] != history.sessionId[txn]) {
                continue;
            }
            long least = versions.commitTs(before);
            boolean isWrong = isSerial
                    ? versions.commitTs(txn) < least || versions.commitTs(txn) == least && versions.writes(txn)
                    : history.startTs[txn] < least;
            if (isWrong) {
                count++;
                if (isKept) {
                    String reason = "T%d follows T%d in its session, and %s at %d, before T%d commits at %d"
                            .formatted(
                                    history.txnId[txn],
                                    history.txnId[before],
                                    isSerial ? "commits" : "starts",
                                    isSerial ? versions.commitTs(txn) : history.startTs[txn],
                                    history.txnId[before],
                                    least);
                    note(
                            level,
                            Anomaly.SESSION,
                            finding(
                                    Anomaly.SESSION,
                                    level,
                                    null,
                                    List.of(participant(txn, Role.SUBJECT), participant(before, Role.PREVIOUS)),
                                    null,
                                    List.of(edge(before, txn, "so", null, "session", reason))));
                }
            }
        }
        return count;
    }

    private void conflicts(IsolationLevel level) {
        for (int key = 0; key < history.keyCount(); key++) {
            int from = versions.firstOf[key];
            int to = versions.firstOf[key + 1];
            List<Integer> writers = new ArrayList<>();
            for (int slot = from; slot < to; slot++) {
                if (versions.isFinal[slot] && history.status[versions.txnOf[slot]] == TxnStatus.COMMITTED) {
                    writers.add(versions.txnOf[slot]);
                }
            }
            writers.sort(
                    Comparator.<Integer>comparingLong(versions::commitTs).thenComparing(Comparator.naturalOrder()));
            for (int later = 1; later < writers.size(); later++) {
                for (int earlier = later - 1; earlier >= 0; earlier--) {
                    conflict(level, key, writers.get(earlier), writers.get(later));
                }
            }
        }
    }

    private void conflict(IsolationLevel level, int key, int earlier, int later) {
        boolean overlap = history.startTs[later] < versions.commitTs(earlier)
                || versions.commitTs(later) == versions.commitTs(earlier);
        boolean isJudged = history.startTs[earlier] <= versions.commitTs(earlier)
                && history.startTs[later] <= versions.commitTs(later);
        if (!overlap || !isJudged) {
            return;
        }
        String name = history.keyName(key);
        String reason =
                "T%d and T%d overlap and both wrote %s".formatted(history.txnId[earlier], history.txnId[later], name);
        note(
                level,
                Anomaly.NOCONFLICT,
                finding(
                        Anomaly.NOCONFLICT,
                        level,
                        name,
                        List.of(participant(earlier, Role.EARLIER_WRITER), participant(later, Role.LATER_WRITER)),
                        null,
                        List.of(edge(earlier, later, "ww", name, "timestamp", reason))));
    }

    /** Judges serializability by commit order; false if that is not the answer, and the graph of versions may be. */
    private boolean commitOrder() {
        IsolationLevel level = IsolationLevel.SERIALIZABLE;
        int[] order = byCommit();
        PredicateDoubts open = new PredicateDoubts();
        boolean isLast = !question.trustsVersions();
        ReplayFindings replayed = new ReplayFindings(level, isLast, "timestamp");
        new TableReplay(history, versions, open, replayed).serially(order);
        long wrong = replayed.count + sessionsInOrder(level, true, isLast);
        if (wrong == 0 || isLast) {
            answers.put(level, new TableOutcome.Answer(true, open.first()));
            return wrong > 0 || open.isEmpty() || isLast;
        }
        return false;
    }

    private long[] commitOrderIds() {
        int[] order = byCommit();
        long[] ids = new long[order.length];
        java.util.Arrays.setAll(ids, i -> history.txnId[order[i]]);
        return ids;
    }

    private int[] byCommit() {
        Integer[] sorted = new Integer[history.txnCount];
        java.util.Arrays.setAll(sorted, txn -> txn);
        java.util.Arrays.sort(
                sorted,
                Comparator.<Integer>comparingLong(versions::commitTs)
                        .thenComparing(txn -> !versions.writes(txn))
                        .thenComparingLong(txn -> history.startTs[txn])
                        .thenComparingLong(txn -> history.txnId[txn]));
        return unboxed(sorted);
    }

    private void givenOrder() {
        IsolationLevel level = IsolationLevel.SERIALIZABLE;
        PredicateDoubts open = new PredicateDoubts();
        long[] ids = question.serialOrder();
        if (ids == null && !versions.areTimestampsComplete) {
            open.add("committed transactions without timestamps have no place in their order", "order");
        }
        ids = ids == null ? commitOrderIds() : ids;
        boolean[] isPlaced = new boolean[history.txnCount];
        int[] order = new int[ids.length];
        int count = 0;
        for (long id : ids) {
            int txn = history.txnOfId(id);
            if (txn < 0) {
                open.add("order names a transaction that the history does not have: txn_id=" + id, "order");
            } else if (isPlaced[txn]) {
                open.add("order names a transaction twice: txn_id=" + id, "order");
            } else {
                isPlaced[txn] = true;
                order[count++] = txn;
            }
        }
        for (int txn = 0; txn < history.txnCount; txn++) {
            if (versions.counts[txn] && !isPlaced[txn]) {
                open.add("order leaves a committed transaction out", history.placeOf(txn));
            }
        }
        if (open.isEmpty()) {
            int[] whole = java.util.Arrays.copyOf(order, count);
            new TableReplay(history, versions, open, new ReplayFindings(level, true, "version")).serially(whole);
        }
        answers.put(level, new TableOutcome.Answer(false, open.first()));
    }

    // ---------------------------------------------------------------- versions

    /** A read that no dependency was made of. */
    private record DirectFault(Anomaly anomaly, Finding finding) {}

    private void versions(Set<IsolationLevel> open) {
        List<DirectFault> direct = new ArrayList<>();
        labels = TableGraph.of(history, versions, doubts, true, new DirectFaults(direct));
        own(direct);
        Digraph withoutSessions = labels.buildWithoutSessions();
        graph = labels.build(bySession());
        List<TableCycles.Cycle> cycles = new ArrayList<>();
        boolean isAcyclic = TableCycles.isAcyclic(graph);
        Map<TableCycles.Cycle, Digraph> graphOf = new HashMap<>();
        if (!isAcyclic) {
            for (TableCycles.Cycle cycle : new TableCycles(withoutSessions).find(false)) {
                cycles.add(cycle);
                graphOf.put(cycle, withoutSessions);
            }
            for (TableCycles.Cycle cycle : new TableCycles(graph).find(true)) {
                cycles.add(cycle);
                graphOf.put(cycle, graph);
            }
        }
        for (TableCycles.Cycle cycle : cycles) {
            anomalies.add(cycle.anomaly());
            keep(open, cycle.anomaly(), level -> cycleFinding(cycle, graphOf.get(cycle), level));
        }
        for (DirectFault fault : direct) {
            anomalies.add(fault.anomaly());
            keep(open, fault.anomaly(), level -> at(fault.finding(), level));
        }
        Digraph ordered = isAcyclic ? graph : TableCycles.isAcyclic(withoutSessions) ? withoutSessions : null;
        boolean isOrdered = ordered != null && direct.isEmpty() && doubts.isEmpty();
        String unproved = isOrdered ? replayOrder(ordered) : null;
        boolean isSerial = isOrdered && isAcyclic && unproved == null;
        for (IsolationLevel level : open) {
            answer(level, isSerial, unproved);
        }
    }

    private static Finding at(Finding found, IsolationLevel level) {
        return new Finding(
                found.anomaly(),
                found.pattern(),
                level,
                found.algorithm(),
                found.key(),
                found.participants(),
                found.expectation(),
                found.slack(),
                found.dependsOnUnknown(),
                found.edges());
    }

    private void keep(
            Set<IsolationLevel> open, Anomaly anomaly, java.util.function.Function<IsolationLevel, Finding> finding) {
        IsolationLevel weakest = LevelLattice.weakestRuledOut(anomaly, open);
        if (weakest == null) {
            return;
        }
        for (IsolationLevel level : open) {
            findings.count(level, anomaly, LevelLattice.rulesOut(anomaly, level) ? 1 : 0);
        }
        findings.countRows(1);
        Finding made = finding.apply(weakest);
        findings.keep(history.txnOfId(made.participants().get(0).txnId()), made);
    }

    /** Why the topological order proves nothing; null if it explains all that was seen. */
    private String replayOrder(Digraph ordered) {
        ReplayFindings replayed = new ReplayFindings(IsolationLevel.SERIALIZABLE, false, "version");
        PredicateDoubts open = new PredicateDoubts();
        new TableReplay(history, versions, open, replayed).serially(TableCycles.topologicalOrder(ordered));
        if (replayed.count > 0) {
            return "the order that versions give does not explain every value read: reads=" + replayed.count;
        }
        return open.first();
    }

    private void answer(IsolationLevel level, boolean isSerial, String unproved) {
        if (!findings.counts(level).isEmpty()) {
            answers.put(level, new TableOutcome.Answer(false, null));
            return;
        }
        boolean isOneOfSix = IsolationLevel.all().contains(level);
        if (isSerial && LevelLattice.implies(IsolationLevel.SERIALIZABLE, level)) {
            answers.put(level, new TableOutcome.Answer(false, null));
        } else if (!doubts.isEmpty()) {
            answers.put(level, new TableOutcome.Answer(false, doubts.first()));
        } else if (unproved != null) {
            answers.put(level, new TableOutcome.Answer(false, unproved));
        } else if (!isOneOfSix && !isRealTime(level) && LevelLattice.doubt(level) == null) {
            answers.put(level, new TableOutcome.Answer(false, null));
        } else {
            answers.put(
                    level,
                    new TableOutcome.Answer(
                            false,
                            isRealTime(level)
                                    ? "real time is not judged together with predicates"
                                    : "no anomaly that rules out " + level.longName()
                                            + " was found, and versions prove it only with serializability"));
        }
    }

    private static boolean isRealTime(IsolationLevel level) {
        return LevelLattice.needsRealTime(Set.of(level)) || level.longName().startsWith("strong-snapshot");
    }

    /** Reads of rows that the transaction itself wrote before. */
    private void own(List<DirectFault> direct) {
        for (int txn = 0; txn < history.txnCount; txn++) {
            if (history.status[txn] != TxnStatus.COMMITTED) {
                continue;
            }
            for (int op = history.firstOpOf[txn]; op < history.firstOpOf[txn + 1]; op++) {
                int own = OpKind.isRead(history.kind[op])
                        ? versions.ownBefore(txn, history.key[op], op)
                        : TableVersions.NOWHERE;
                if (own >= 0 && history.value[op] != versions.valueOf(own)) {
                    direct.add(new DirectFault(
                            Anomaly.INTERNAL, readFinding(null, Anomaly.INTERNAL, txn, op, own, "version", null)));
                }
            }
        }
    }

    /** Makes findings of what the graph could not take. */
    private final class DirectFaults implements TableGraph.Faults {

        private final List<DirectFault> to;

        DirectFaults(List<DirectFault> to) {
            this.to = to;
        }

        @Override
        public void oddRead(int txn, int op, int slot) {
            String key = history.keyName(history.key[op]);
            boolean isLook = !OpKind.isRead(history.kind[op]);
            if (slot >= 0) {
                String row = shown(history.valueText(versions.valueOf(slot)));
                String why = "T%d %s %s of %s, which T%d replaced itself"
                        .formatted(
                                history.txnId[txn],
                                isLook ? "looked at" : "read",
                                row,
                                key,
                                history.txnId[versions.txnOf[slot]]);
                to.add(new DirectFault(Anomaly.G1B, readFinding(null, Anomaly.G1B, txn, op, slot, "version", why)));
                return;
            }
            int aborted = abortedWriter(op);
            if (aborted >= 0) {
                String why = "T%d %s %s of %s, which T%d wrote and took back"
                        .formatted(
                                history.txnId[txn],
                                isLook ? "looked at" : "read",
                                isLook ? "a version" : shown(history.valueText(history.value[op])),
                                key,
                                history.txnId[aborted]);
                Finding read = readFinding(null, Anomaly.G1A, txn, op, TableVersions.UNBORN, "version", why);
                List<Participant> participants = new ArrayList<>(read.participants());
                participants.add(participant(aborted, Role.OBSERVED_WRITER));
                to.add(new DirectFault(
                        Anomaly.G1A, finding(Anomaly.G1A, null, key, participants, read.expectation(), read.edges())));
                return;
            }
            doubts.add("version read that nobody wrote: key=" + key, history.placeOf(txn));
        }

        @Override
        public void miss(int txn, int op, int key) {
            String name = history.keyName(key);
            String why = "T%d asked for rows where %s and did not get %s, of which every version matches"
                    .formatted(history.txnId[txn], history.conditionText(op), name);
            int first = versions.firstOf[key];
            List<Participant> participants = new ArrayList<>();
            participants.add(participant(txn, Role.READER));
            if (versions.txnOf[first] != txn) {
                participants.add(participant(versions.txnOf[first], Role.EXPECTED_WRITER));
            }
            String row = history.valueText(versions.valueOf(first));
            to.add(new DirectFault(
                    Anomaly.PREDICATE_READ_MISS,
                    finding(
                            Anomaly.PREDICATE_READ_MISS,
                            null,
                            name,
                            participants,
                            new Expectation(row, history.txnId[versions.txnOf[first]], null, null, null),
                            List.of(new Edge(
                                    history.txnId[versions.txnOf[first]],
                                    history.txnId[txn],
                                    "wr",
                                    name,
                                    row,
                                    null,
                                    "version",
                                    why)))));
        }

        @Override
        public void ownMissed(int txn, int op, int key, int own) {
            String name = history.keyName(key);
            String row = history.valueText(versions.valueOf(own));
            String why = "T%d asked for rows where %s and did not get %s of %s, which it wrote itself before"
                    .formatted(history.txnId[txn], history.conditionText(op), shown(row), name);
            long id = history.txnId[txn];
            to.add(new DirectFault(
                    Anomaly.INTERNAL,
                    finding(
                            Anomaly.INTERNAL,
                            null,
                            name,
                            List.of(participant(txn, Role.READER)),
                            new Expectation(row, id, null, null, null),
                            List.of(new Edge(id, id, "wr", name, row, null, "version", why)))));
        }

        @Override
        public void noMatch(int txn, int op, int row) {
            String why = "T%d asked for rows where %s and got %s of %s, which does not match"
                    .formatted(
                            history.txnId[txn],
                            history.conditionText(op),
                            shown(history.valueText(history.value[row])),
                            history.keyName(history.key[row]));
            to.add(new DirectFault(
                    Anomaly.GARBAGE_READ,
                    readFinding(null, Anomaly.GARBAGE_READ, txn, row, versions.slotOfRead(row), "version", why)));
        }

        /** By the number of the version if the read says one, else by its writer, else by the row. */
        private boolean isWhatWasRead(int op, int txn, int write) {
            if (history.version[op] != TableHistory.NO_NUMBER) {
                return history.version[write] == history.version[op];
            }
            return history.writer[op] != TableHistory.NO_NUMBER
                    ? history.writer[op] == history.txnId[txn]
                    : history.value[write] == history.value[op];
        }

        private int abortedWriter(int op) {
            for (int txn = 0; txn < history.txnCount; txn++) {
                if (history.status[txn] != TxnStatus.ABORTED) {
                    continue;
                }
                for (int write = history.firstOpOf[txn]; write < history.firstOpOf[txn + 1]; write++) {
                    if (TableVersions.isWrite(history.kind[write])
                            && history.key[write] == history.key[op]
                            && isWhatWasRead(op, txn, write)) {
                        return txn;
                    }
                }
            }
            return TableHistory.NONE;
        }
    }

    // ---------------------------------------------------------------- cycles

    private Finding cycleFinding(TableCycles.Cycle cycle, Digraph in, IsolationLevel level) {
        List<Participant> participants = new ArrayList<>();
        List<Edge> edges = new ArrayList<>();
        boolean isPredicate = false;
        for (int edge : cycle.edges()) {
            int from = in.tailOf(edge);
            int to = in.headOf[edge];
            participants.add(participant(from, Role.ON_CYCLE));
            edges.add(dependency(in, edge, from, to));
            isPredicate |= in.allows(edge, TableGraph.PREDICATE_RW);
        }
        String pattern = isPredicate ? "phantom" : null;
        return new Finding(cycle.anomaly(), pattern, level, ALGORITHM, null, participants, null, null, false, edges);
    }

    private Edge dependency(Digraph in, int edge, int from, int to) {
        long fromId = history.txnId[from];
        long toId = history.txnId[to];
        if (in.allows(edge, TableGraph.SESSION)) {
            return edge(from, to, "so", null, "session", "T%d follows T%d in its session".formatted(toId, fromId));
        }
        int label = in.labelOf[edge];
        int op = labels.opOf[label];
        int fromSlot = labels.fromSlotOf[label];
        int toSlot = labels.toSlotOf[label];
        int versionSlot = toSlot >= 0 ? toSlot : fromSlot;
        String key = history.keyName(history.key[versions.opOf[versionSlot]]);
        String before = history.valueText(versions.valueOf(fromSlot));
        String after = history.valueText(versions.valueOf(toSlot));
        String type;
        String reason;
        if (in.allows(edge, TableGraph.WW)) {
            type = "ww";
            reason = "T%d replaced %s of T%d by %s in %s".formatted(toId, shown(before), fromId, shown(after), key);
        } else if (in.allows(edge, TableGraph.WR)) {
            type = "wr";
            reason = "T%d read %s of %s, which T%d wrote".formatted(toId, shown(before), key, fromId);
        } else if (in.allows(edge, TableGraph.RW)) {
            type = "rw";
            reason = "T%d read %s of %s, which T%d then replaced by %s"
                    .formatted(fromId, shown(before), key, toId, shown(after));
        } else if (in.allows(edge, TableGraph.PREDICATE_WR)) {
            type = "wr";
            reason = "T%d looked for rows where %s, and the match of %s had changed with %s of T%d"
                    .formatted(toId, history.conditionText(op), key, shown(before), fromId);
        } else {
            type = "rw";
            reason = "T%d looked for rows where %s and saw %s of %s, and T%d changed the match with %s"
                    .formatted(fromId, history.conditionText(op), shown(before), key, toId, shown(after));
        }
        return new Edge(fromId, toId, type, key, before, after, "version", reason);
    }
}
