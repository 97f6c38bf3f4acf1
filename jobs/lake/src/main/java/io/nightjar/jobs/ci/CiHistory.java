package io.nightjar.jobs.ci;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.InputLocation;
import io.nightjar.formats.level.Verdict;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.RunResult.LevelResult;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of one requested history.
 *
 * @param history its name, as the user gave it
 * @param code the exit code for it, the baseline taken into account
 * @param result null if it could not be checked
 * @param failure null if it was
 * @param anomalies the first of them, new ones before others
 * @param comparison with a baseline; null without a baseline
 */
public record CiHistory(
        String history,
        int code,
        @Nullable RunResult result,
        @Nullable Failure failure,
        List<CiAnomaly> anomalies,
        @Nullable Comparison comparison) {

    /**
     * A history compared with a baseline.
     *
     * @param baseline its name
     * @param newCount number of fingerprints that the baseline lacks
     * @param mustBeNew whether only these count
     * @param newDoubt the reason why it is uncertain which are new; null if it is certain
     */
    public record Comparison(String baseline, long newCount, boolean mustBeNew, @Nullable String newDoubt) {}

    /**
     * The reason for a missing result.
     *
     * @param verdict rejected or failed
     * @param location location of the error in the input; null if it has none
     */
    public record Failure(String verdict, String message, @Nullable InputLocation location) {}

    /** Returns a history that could not be checked. */
    public static CiHistory failed(String history, int code, Failure failure) {
        return new CiHistory(history, code, null, failure, List.of(), null);
    }

    /** Returns the reason for the missing result of a history without one. */
    public Failure whyFailed() {
        return requireNonNull(failure);
    }

    /** Returns the verdict in a word. */
    public String verdict() {
        return result == null ? whyFailed().verdict() : result.verdict().word();
    }

    /** Returns the name of the baseline; null if none is given. */
    public @Nullable String baseline() {
        return comparison == null ? null : comparison.baseline();
    }

    /** Returns the number of fingerprints that the baseline lacks; 0 without one. */
    public long newCount() {
        return comparison == null ? 0 : comparison.newCount();
    }

    /** Returns whether only new anomalies count. */
    public boolean mustBeNew() {
        return comparison != null && comparison.mustBeNew();
    }

    /** Returns why it is uncertain which anomalies are new; null if it is certain or nothing is compared. */
    public @Nullable String newDoubt() {
        return comparison == null ? null : comparison.newDoubt();
    }

    /** Returns whether all anomalies are in the baseline and the build accepts that. */
    public boolean isExcused() {
        return mustBeNew() && result != null && result.verdict() == Verdict.VIOLATED && newCount() == 0;
    }

    /** Returns the number of anomalies of each type, for all levels that they rule out. */
    public Map<String, Long> types() {
        Map<String, Long> types = new LinkedHashMap<>();
        if (result != null) {
            for (LevelResult level : result.levels().values()) {
                level.types().forEach((type, count) -> types.merge(type, count, Math::max));
            }
        }
        return types;
    }

    /** Names the violated levels whose counts are lower bounds, in a sentence; null if all are exact. */
    public @Nullable String partlyCounted() {
        if (result == null) {
            return null;
        }
        StringJoiner levels = new StringJoiner(", ");
        result.levels().forEach((level, answer) -> {
            if (!answer.bound().isEmpty()) {
                levels.add(level.longName());
            }
        });
        return levels.length() == 0 ? null : "counts are lower bounds at " + levels;
    }

    /** Returns the number of faults, each once however many findings report it. */
    public RunResult.Faults faults() {
        return result == null ? RunResult.Faults.NONE : result.report().faults();
    }

    /** Returns the number of findings, listed or not. */
    public long anomalyCount() {
        return result == null ? 0 : result.report().anomalyCount();
    }
}
