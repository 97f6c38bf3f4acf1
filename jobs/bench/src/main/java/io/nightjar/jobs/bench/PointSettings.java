package io.nightjar.jobs.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The settings of a point, divided into settings of the history, of the check, and of the measurement. */
final class PointSettings {

    static final String TRANSACTIONS = "transactions";

    static final String FAULT = "fault";

    /** The format in which the history is checked. */
    static final String FORMAT = "format";

    /** Committed transactions only, for formats that support no others. */
    static final String COMMITTED = "committed";

    /** Number of histories, of consecutive seeds, that a single call checks. */
    static final String HISTORIES = "histories";

    /** The measured command: {@code check} (the default), {@code generate}, {@code watch} or {@code version}. */
    static final String COMMAND = "command";

    /** Whether timed rounds write tables too; {@code false} where the warm-up should not either. */
    static final String TABLES = "tables";

    /** Standard deviation of the delay of rows, in transactions. */
    static final String DISORDER = "disorder";

    /** Number of cores on which the process may run; by default all. */
    static final String CORES = "cores";

    /** The expected verdict: {@code holds}, {@code violated}, {@code undecided}, {@code decided} or {@code any}. */
    static final String EXPECT = "expect";

    private static final List<String> EXPECTED =
            List.of("holds", "violated", "undecided", "decided", "rejected", "any");

    private static final Set<String> OF_HISTORY = Set.of(
            "workload",
            "model",
            "store",
            TRANSACTIONS,
            "sessions",
            "ops",
            "reads",
            "keys",
            "distribution",
            "concurrency",
            "seed",
            FAULT);
    private static final Set<String> OF_CHECK =
            Set.of(("level evidence engine parallelism threads memory budget component-budget max-anomalies "
                            + "version-order order lateness retain settle changes")
                    .split(" "));
    private static final Set<String> OF_BENCH =
            Set.of(FORMAT, COMMITTED, HISTORIES, EXPECT, COMMAND, TABLES, DISORDER, CORES);

    private PointSettings() {}

    static boolean isKnown(String name) {
        return OF_HISTORY.contains(name) || OF_CHECK.contains(name) || OF_BENCH.contains(name);
    }

    /**
     * Returns the required form of a value of a setting, if the plan and not the command defines it; null if the value
     * is valid.
     */
    static @Nullable String wanted(String name, String value) {
        return switch (name) {
            case TRANSACTIONS, HISTORIES, CORES -> value.matches("[1-9][0-9]{0,11}") ? null : "a positive number";
            case DISORDER -> value.matches("[0-9]{1,11}(\\.[0-9]{1,6})?") ? null : "a number of transactions";
            case COMMITTED, TABLES -> value.matches("true|false") ? null : "true or false";
            case EXPECT -> EXPECTED.contains(value) ? null : "one of " + String.join(", ", EXPECTED);
            case COMMAND ->
                MeasuredCommand.known().contains(value) ? null : "one of " + String.join(", ", MeasuredCommand.known());
            default -> null;
        };
    }

    static List<String> known() {
        List<String> known = new ArrayList<>(OF_HISTORY);
        known.addAll(OF_CHECK);
        known.addAll(OF_BENCH);
        known.sort(null);
        return known;
    }

    /** Arguments of {@code generate}, without the file. */
    static List<String> ofGenerate(Map<String, String> settings) {
        return options(settings, OF_HISTORY);
    }

    /** Arguments of {@code check} or {@code watch}, without files. */
    static List<String> ofCheck(Map<String, String> settings) {
        return options(settings, OF_CHECK);
    }

    static boolean isSet(Map<String, String> settings, String flag) {
        return Boolean.parseBoolean(settings.get(flag));
    }

    private static List<String> options(Map<String, String> settings, Set<String> names) {
        List<String> options = new ArrayList<>();
        settings.forEach((name, value) -> {
            if (names.contains(name)) {
                options.add("--" + name);
                options.add(value);
            }
        });
        return options;
    }
}
