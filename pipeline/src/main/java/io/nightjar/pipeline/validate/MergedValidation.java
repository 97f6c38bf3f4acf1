package io.nightjar.pipeline.validate;

import io.nightjar.formats.history.ValueType;
import java.util.List;

/**
 * Merger of the results of splits and partitions of a history into the result that {@link Validation} would have for
 * all of it, unless it is in doubt: then the history has, or may have, a contradiction, which only its rows in order
 * identify.
 */
public final class MergedValidation implements ValidationResult {

    private final HistoryFacts facts = new HistoryFacts();
    private final TypeAgreement types = new TypeAgreement();
    private final CommitDisorder disorder = new CommitDisorder();
    private final PartitionAnswer partitions = PartitionAnswer.ofNothing();
    private boolean areTypesMixed;

    /** Adds the facts of the next split, in the order of the rows. */
    public void add(SplitFacts split) {
        facts.merge(split.facts);
        areTypesMixed |= split.areTypesMixed || !types.merge(split.types);
    }

    /** Adds the next rows that committed, in their order. */
    public void add(CommittedRows rows) {
        disorder.add(rows);
    }

    /** Adds the results of partitions, in any order. */
    public void add(PartitionAnswer some) {
        partitions.merge(some);
    }

    /** Returns whether the result requires a {@link Validation}. */
    public boolean isInDoubt() {
        return areTypesMixed || partitions.isInDoubt();
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
        return partitions.sessions().sessionCount();
    }

    @Override
    public List<LintFinding> findings() {
        return Validation.findings(facts, partitions.sessions(), disorder);
    }
}
