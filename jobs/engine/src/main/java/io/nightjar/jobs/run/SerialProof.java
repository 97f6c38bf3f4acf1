package io.nightjar.jobs.run;

import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.run.CheckOptions.Evidence;
import io.nightjar.pipeline.decide.ValueOutcome;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The decision of serializability if timestamps do not prove it by the order of commits.
 *
 * @param dependencies outcome of the dependencies in the order of versions that commit timestamps give; null if they
 * were not checked
 */
public record SerialProof(Kind kind, @Nullable ValueOutcome dependencies) {

    /** The deciding evidence. */
    public enum Kind {
        /** No evidence was tried, or none proves it. */
        NONE,
        /** Neither the order of commits nor that of positions proves it. */
        OPEN,
        /** The order of commits explains every read. */
        COMMITS,
        /** An order that moves transactions in front of versions that they missed explains every read. */
        POSITIONS,
        /** Dependencies have no cycle, which was found without a whole order. */
        ACYCLIC,
        /** The dependencies, in the order of versions that commit timestamps give. */
        DEPENDENCIES,
        /** These dependencies do not fit into memory. */
        UNFIT,
        /** Versions or values. */
        VALUES
    }

    private static final IsolationLevel LEVEL = IsolationLevel.SERIALIZABLE;
    private static final Set<Anomaly> UNNAMED = EnumSet.of(Anomaly.COMMIT_ORDER_CYCLE, Anomaly.NO_SERIAL_ORDER);

    public static final SerialProof NONE = new SerialProof(Kind.NONE, null);
    public static final SerialProof OPEN = new SerialProof(Kind.OPEN, null);
    public static final SerialProof COMMITS = new SerialProof(Kind.COMMITS, null);
    public static final SerialProof ACYCLIC = new SerialProof(Kind.ACYCLIC, null);
    public static final SerialProof POSITIONS = new SerialProof(Kind.POSITIONS, null);

    public SerialProof {
        if (kind == Kind.DEPENDENCIES) {
            Objects.requireNonNull(dependencies);
        }
    }

    /**
     * Returns the deciding evidence if the order of positions proves nothing. With automatic evidence, values are
     * checked unless the dependencies prove the level, or a cycle rules it out even if timestamps are wrong: others
     * depend on a version order that no client observed.
     *
     * @param dependencies null if they do not fit into memory
     */
    public static SerialProof of(@Nullable ValueOutcome dependencies, Evidence evidence) {
        if (evidence == Evidence.AUTO) {
            boolean isDecided = dependencies != null
                    && (dependencies.orders().areChecked()
                            || dependencies.basis().hasObservedCycle());
            return new SerialProof(isDecided ? Kind.DEPENDENCIES : Kind.VALUES, dependencies);
        }
        return new SerialProof(dependencies == null ? Kind.UNFIT : Kind.DEPENDENCIES, dependencies);
    }

    /** Returns whether dependencies are a proof or a violation. */
    public static boolean isDecision(@Nullable ValueOutcome dependencies) {
        return dependencies != null && (dependencies.orders().areChecked() || isViolated(dependencies));
    }

    /**
     * Returns the deciding evidence after a check by values: the cycle, if values leave the level undecided, or if they
     * decide no other level and violate it by a search, which neither counts nor names cycles.
     *
     * @param values their outcome; null if they were not checked
     * @param areValuesUnfit whether some of them do not fit into memory
     * @param isOnlyLevel whether values were checked for serializability only
     */
    public SerialProof after(@Nullable ValueOutcome values, boolean areValuesUnfit, boolean isOnlyLevel) {
        boolean isOpen = values == null || !isViolated(values) && (areValuesUnfit || values.doubt(LEVEL) != null);
        boolean isConfirmed = isOnlyLevel && values != null && confirms(values);
        return kind == Kind.VALUES && dependencies != null && isViolated(dependencies) && (isOpen || isConfirmed)
                ? new SerialProof(Kind.DEPENDENCIES, dependencies)
                : this;
    }

    /** Returns whether the cycle replaces an outcome of values, if that decides no other level. */
    boolean replaces(ValueOutcome values) {
        return kind == Kind.DEPENDENCIES && confirms(values);
    }

    private static boolean confirms(ValueOutcome values) {
        return !values.basis().trustsVersions()
                && isViolated(values)
                && UNNAMED.containsAll(values.findings().counts(LEVEL).keySet());
    }

    private static boolean isViolated(ValueOutcome outcome) {
        return !outcome.findings().counts(LEVEL).isEmpty();
    }
}
