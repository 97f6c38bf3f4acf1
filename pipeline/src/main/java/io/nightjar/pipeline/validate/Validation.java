package io.nightjar.pipeline.validate;

import io.nightjar.formats.history.Column;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.ValueType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * All that is asked of every history before it is checked: one type of keys and of values, unique ids, unique positions
 * in sessions, and the facts that cheap lint rules follow from.
 *
 * <pre>
 *   Validation validation = new Validation(memoryBytes);
 *   do {
 *       for each slice, in row order, with at least validation.columns(): validation.add(slice);
 *   } while (validation.needsAnotherPass());
 * </pre>
 */
public final class Validation {

    private final TypeAgreement types = new TypeAgreement();
    private final UniqueIds ids;
    private final SessionRules sessions;
    private final HistoryFacts facts = new HistoryFacts();

    private boolean isFirstPass = true;
    private boolean areIdsOpen = true;
    private boolean areSessionsOpen = true;

    /** @param memoryBytes what may be kept at most, apart from a few kilobytes; less only means more passes */
    public Validation(long memoryBytes) {
        ids = new UniqueIds(memoryBytes / 2);
        sessions = new SessionRules(memoryBytes / 2);
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
     * Adds the next slice of the pass, which another thread has looked at.
     *
     * @param ofSlice {@link HistoryFacts#of} the slice; only the first pass needs it
     * @throws MalformedHistoryException naming both rows of a contradiction
     */
    public void add(HistorySlice slice, HistoryFacts ofSlice) {
        if (isFirstPass) {
            types.add(slice);
            facts.merge(ofSlice);
        }
        if (areIdsOpen) {
            ids.add(slice);
        }
        if (areSessionsOpen) {
            sessions.add(slice);
        }
    }

    /** Ends a pass; if it returns true, all slices are to be added again, bad rows passed over. */
    public boolean needsAnotherPass() {
        isFirstPass = false;
        // One contradiction is enough, and the pass may have been cut short: nothing else can be concluded from it.
        boolean isIdTwice = areIdsOpen && ids.isSettled();
        boolean isPositionTwice = areSessionsOpen && sessions.isSettled() && !isIdTwice;
        areIdsOpen = areIdsOpen && !isPositionTwice && ids.needsAnotherPass();
        areSessionsOpen = areSessionsOpen && !isIdTwice && sessions.needsAnotherPass();
        return areIdsOpen || areSessionsOpen;
    }

    /** The columns that the pass to come looks at, besides those that are always read. */
    public Set<Column> columns() {
        if (isFirstPass) {
            return EnumSet.complementOf(EnumSet.of(Column.EXTRA));
        }
        return areSessionsOpen && sessions.needsAllColumns()
                ? EnumSet.of(Column.TIMESTAMPS, Column.CLIENT_TIMES, Column.OPERATIONS)
                : EnumSet.noneOf(Column.class);
    }

    /** Whether a contradiction is known and only its rows are missing, so that the rest of this pass may be left out. */
    public boolean isSettled() {
        return areIdsOpen && ids.isSettled() || areSessionsOpen && sessions.isSettled();
    }

    public HistoryFacts facts() {
        return facts;
    }

    public ValueType keyType() {
        return types.keyType();
    }

    public ValueType valueType() {
        return types.valueType();
    }

    /** Valid after the last pass. */
    public long sessionCount() {
        return sessions.sessionCount();
    }

    /** The cheap lint findings in the order of rule ids; valid after the last pass. */
    public List<LintFinding> findings() {
        List<LintFinding> findings = new ArrayList<>(HistoryLint.findings(facts));
        findings.addAll(sessions.findings());
        findings.sort(Comparator.comparing(LintFinding::ruleId));
        return findings;
    }
}
