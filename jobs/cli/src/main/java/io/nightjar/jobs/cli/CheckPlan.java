package io.nightjar.jobs.cli;

import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.SanitizedText;
import io.nightjar.jobs.JsonNumbers;
import io.nightjar.jobs.JsonObjectText;
import io.nightjar.jobs.check.MemoryPlan;
import io.nightjar.jobs.command.Progress;
import io.nightjar.jobs.local.HistoryInspector;
import io.nightjar.jobs.local.InspectedComponents;
import io.nightjar.jobs.local.InspectedHistory;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.EvidenceChoice;
import io.nightjar.pipeline.validate.CostForecast;
import io.nightjar.pipeline.validate.HistoryFacts;
import java.io.IOException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The expected cost of a check, from one pass of the history.
 *
 * @param evidence the evidence that would decide the levels: timestamps, values or both
 * @param lanes null if timestamps decide nothing
 */
record CheckPlan(
        InspectedHistory history,
        String evidence,
        CostForecast cost,
        @Nullable MemoryPlan lanes,
        CheckOptions options) {

    private static final double SHARE_OF_TABLES = 0.25;
    private static final double SHARE_OF_GRAPH = 0.3;

    static CheckPlan of(HistorySource source, CheckOptions options) throws IOException {
        long memory = options.memoryBytes();
        HistoryInspector inspector = new HistoryInspector(
                options.initialValue(),
                (long) (memory * SHARE_OF_TABLES),
                (long) (memory * SHARE_OF_GRAPH),
                options.threadCount(),
                options.maxDeadLetters());
        InspectedHistory history;
        try (Progress progress = Progress.start("planning", "transactions", -1)) {
            history = inspector.inspect(source, progress::advance);
        }
        EvidenceChoice choice = new EvidenceChoice(options);
        boolean areComplete = history.inspection().facts().areTimestampsComplete();
        boolean byTimestamps =
                options.levels().stream().anyMatch(level -> choice.isDecidedByTimestamps(level, areComplete));
        boolean byValues = !choice.byValues(areComplete, false).isEmpty();
        CostForecast cost = history.forecast(byValues);
        if (byTimestamps && byValues) {
            CostForecast alone = history.forecast(false);
            cost = new CostForecast(
                    Math.max(cost.memoryBytes(), alone.memoryBytes()), cost.cpuSeconds() + alone.cpuSeconds());
        }
        return new CheckPlan(
                history,
                byTimestamps && byValues ? "mixed" : byTimestamps ? "timestamps" : "values",
                cost,
                byTimestamps ? MemoryPlan.of(source, memory, options.threadCount()) : null,
                options);
    }

    private boolean fits() {
        return cost.memoryBytes() <= options.memoryBytes();
    }

    /** Returns a lower bound of the elapsed seconds: most of the work is done by all threads. */
    private double seconds() {
        return cost.cpuSeconds() / options.threadCount();
    }

    private long diskBytes() {
        return lanes != null && lanes.spills() ? lanes.spillBytes() : 0;
    }

    /** Returns the plan as text for a person. */
    String text() {
        HistoryFacts facts = history.inspection().facts();
        InspectedComponents components = history.components();
        StringBuilder text = new StringBuilder();
        text.append("%s: a check by %s of %,d transactions, %,d operations, %,d sessions, %,d keys%n"
                .formatted(
                        SanitizedText.flat(history.stored().uri()),
                        evidence.equals("mixed") ? "timestamps and values" : evidence,
                        facts.txnCount(),
                        facts.opCount(),
                        history.inspection().validation().sessionCount(),
                        history.inspection().keys().keyCount()));
        text.append("  memory      about %s to hold it all, %s are allowed%s%n"
                .formatted(mebibytes(cost.memoryBytes()), mebibytes(options.memoryBytes()), whatIfNot()));
        text.append("  time        about %s of CPU, %s on %d threads%s%n"
                .formatted(
                        seconds(cost.cpuSeconds()),
                        seconds(seconds()),
                        options.threadCount(),
                        evidence.equals("timestamps") ? "" : "; searches take up to --budget more"));
        text.append("  disk        %s%n"
                .formatted(
                        diskBytes() == 0 ? "nothing is spilled" : "about " + mebibytes(diskBytes()) + " are spilled"));
        text.append(
                "  lanes       %s%n".formatted(lanes == null ? "none, timestamps decide nothing" : lanes.laneCount()));
        text.append("  components  %s"
                .formatted(
                        components == null || !components.areCounted()
                                ? "not counted, for want of memory"
                                : "%,d, the largest of %,d transactions in %,d sessions"
                                        .formatted(
                                                components.count(),
                                                components.largestTxns(),
                                                components.largestSessions())));
        return text.toString();
    }

    private String whatIfNot() {
        if (fits()) {
            return "";
        }
        return (lanes == null ? "" : "; lanes are spilled")
                + (evidence.equals("timestamps") ? "" : "; levels by values may be undecided for want of it");
    }

    private static String mebibytes(long bytes) {
        return "%,d MB".formatted(Math.max(1, bytes >> 20));
    }

    private static String seconds(double seconds) {
        return seconds < 120
                ? String.format(Locale.ROOT, "%.1f s", seconds)
                : String.format(Locale.ROOT, "%.0f min", seconds / 60);
    }

    /** Returns the plan as one JSON object on one line. */
    String json() throws IOException {
        HistoryFacts facts = history.inspection().facts();
        InspectedComponents components = history.components();
        return JsonObjectText.of(out -> {
            out.writeNumberField("schema", 1);
            out.writeStringField("history", history.stored().uri());
            JsonNumbers.write(out, "transactions", facts.txnCount());
            JsonNumbers.write(out, "operations", facts.opCount());
            JsonNumbers.write(out, "sessions", history.inspection().validation().sessionCount());
            JsonNumbers.write(out, "keys", history.inspection().keys().keyCount());
            out.writeStringField("evidence", evidence);
            out.writeStringField("engine", "local");
            out.writeObjectFieldStart("plan");
            JsonNumbers.write(out, "memory_bytes", cost.memoryBytes());
            JsonNumbers.write(out, "memory_allowed_bytes", options.memoryBytes());
            out.writeBooleanField("fits", fits());
            JsonNumbers.writeSeconds(out, "cpu_seconds", cost.cpuSeconds());
            JsonNumbers.writeSeconds(out, "seconds", seconds());
            out.writeNumberField("threads", options.threadCount());
            JsonNumbers.write(out, "disk_bytes", diskBytes());
            out.writeNumberField("lanes", lanes == null ? 0 : lanes.laneCount());
            if (components == null || !components.areCounted()) {
                out.writeNullField("components");
            } else {
                out.writeNumberField("components", components.count());
                out.writeNumberField("largest_component_transactions", components.largestTxns());
                out.writeNumberField("largest_component_sessions", components.largestSessions());
            }
            out.writeEndObject();
        });
    }
}
