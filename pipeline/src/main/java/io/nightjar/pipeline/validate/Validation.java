package io.nightjar.pipeline.validate;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.ValueType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Validation of every history before its check: one type of keys and of values, unique ids, unique positions in
 * sessions, and the facts for cheap lint rules.
 *
 * <pre>
 *   Validation validation = new Validation(memoryBytes);
 *   do {
 *       for each slice, in row order, with at least validation.columns(): validation.add(slice);
 *   } while (validation.needsAnotherPass());
 * </pre>
 */
public final class Validation implements ValidationResult {

    /*
     * Sessions that do not fit are processed a few at a time. Reading all rows in every pass would multiply the time by
     * the number of passes, so the caller may partition the rows by {@link #partitionOf} of their session instead, and
     * provide each pass only with its partitions:
     *
     *   while (validation.needsAnotherPass()) {
     *       if (validation.areSessionsSplit()) {
     *           the first time: partition the rows, with columns(); validation.partitionedByBits(bits);
     *           if (validation.areIdsOpen()) for each slice: validation.addIds(slice);
     *           for each partition with looksAt(partition): for each slice of it, in row order: validation.addSessions(slice);
     *       } else as above
     *   }
     */

    /** Rows are partitioned into at most 2 to the power of this many partitions. */
    public static final int MAX_PARTITION_BITS = 11;

    private final TypeAgreement types = new TypeAgreement();
    private final UniqueIds ids;
    private final SessionRules sessions;
    private final HistoryFacts facts = new HistoryFacts();
    private final CommitDisorder disorder = new CommitDisorder();

    private int announcedBits;
    private boolean isFirstPass = true;
    private boolean areIdsOpen = true;
    private boolean areSessionsOpen = true;

    /** @param memoryBytes memory limit, apart from a few kilobytes; a smaller one only causes more passes */
    public Validation(long memoryBytes) {
        this(memoryBytes, false);
    }

    private Validation(long memoryBytes, boolean areUnique) {
        ids = new UniqueIds(memoryBytes / 2);
        sessions = new SessionRules(memoryBytes / 2, areUnique);
        areIdsOpen = !areUnique;
    }

    /** Makes a validation of rows whose ids and positions are known to occur once: one pass is enough if sessions fit into memory. */
    public static Validation ofUnique(long memoryBytes) {
        return new Validation(memoryBytes, true);
    }

    /**
     * Adds the next slice of the pass.
     *
     * @throws MalformedHistoryException naming both rows of a contradiction
     */
    public void add(HistorySlice slice) {
        add(slice, isFirstPass ? HistoryFacts.of(slice) : null);
    }

    /**
     * Adds the next slice of the pass, with facts computed by another thread.
     *
     * @param ofSlice {@link HistoryFacts#of} the slice; only the first pass needs it
     * @throws MalformedHistoryException naming both rows of a contradiction
     */
    public void add(HistorySlice slice, @Nullable HistoryFacts ofSlice) {
        if (isFirstPass) {
            types.add(slice);
            facts.merge(requireNonNull(ofSlice));
            disorder.add(slice);
        }
        addIds(slice);
        addSessions(slice);
    }

    /** Adds the next slice for its ids alone. */
    public void addIds(HistorySlice slice) {
        if (areIdsOpen) {
            ids.add(slice);
        }
    }

    /** Adds the next slice for its sessions alone. */
    public void addSessions(HistorySlice slice) {
        if (areSessionsOpen) {
            sessions.add(slice);
        }
    }

    /** Returns whether the next pass requires ids. */
    public boolean areIdsOpen() {
        return areIdsOpen;
    }

    /** Returns whether sessions did not fit, so that each further pass processes only some of them. */
    public boolean areSessionsSplit() {
        return areSessionsOpen && sessions.areSplit();
    }

    /** Returns the number of bits that partition the sessions so that most partitions fit, as estimated beforehand. */
    public int bitsThatFit() {
        return sessions.bitsThatFit(facts.txnCount());
    }

    /** Returns the partition that the rows of a session belong to. */
    public static int partitionOf(long sessionId, int partitionBits) {
        return (int) (HashPasses.hash(sessionId) & (1L << partitionBits) - 1);
    }

    /**
     * Announces that rows have been partitioned by the given number of bits: each further pass should process at most
     * one partition.
     */
    public void partitionedByBits(int partitionBits) {
        sessions.refine(partitionBits);
        announcedBits = partitionBits;
    }

    /** Returns whether the next pass processes sessions of a partition. */
    public boolean looksAt(int partition) {
        return areSessionsOpen && sessions.looksAt(partition, announcedBits);
    }

    /** Ends a pass; if it returns true, all slices are to be added again, skipping malformed rows. */
    public boolean needsAnotherPass() {
        isFirstPass = false;
        // One contradiction is enough, and the pass may have been cut short: nothing else can be concluded from it.
        boolean isIdTwice = areIdsOpen && ids.isSettled();
        boolean isPositionTwice = areSessionsOpen && sessions.isSettled() && !isIdTwice;
        areIdsOpen = areIdsOpen && !isPositionTwice && ids.needsAnotherPass();
        areSessionsOpen = areSessionsOpen && !isIdTwice && sessions.needsAnotherPass();
        return areIdsOpen || areSessionsOpen;
    }

    /** Returns the columns that the next pass requires, in addition to the columns that are always read. */
    public Set<ColumnGroup> columns() {
        if (isFirstPass) {
            return EnumSet.complementOf(EnumSet.of(ColumnGroup.EXTRA));
        }
        return areSessionsOpen && sessions.needsAllColumns()
                ? EnumSet.of(ColumnGroup.TIMESTAMPS, ColumnGroup.CLIENT_TIMES, ColumnGroup.OPERATIONS)
                : EnumSet.noneOf(ColumnGroup.class);
    }

    /**
     * Returns whether a contradiction is known and only its rows are missing, so that the rest of this pass may be
     * skipped.
     */
    public boolean isSettled() {
        return areIdsOpen && ids.isSettled() || areSessionsOpen && sessions.isSettled();
    }

    @Override
    public HistoryFacts facts() {
        return facts;
    }

    @Override
    public ValueType keyType() {
        return types.keyType();
    }

    @Override
    public ValueType valueType() {
        return types.valueType();
    }

    @Override
    public long sessionCount() {
        return sessions.sessionCount();
    }

    @Override
    public List<LintFinding> findings() {
        return findings(facts, sessions.tally(), disorder);
    }

    static List<LintFinding> findings(HistoryFacts facts, SessionLint sessions, CommitDisorder disorder) {
        List<LintFinding> findings = new ArrayList<>(HistoryLint.findings(facts));
        findings.addAll(sessions.findings());
        findings.addAll(HistoryLint.oneSession(facts, sessions.sessionCount()));
        findings.addAll(disorder.findings());
        findings.sort(Comparator.comparing(LintFinding::ruleId));
        return findings;
    }
}
