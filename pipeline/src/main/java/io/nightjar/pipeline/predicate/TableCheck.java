package io.nightjar.pipeline.predicate;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.SetsFields;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.EdgeEvidence;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.LevelLattice;
import io.nightjar.pipeline.check.Findings;
import io.nightjar.pipeline.infer.SharedVersion;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides levels of a history of tables: from timestamps by replays, from versions by the graph of dependencies,
 * predicates included.
 *
 * <p>Show every whole slice with {@link #add}, then call {@link #check}. One thread.
 */
public final class TableCheck {

    /** Name of this check in {@link Finding#algorithm}. */
    public static final String ALGORITHM = Finding.OF_TABLES;

    private static final String VERSIONS_AGAINST_COMMITS =
            "version numbers contradict the order of commit timestamps, so that these do not order the versions of rows;"
                    + " --evidence versions uses the numbers";

    private final TableHistory history;
    private final @Nullable TableLane lane; // null if the whole history is checked
    private final Findings findings;
    private final Map<IsolationLevel, TableOutcome.Answer> answers = new EnumMap<>(IsolationLevel.class);
    private final Set<Anomaly> anomalies = EnumSet.noneOf(Anomaly.class);
    private boolean placesSnapshots;
    private TableCheckRequest question;
    private TableVersions versions;
    private TableFindings made;
    private OmittedRows leftOut; // null until snapshots are replayed
    private @Nullable SharedVersion shared; // for which versions were no evidence
    private int @Nullable [] proof; // an order that explains all that was seen; null if none is known

    /** @param findingLimit how many findings are kept */
    public TableCheck(int findingLimit) {
        this(findingLimit, null);
    }

    /**
     * @param lane the only lane to check, for the questions that {@link TableLanes} allows; null for the whole history
     */
    public TableCheck(int findingLimit, @Nullable TableLane lane) {
        this.findings = new Findings(findingLimit);
        this.history = new TableHistory(lane);
        this.lane = lane;
    }

    /** @param value value that reads may return for the initial state besides no row; null if none */
    public void initialValue(@Nullable String value) {
        history.initialValue = value;
    }

    /** Adds a whole slice, in the order of the rows. */
    public void add(HistorySlice slice) {
        history.add(slice);
    }

    /** Uses commit timestamps as an order, and searches for start timestamps that explain the reads. */
    public TableCheck placingSnapshots() {
        placesSnapshots = true;
        return this;
    }

    /** Bytes held, about. */
    public long byteSize() {
        return history.byteSize();
    }

    /** Bytes that every lane holds, about: transactions and predicate reads are in all of them. */
    public static long minBytes(long txnCount, long predicateCount) {
        return TableHistory.minBytes(txnCount, predicateCount);
    }

    /** Decides the levels that can be decided; other levels get no answer. */
    @SetsFields
    public TableOutcome check(TableCheckRequest asked) {
        question = asked;
        history.finish();
        versions = new TableVersions(history);
        made = new TableFindings(history, versions);
        if (placesSnapshots && versions.areTimestampsComplete) {
            new SnapshotPlacement(history, versions).place();
        }
        boolean isRefused = placesSnapshots && versions.areAgainstCommits(); // the order that is tried
        if (isRefused || lane != null && history.hasAnswers()) {
            return outcome(); // without one
        }
        boolean byTime = question.trustsTimestamps() && versions.areTimestampsComplete;
        Set<IsolationLevel> open = EnumSet.noneOf(IsolationLevel.class);
        open.addAll(question.levels());
        if (question.isOrderGiven() && open.remove(IsolationLevel.SERIALIZABLE)) {
            givenOrder();
        }
        if (byTime && open.remove(IsolationLevel.SNAPSHOT_ISOLATION)) {
            snapshots();
        }
        boolean asksCommitOrder = open.remove(IsolationLevel.COMMIT_ORDER_SERIALIZABLE);
        if (byTime && (asksCommitOrder || open.contains(IsolationLevel.SERIALIZABLE))) {
            commitOrder(asksCommitOrder, open);
        }
        if (lane != null) {
            return outcome();
        }
        if (byTime && !question.trustsVersions() && open.contains(IsolationLevel.SERIALIZABLE)) {
            dependenciesByCommit();
        }
        if (question.trustsVersions() && !open.isEmpty()) {
            VersionCheck check = new VersionCheck(history, versions, made, findings, leftOut);
            check.check(open);
            anomalies.addAll(check.anomalies());
            answers.putAll(check.answers());
            shared = versions.shared();
            proof = proof == null ? check.order() : proof;
        }
        if (byTime) {
            weakerThanSnapshots();
        }
        return outcome();
    }

    private TableOutcome outcome() {
        long[] order = proof == null ? null : ids(proof);
        String malformed = MalformedReads.first(history, versions);
        TableOutcome outcome =
                new TableOutcome(findings, answers, anomalies, history.keyCount(), order, malformed, null, shared);
        boolean isAsked = lane == null && question.trustsTimestamps() && versions.areTimestampsComplete;
        boolean isOpen = question.levels().stream()
                .anyMatch(level -> findings.counts(level).isEmpty() && !outcome.isReplayed(level));
        String contradicted =
                isAsked && isOpen && history.saysReadTs ? StatementSnapshots.first(history, versions) : null;
        return new TableOutcome(
                findings, answers, anomalies, history.keyCount(), order, malformed, contradicted, shared);
    }

    /** Returns the ids of the transactions that count. */
    private long[] ids(int[] order) {
        return Arrays.stream(order)
                .filter(txn -> versions.counts[txn])
                .mapToLong(txn -> history.txnId[txn])
                .toArray();
    }

    /** Returns whether this check covers rules on whole transactions, independent of their operations. */
    private boolean judgesTransactions() {
        return lane == null || lane.isFirst();
    }

    // ---------------------------------------------------------------- replays

    /** Mismatches of one level: all counted, and retained if they decide the level. */
    private final class Mismatches implements TableReplay.Mismatches, TimestampRules.Breaks {

        private final IsolationLevel level;
        private final boolean isKept;
        private final EdgeEvidence evidence;
        private final OmittedRows leftOut = new OmittedRows();
        private final int[] externalIn = new int[history.keyCount()]; // by key, the transaction reported last, plus one
        private final int[] internalIn = new int[history.keyCount()];
        private long count;

        Mismatches(IsolationLevel level, boolean isKept, EdgeEvidence evidence) {
            this.level = level;
            this.isKept = isKept;
            this.evidence = evidence;
        }

        @Override
        public void add(Anomaly anomaly, int txn, Supplier<Finding> finding) {
            count++;
            if (isKept) {
                findings.count(level, anomaly, 1);
                findings.countRows(1);
                if (!findings.isPast(txn, anomaly)) {
                    findings.keep(txn, finding.get());
                }
            }
        }

        private void add(RowFault fault) {
            add(fault.anomaly(), fault.txn(), () -> made.of(fault, level, evidence));
        }

        @Override
        public void read(int txn, int op, int expectedSlot, boolean isOwn) {
            if (isFirst(isOwn ? internalIn : externalIn, txn, op)) {
                Anomaly anomaly = isOwn ? Anomaly.INT : Anomaly.EXT;
                int key = history.key[op];
                add(new RowFault(anomaly, txn, key, op, expectedSlot, TableHistory.NONE, null));
            }
        }

        @Override
        public void repeated(int txn, int op, int before) {
            if (isFirst(internalIn, txn, op)) {
                add(Anomaly.INT, txn, () -> made.repeatedFinding(level, txn, op, before, evidence));
            }
        }

        /** Returns whether nothing has been reported for a transaction and key yet. */
        private boolean isFirst(int[] reportedIn, int txn, int op) {
            boolean isFirst = reportedIn[history.key[op]] != txn + 1;
            reportedIn[history.key[op]] = txn + 1;
            return isFirst;
        }

        @Override
        public void result(int txn, int op, int key, int expectedSlot, int row) {
            leftOut.result(txn, op, key, expectedSlot, row);
            add(new RowFault(Anomaly.RESULT_SET_MISMATCH, txn, key, row, expectedSlot, op, null));
        }

        @Override
        public boolean isEnough() {
            return !isKept && count > 0;
        }

        @Override
        public void answer(int txn, int op, String expected) {
            add(Anomaly.RESULT_SET_MISMATCH, txn, () -> made.answer(level, txn, op, expected, evidence));
        }
    }

    @SetsFields
    private void snapshots() {
        IsolationLevel level = IsolationLevel.SNAPSHOT_ISOLATION;
        UndecidedReasons open = new UndecidedReasons();
        Mismatches to = new Mismatches(level, true, EdgeEvidence.TIMESTAMP);
        leftOut = to.leftOut;
        new TableReplay(history, versions, open, to).bySnapshots();
        TimestampRules rules = new TimestampRules(history, versions, made, level, to);
        if (judgesTransactions()) {
            rules.timesInOrder();
            rules.sessionsInOrder(false);
        }
        rules.conflicts(open);
        answers.put(level, new TableOutcome.Answer(true, to.count > 0 ? null : snapshotDoubt(open), false));
        countPartly(level, open);
    }

    /** Returns why replays that found nothing do not prove snapshot isolation; null if they do. */
    private @Nullable String snapshotDoubt(UndecidedReasons open) {
        if (!open.isEmpty() || !question.crossChecks() || !question.trustsVersions()) {
            return open.first();
        }
        String difference = StartDependencyCheck.difference(history, versions);
        return difference == null ? null : "timestamps and the graph of versions do not agree: " + difference;
    }

    /** Lets weaker levels hold where snapshot isolation does, deletions and predicate reads included. */
    private void weakerThanSnapshots() {
        Set<IsolationLevel> rest = EnumSet.noneOf(IsolationLevel.class);
        for (IsolationLevel level : question.levels()) {
            boolean isWeaker = level != IsolationLevel.SNAPSHOT_ISOLATION
                    && IsolationLevel.all().contains(level)
                    && LevelLattice.implies(IsolationLevel.SNAPSHOT_ISOLATION, level);
            TableOutcome.Answer answer = answers.get(level);
            boolean isOpen = answer == null || answer.doubt() != null;
            if (isWeaker && isOpen && findings.counts(level).isEmpty()) {
                rest.add(level);
            }
        }
        if (!rest.isEmpty() && areSnapshots()) {
            rest.forEach(level -> answers.put(level, new TableOutcome.Answer(true, null, false)));
        }
    }

    private boolean areSnapshots() {
        IsolationLevel level = IsolationLevel.SNAPSHOT_ISOLATION;
        if (answers.containsKey(level)) {
            return answers.get(level).isByTimestamps()
                    && answers.get(level).doubt() == null
                    && findings.counts(level).isEmpty();
        }
        UndecidedReasons open = new UndecidedReasons();
        Mismatches silent = new Mismatches(level, false, EdgeEvidence.TIMESTAMP);
        new TableReplay(history, versions, open, silent).bySnapshots();
        TimestampRules rules = new TimestampRules(history, versions, made, level, silent);
        rules.timesInOrder();
        rules.sessionsInOrder(false);
        rules.conflicts(open);
        return silent.count == 0 && open.isEmpty();
    }

    /**
     * Replays the order of commit timestamps: it may be requested as a level, and proves serializability if it explains
     * all reads.
     *
     * @param isAsked whether the level was requested, so that mismatches are findings
     * @param levels the levels not yet decided
     */
    private void commitOrder(boolean isAsked, Set<IsolationLevel> levels) {
        IsolationLevel level = IsolationLevel.COMMIT_ORDER_SERIALIZABLE;
        UndecidedReasons doubts = new UndecidedReasons();
        Mismatches to = new Mismatches(level, isAsked, EdgeEvidence.TIMESTAMP);
        int[] order = TransactionOrders.byCommit(history, versions);
        new TableReplay(history, versions, doubts, to).serially(order);
        if (judgesTransactions()) {
            new TimestampRules(history, versions, made, level, to).sessionsInOrder(true);
        }
        proof = to.count == 0 && doubts.isEmpty() ? order : proof;
        if (isAsked) {
            answers.put(level, new TableOutcome.Answer(true, to.count > 0 ? null : doubts.first(), false));
            countPartly(level, doubts);
        }
        boolean isLast = !question.trustsVersions();
        if (!levels.contains(IsolationLevel.SERIALIZABLE) || to.count > 0 && lane != null) {
            return;
        }
        if (to.count == 0) {
            answers.put(IsolationLevel.SERIALIZABLE, new TableOutcome.Answer(true, doubts.first(), false));
        }
        if (to.count == 0 && (isLast || doubts.isEmpty())) {
            levels.remove(IsolationLevel.SERIALIZABLE);
        }
    }

    /** Decides serializability by the dependencies in the order of versions that commit timestamps give. */
    private void dependenciesByCommit() {
        IsolationLevel level = IsolationLevel.SERIALIZABLE;
        if (versions.areAgainstCommits()) {
            answers.put(level, new TableOutcome.Answer(true, VERSIONS_AGAINST_COMMITS, false));
            return;
        }
        VersionCheck check = new VersionCheck(history, versions, made, findings, leftOut);
        check.check(EnumSet.of(level));
        anomalies.addAll(check.anomalies());
        answers.put(
                level,
                new TableOutcome.Answer(
                        true, requireNonNull(check.answers().get(level)).doubt(), false));
        proof = proof == null ? check.order() : proof;
    }

    private void givenOrder() {
        IsolationLevel level = IsolationLevel.SERIALIZABLE;
        UndecidedReasons open = new UndecidedReasons();
        long[] ids = question.serialOrder();
        if (ids == null && !versions.areTimestampsComplete) {
            open.add("committed transactions without timestamps have no position in their order", "order");
        }
        int[] order = ids == null ? TransactionOrders.byCommit(history, versions) : named(ids, open);
        Mismatches to = new Mismatches(level, true, EdgeEvidence.VERSION);
        if (open.isEmpty()) {
            new TableReplay(history, versions, open, to).serially(order);
            if (to.count == 0) {
                checkSessions(order, open);
            }
        }
        proof = to.count == 0 && open.isEmpty() ? order : null;
        answers.put(level, new TableOutcome.Answer(false, open.first(), false));
        countPartly(level, open);
    }

    /** Checks that an order that explains all reads keeps session order; otherwise it proves nothing. */
    private void checkSessions(int[] order, UndecidedReasons open) {
        int[] positionOf = new int[history.txnCount];
        for (int position = 0; position < order.length; position++) {
            positionOf[order[position]] = position;
        }
        int before = -1; // the last transaction that counts
        for (int txn : TransactionOrders.bySession(history)) {
            if (!versions.counts[txn]) {
                continue;
            }
            boolean isFirst = before < 0 || history.sessionId[before] != history.sessionId[txn];
            if (!isFirst && positionOf[txn] < positionOf[before]) {
                open.add("given order breaks session order", history.locationOf(txn));
            }
            before = txn;
        }
    }

    private void countPartly(IsolationLevel level, UndecidedReasons open) {
        if (!open.isEmpty()) {
            findings.countPartly(level);
        }
    }

    /** Returns the transactions that an order names, each once and all that count. */
    private int[] named(long[] ids, UndecidedReasons open) {
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
                open.add("order leaves a committed transaction out", history.locationOf(txn));
            }
        }
        return Arrays.copyOf(order, count);
    }
}
