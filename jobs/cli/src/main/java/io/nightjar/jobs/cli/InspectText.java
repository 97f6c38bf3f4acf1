package io.nightjar.jobs.cli;

import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SanitizedText;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.history.ValueType;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.local.InspectedComponents;
import io.nightjar.jobs.local.InspectedHistory;
import io.nightjar.jobs.local.InspectedProblem;
import io.nightjar.pipeline.validate.Capability;
import io.nightjar.pipeline.validate.CostForecast;
import io.nightjar.pipeline.validate.HistoryFacts;
import io.nightjar.pipeline.validate.Inspection;
import io.nightjar.pipeline.validate.KeyProfile;
import io.nightjar.pipeline.validate.LintFinding;
import io.nightjar.pipeline.validate.OperationSpread;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;

/** An {@link InspectedHistory} as lines for a person, at most about forty. */
final class InspectText {

    private static final int MAX_LINES = 40;
    private static final String GAP = "  ";

    private final List<String> lines = new ArrayList<>();
    private final InspectedHistory history;
    private final Inspection inspection;
    private final HistoryFacts facts;

    private InspectText(InspectedHistory history) {
        this.history = history;
        this.inspection = history.inspection();
        this.facts = inspection.facts();
    }

    static List<String> lines(InspectedHistory history) {
        InspectText text = new InspectText(history);
        text.addProfile();
        text.addCapabilities();
        text.addForecast();
        text.addLint();
        if (!history.setAside().problems().isEmpty()) {
            text.lines.add("");
            text.lines.addAll(problems(history.setAside().problems()));
        }
        text.lines.replaceAll(SanitizedText::flat);
        return text.lines;
    }

    /** Returns the problems of rows, by kind. */
    static List<String> problems(List<InspectedProblem> problems) {
        List<String> lines = new ArrayList<>();
        lines.add("rows that are no transactions");
        for (InspectedProblem problem : problems) {
            lines.add(String.format(
                    Locale.ROOT,
                    "  %10s  %s%s",
                    number(problem.count()),
                    SanitizedText.flat(problem.description()),
                    problem.endsReading() ? ", which ends the inspection" : ""));
            lines.add("              " + (problem.count() == 1 ? "" : "first ") + SanitizedText.flat(problem.first()));
        }
        return lines;
    }

    /** Returns the number of reads that returned null, an empty list or the value of the initial state. */
    static long initialReadCount(Inspection inspection) {
        return inspection.spread().emptyReadCount() + inspection.values().initialReadCount();
    }

    // ---------------------------------------------------------------- content

    private void addProfile() {
        lines.add(history.stored().uri() + " (" + history.stored().format() + ", "
                + bytes(history.stored().bytes()) + ")");
        addFact("transactions", facts.txnCount(), statuses());
        addFact("operations", facts.opCount(), kinds());
        addFact("sessions", inspection.validation().sessionCount(), "");
        addFact("keys", inspection.keys().keyCount(), models());
        addComponents();
        OperationSpread spread = inspection.spread();
        addFact(
                "a transaction",
                "median " + number(spread.medianOps()) + " operations, min " + number(spread.minOps()) + ", max "
                        + number(spread.maxOps()));
        if (facts.opCount() > 0) {
            addFact("types", types());
            addFact("largest key", largestKey());
        }
        if (spread.maxListLength() > 0) {
            addFact("longest list", number(spread.maxListLength()) + " elements");
        }
        addFact("initial state", initialState());
        addFact("timestamps", timestamps());
        addFact("client times", ofCommitted(facts.clientTimedCount()));
    }

    private void addComponents() {
        InspectedComponents components = history.components();
        if (!components.areCounted()) {
            addFact("components", "not computed: " + whyNotCounted(components));
        } else if (components.count() == 0) {
            addFact("components", 0, "");
        } else {
            String cut = components.cutSessions() == 0
                    ? ""
                    : "; " + counted(components.cutSessions(), "session") + " in several of them";
            addFact(
                    "components",
                    components.count(),
                    "the largest " + counted(components.largestSessions(), "session") + ", "
                            + counted(components.largestTxns(), "transaction") + ", "
                            + counted(components.largestKeys(), "key") + cut);
        }
    }

    static String whyNotCounted(InspectedComponents components) {
        return "it takes about " + bytes(components.neededBytes()) + " at once; give --memory "
                + (InspectCommand.memoryFor(components.neededBytes()) >> 20) + "m";
    }

    private void addFact(String name, long count, String details) {
        String line = String.format(Locale.ROOT, "  %-14s %14s   %s", name, number(count), details);
        lines.add(line.stripTrailing());
    }

    private void addFact(String name, String text) {
        lines.add(String.format(Locale.ROOT, "  %-14s %s", name, text));
    }

    private String statuses() {
        StringJoiner text = new StringJoiner(", ");
        for (byte status = TxnStatus.COMMITTED; status <= TxnStatus.UNKNOWN; status++) {
            addShare(text, TxnStatus.name(status), facts.txnCount(status), facts.txnCount());
        }
        return text.toString();
    }

    private String kinds() {
        StringJoiner text = new StringJoiner(", ");
        for (String word : OpKind.words()) {
            addShare(text, word, facts.opCount(word), facts.opCount());
        }
        return text.toString();
    }

    private String models() {
        StringJoiner text = new StringJoiner(", ");
        KeyProfile keys = inspection.keys();
        for (KeyProfile.Model model : KeyProfile.Model.values()) {
            String name = model == KeyProfile.Model.UNKNOWN
                    ? "only read as empty"
                    : model.name().toLowerCase(Locale.ROOT);
            addShare(text, name, keys.keyCount(model), keys.keyCount());
        }
        return text.toString();
    }

    private static void addShare(StringJoiner text, String name, long count, long all) {
        if (count == all && count > 0) {
            text.add("all " + name);
        } else if (count > 0) {
            text.add(number(count) + " " + name + " (" + percent(count, all) + ")");
        }
    }

    private String types() {
        ValueType valueType = inspection.validation().valueType();
        return "keys " + inspection.validation().keyType().typeName() + ", values "
                + (valueType == ValueType.NONE ? "none" : valueType.typeName());
    }

    private String largestKey() {
        KeyProfile keys = inspection.keys();
        return keys.largestKey() + " with " + percent(keys.largestOpCount(), facts.opCount()) + " of the operations";
    }

    private String initialState() {
        long count = initialReadCount(inspection);
        String reads = count == 0 ? "never read" : "read " + (count == 1 ? "once" : number(count) + " times");
        return history.stored().initialValue() == null
                ? reads
                : reads + ", as null or " + history.stored().initialValue();
    }

    private String timestamps() {
        String who = ofCommitted(facts.timestampedCount());
        if (facts.timestampedCount() == 0) {
            return who;
        }
        long tied = inspection.ties().tiedCount();
        return who + ", " + facts.minTs() + " to " + facts.maxTs() + ", "
                + (tied == 0 ? "no ties" : number(tied) + " writers tied");
    }

    private String ofCommitted(long count) {
        if (count == 0) {
            return "none";
        }
        return count == facts.committedCount()
                ? "all committed transactions"
                : number(count) + " of " + number(facts.committedCount()) + " committed transactions";
    }

    // ---------------------------------------------------------------- capabilities, cost of a check

    private void addCapabilities() {
        lines.add("");
        int widest = "can decide".length();
        for (Capability capability : inspection.capabilities()) {
            widest = Math.max(widest, levels(capability).length() + GAP.length());
        }
        String row = "%-" + widest + "s" + GAP + "%-10s" + GAP + "%-6s" + GAP + "%-11s" + GAP + "%s";
        lines.add(String.format(Locale.ROOT, row, "can decide", "from", "", "", "why"));
        for (Capability capability : inspection.capabilities()) {
            lines.add(String.format(
                    Locale.ROOT,
                    row,
                    GAP + levels(capability),
                    capability.evidence().word(),
                    capability.extent().word(),
                    capability.isChecked() ? "checked" : "not checked",
                    capability.why()));
        }
    }

    private static String levels(Capability capability) {
        StringJoiner text = new StringJoiner(" ");
        for (IsolationLevel level : capability.levels()) {
            text.add(level.shortName());
        }
        return text.toString();
    }

    private void addForecast() {
        CostForecast forecast = history.forecast();
        lines.add("");
        lines.add("a check takes about " + bytes(forecast.memoryBytes()) + " of memory, or less with --memory, and "
                + String.format(Locale.ROOT, "%.1f s of CPU", forecast.cpuSeconds())
                + (history.isCheckedByValues() ? ", more where orders have to be searched for" : ""));
    }

    // ---------------------------------------------------------------- lint

    private void addLint() {
        List<LintFinding> findings = history.findings();
        lines.add("");
        if (findings.isEmpty()) {
            lines.add("lint: nothing found");
            return;
        }
        lines.add("lint");
        boolean fits = lines.size() + 2 * findings.size() <= MAX_LINES;
        for (LintFinding finding : findings) {
            lines.add(String.format(
                    Locale.ROOT,
                    "  %s  %-7s  %s",
                    finding.ruleId(),
                    finding.severity().word(),
                    finding.message()));
            if (fits && finding.example() != null) {
                lines.add("                e.g. " + finding.example());
            }
        }
    }

    // ---------------------------------------------------------------- numbers

    private static String number(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private static String counted(long count, String noun) {
        return number(count) + " " + noun + (count == 1 ? "" : "s");
    }

    private static String percent(long count, long whole) {
        return String.format(Locale.ROOT, "%.1f %%", whole == 0 ? 0 : 100.0 * count / whole);
    }

    private static String bytes(long bytes) {
        if (bytes < 1024) {
            return bytes + " B";
        }
        double scaled = bytes;
        int unit = -1;
        while (scaled >= 1024 && unit < 3) {
            scaled /= 1024;
            unit++;
        }
        return String.format(Locale.ROOT, "%.1f %cB", scaled, "KMGT".charAt(unit));
    }
}
