package io.nightjar.pipeline.validate;

import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.MalformedHistoryException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Complete inspection of a history without checking levels: {@link Validation}, a profile, and the lint rules that
 * compare values.
 *
 * <pre>
 *   Inspection inspection = new Inspection(initialValue, memoryBytes);
 *   do {
 *       for each slice, in row order, with at least inspection.columns(): inspection.add(slice);
 *   } while (inspection.needsAnotherPass());
 * </pre>
 *
 * The accessors are valid after the last pass.
 */
public final class Inspection {

    private final Validation validation;
    private final OperationSpread spread = new OperationSpread();
    private final KeyProfile keys;
    private final ValueRules values;
    private final CommitTies ties;
    private final VersionTies numbers;

    private boolean isFirstPass = true;
    private boolean isValidationOpen = true;
    private boolean areKeysOpen = true;
    private boolean areValuesOpen = true;
    private boolean areTiesOpen = true;
    private boolean areNumbersOpen = true;
    private int passCount;

    /**
     * @param initialText the value that means the initial state as null does, as text; or null
     * @param memoryBytes memory limit; a smaller one causes more passes, and a sample of the values if it is far too
     *     small
     */
    public Inspection(@Nullable String initialText, long memoryBytes) {
        this(initialText, memoryBytes, ValueRules.DEFAULT_MAX_PASSES);
    }

    Inspection(@Nullable String initialText, long memoryBytes, int maxValuePasses) {
        validation = new Validation(memoryBytes / 4);
        keys = new KeyProfile(memoryBytes / 4);
        values = new ValueRules(initialText, memoryBytes / 8 * 3, maxValuePasses);
        ties = new CommitTies(memoryBytes / 16);
        numbers = new VersionTies(memoryBytes / 16);
    }

    /**
     * Adds the next slice of the pass.
     *
     * @throws MalformedHistoryException naming both rows of a contradiction
     */
    public void add(HistorySlice slice) {
        if (isValidationOpen) {
            validation.add(slice);
        }
        if (validation.isSettled()) {
            return;
        }
        if (isFirstPass) {
            spread.add(slice);
        }
        if (areKeysOpen) {
            keys.add(slice);
        }
        if (areValuesOpen) {
            values.add(slice);
        }
        if (areTiesOpen) {
            ties.add(slice);
        }
        if (areNumbersOpen) {
            numbers.add(slice);
        }
    }

    /** Ends a pass; if it returns true, all slices are to be added again, skipping malformed rows. */
    public boolean needsAnotherPass() {
        passCount++;
        isFirstPass = false;
        boolean isRejected = validation.isSettled();
        isValidationOpen = isValidationOpen && validation.needsAnotherPass();
        areKeysOpen = areKeysOpen && !isRejected && keys.needsAnotherPass();
        areValuesOpen = areValuesOpen && !isRejected && values.needsAnotherPass();
        areTiesOpen = areTiesOpen && !isRejected && ties.needsAnotherPass();
        areNumbersOpen = areNumbersOpen && !isRejected && numbers.needsAnotherPass();
        return isValidationOpen || areKeysOpen || areValuesOpen || areTiesOpen || areNumbersOpen;
    }

    /** Returns the columns that the next pass requires, in addition to the columns that are always read. */
    public Set<ColumnGroup> columns() {
        Set<ColumnGroup> columns = EnumSet.noneOf(ColumnGroup.class);
        if (isValidationOpen) {
            columns.addAll(validation.columns());
        }
        if (areKeysOpen || areValuesOpen || areTiesOpen || areNumbersOpen) {
            columns.add(ColumnGroup.OPERATIONS);
        }
        if (areNumbersOpen) {
            columns.add(ColumnGroup.VERSIONS);
        }
        if (areTiesOpen) {
            columns.add(ColumnGroup.TIMESTAMPS);
        }
        return columns;
    }

    /** Returns whether only the rows of a contradiction are missing, so that the rest of this pass may be skipped. */
    public boolean isSettled() {
        return validation.isSettled();
    }

    public int passCount() {
        return passCount;
    }

    public Validation validation() {
        return validation;
    }

    public HistoryFacts facts() {
        return validation.facts();
    }

    public OperationSpread spread() {
        return spread;
    }

    public KeyProfile keys() {
        return keys;
    }

    public ValueRules values() {
        return values;
    }

    public CommitTies ties() {
        return ties;
    }

    /** Returns the evidence of the history. */
    public List<Capability> capabilities() {
        return Capabilities.of(
                facts(),
                keys.keyCount(KeyProfile.Model.MIXED),
                keys.keyCount(KeyProfile.Model.LIST),
                values.duplicateWriteCount(),
                values.comparedShare());
    }

    /** Returns all lint findings in the order of rule ids. */
    public List<LintFinding> findings() {
        List<LintFinding> findings = new ArrayList<>(validation.findings());
        findings.addAll(keys.findings(facts()));
        findings.addAll(values.findings());
        findings.addAll(ties.findings());
        findings.addAll(numbers.findings());
        findings.sort(Comparator.comparing(LintFinding::ruleId));
        return findings;
    }
}
