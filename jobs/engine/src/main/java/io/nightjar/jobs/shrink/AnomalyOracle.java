package io.nightjar.jobs.shrink;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.RunResult.ListedAnomaly;
import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.local.LocalEngine;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.ProgressListener;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Determines whether a history still shows the anomaly: the engine checks it as a whole. */
final class AnomalyOracle {

    private final ShrinkTarget target;
    private final CheckOptions options;
    private final String uri;
    private long checks;
    private Likeness likeness = Likeness.SAME;
    private boolean mayBringOthers;

    /** The required similarity of an anomaly to the target. */
    enum Likeness {
        /** Equal transactions, or some of them where a shorter cycle will do, and an equal classic name. */
        SAME,
        /** Some of the same transactions. */
        AMONG_SAME,
        /** An equal type. */
        TYPE
    }

    /** @param options for the level and evidence of the anomaly, without tables */
    AnomalyOracle(ShrinkTarget target, CheckOptions options, String uri) {
        this.target = target;
        this.options = options;
        this.uri = uri;
    }

    /**
     * Accepts histories, from now on, with anomalies that the original did not have, such as reads of values that are
     * no longer written.
     */
    void allowOthers() {
        mayBringOthers = true;
    }

    /** Sets how like the original an anomaly has to be from here on. */
    void beContentWith(Likeness enough) {
        likeness = enough;
    }

    long checks() {
        return checks;
    }

    boolean shows(HistorySlice history) throws IOException {
        return found(List.of(history)) != null;
    }

    /** Returns the anomaly, or null if it does not show. */
    @Nullable
    ListedAnomaly found(List<HistorySlice> history) throws IOException {
        return found(new SliceHistory(uri, history));
    }

    @Nullable
    ListedAnomaly found(HistorySource source) throws IOException {
        checks++;
        RunResult result;
        try {
            result = new LocalEngine(options, "shrink", ProgressListener.NONE).check(source, Path.of(""));
        } catch (MalformedHistoryException | UsageException noHistoryAnyMore) {
            return null;
        }
        if (!mayBringOthers && result.anomalies().stream().anyMatch(this::isNew)) {
            return null;
        }
        for (ListedAnomaly anomaly : result.anomalies()) {
            boolean isOfLevel = target.level() == null || anomaly.level() == target.level();
            if (anomaly.type().equals(target.type()) && isOfLevel && isAlike(anomaly)) {
                return anomaly;
            }
        }
        return null;
    }

    private boolean isNew(ListedAnomaly anomaly) {
        return !anomaly.type().equals(target.type())
                && !target.typesOfSameFault().contains(anomaly.type());
    }

    private boolean isAlike(ListedAnomaly anomaly) {
        boolean isAmongSame = target.txnIds().containsAll(anomaly.transactions());
        boolean areAll = !target.isWhole() || target.txnIds().equals(Set.copyOf(anomaly.transactions()));
        return switch (likeness) {
            case SAME -> isAmongSame && areAll && Objects.equals(anomaly.pattern(), target.pattern());
            case AMONG_SAME -> isAmongSame;
            case TYPE -> true;
        };
    }
}
