package io.nightjar.api;

import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.RunResult.LevelResult;
import io.nightjar.jobs.local.LocalEngine;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.ProgressListener;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The check. */
public final class Nightjar {

    private static final Duration BUDGET = Duration.ofMinutes(5);
    private static final int LISTED = 100;
    private static final int NEAREST = 3;

    private Nightjar() {}

    /**
     * Decides levels, with five minutes for searches.
     *
     * @param levels short or long names; serializable and snapshot-isolation if none is given
     * @throws IllegalArgumentException if a level does not exist, or the input is not a history
     * @throws UncheckedIOException if a file cannot be read
     */
    public static Verdicts check(History history, String... levels) {
        return check(history, BUDGET, List.of(levels));
    }

    /**
     * Decides the same with another bound on searches; levels that they do not decide in time are undecided.
     *
     * @param levels as above
     */
    public static Verdicts check(History history, Duration budget, List<String> levels) {
        List<String> names = levels.isEmpty() ? List.of("si", "ser") : levels;
        try (HistorySource source = history.open()) {
            return verdicts(new LocalEngine(options(levels(names), budget), "api", ProgressListener.NONE)
                    .check(source, Path.of("")));
        } catch (MalformedHistoryException noHistory) {
            throw new IllegalArgumentException(noHistory.getMessage(), noHistory);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static List<IsolationLevel> levels(List<String> names) {
        EnumSet<IsolationLevel> levels = EnumSet.noneOf(IsolationLevel.class);
        for (String name : names) {
            IsolationLevel level = IsolationLevel.byName(name);
            if (level == null) {
                throw new IllegalArgumentException("unknown level: level=" + name + " nearest="
                        + String.join("|", IsolationLevel.namesLike(name, NEAREST)));
            }
            levels.add(level);
        }
        return new ArrayList<>(levels);
    }

    private static CheckOptions options(List<IsolationLevel> levels, Duration budget) {
        return CheckOptions.of(levels)
                .maxAnomalies(LISTED)
                .search(new CheckOptions.Search(budget.toNanos(), budget.toNanos(), false))
                .memoryBytes(Runtime.getRuntime().maxMemory() / 2)
                .build();
    }

    private static Verdicts verdicts(RunResult result) {
        Map<String, Verdicts.Level> levels = new LinkedHashMap<>();
        for (Map.Entry<IsolationLevel, LevelResult> level : result.levels().entrySet()) {
            LevelResult answer = level.getValue();
            levels.put(
                    level.getKey().longName(),
                    new Verdicts.Level(
                            answer(answer.verdict()),
                            answer.evidence(),
                            answer.reason(),
                            Map.copyOf(answer.types()),
                            answer.isWhole()));
        }
        List<Verdicts.Story> stories = result.anomalies().stream()
                .map(anomaly -> new Verdicts.Story(
                        anomaly.id(),
                        anomaly.type(),
                        anomaly.pattern(),
                        anomaly.level() == null ? null : anomaly.level().longName(),
                        anomaly.transactions(),
                        anomaly.key(),
                        anomaly.explanation()))
                .toList();
        return new Verdicts(
                answer(result.verdict()),
                levels,
                stories,
                result.report().faults().count());
    }

    private static Verdicts.Answer answer(Verdict verdict) {
        return switch (verdict) {
            case HOLDS -> Verdicts.Answer.HOLDS;
            case VIOLATED -> Verdicts.Answer.VIOLATED;
            case UNDECIDED -> Verdicts.Answer.UNDECIDED;
        };
    }
}
