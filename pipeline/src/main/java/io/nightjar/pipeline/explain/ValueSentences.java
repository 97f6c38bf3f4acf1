package io.nightjar.pipeline.explain;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Edge;
import io.nightjar.formats.finding.Finding.Expectation;
import io.nightjar.formats.finding.Finding.Participant;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.finding.TxnRow;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.EdgeEvidence;
import io.nightjar.formats.level.IsolationLevel;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Explanation of a finding from values: a sentence or two for a read, the steps for a cycle, the rows for a search. */
final class ValueSentences {

    private static final int MAX_LENGTH = 80;
    private static final Set<String> CHANGES_OF_SETS = Set.of("add", "rem");
    private static final Set<String> GUARDS = Set.of("unequal", "present", "absent", "never", "contains", "lacks");
    private static final String UNKNOWN = " This needs a transaction whose outcome the client never learned.";

    private static final Set<Anomaly> NO_ORDER =
            EnumSet.of(Anomaly.NO_SERIAL_ORDER, Anomaly.NO_SNAPSHOT_ORDER, Anomaly.NO_PREFIX_ORDER);

    private static final String VERSIONS_BY_TIMESTAMPS =
            "No serial order explains this in the order of versions that commit timestamps give.";

    private static final String WITHOUT_TIMESTAMPS = "No serial order explains this, even if timestamps are wrong.";

    private final Finding finding;
    private final LongFunction<@Nullable TxnRow> rows;

    ValueSentences(Finding finding, LongFunction<@Nullable TxnRow> rows) {
        this.finding = finding;
        this.rows = rows;
    }

    String explain() {
        String text =
                switch (finding.anomaly()) {
                    case G1A ->
                        "T%d read %s, which T%d wrote and then aborted. No transaction may read an uncommitted version."
                                .formatted(reader(), observed(), read().observedWriter());
                    case G1B ->
                        ("T%d read %s, but T%d, which wrote that, wrote %s again before it committed."
                                        + " Others may see only its last value.")
                                .formatted(reader(), observed(), read().observedWriter(), finding.key());
                    case GARBAGE_READ ->
                        "T%d read %s, but no transaction in this history wrote that.".formatted(reader(), observed());
                    case FUTURE_READ ->
                        "T%d read %s, which it wrote itself only afterwards.".formatted(reader(), observed());
                    case INTERNAL -> internal();
                    case DUPLICATE_WRITE -> duplicateWrite();
                    case DUPLICATE_ELEMENTS ->
                        "T%d read a list %s in which %s occurs twice, but it was appended once."
                                .formatted(reader(), finding.key(), shown(read().observed()));
                    case INCOMPATIBLE_ORDER -> incompatible();
                    case DIRTY_UPDATE -> dirtyUpdate();
                    case LOST_UPDATE -> lostUpdate();
                    case CYCLIC_VERSIONS -> cyclicVersions();
                    case NO_SERIAL_ORDER, NO_SNAPSHOT_ORDER, NO_PREFIX_ORDER -> noOrder();
                    default -> StepSentences.hasSteps(finding) ? cycle() : noOrder();
                };
        if (isSerialCycle()) {
            String worth = restsOnTimestamps() ? VERSIONS_BY_TIMESTAMPS : WITHOUT_TIMESTAMPS;
            text += (text.indexOf('\n') < 0 ? " " : "\n") + worth;
        }
        String outcomes = finding.dependsOnUnknown() ? UNKNOWN : eitherWay();
        return text.indexOf('\n') < 0 || outcomes.isEmpty() ? text + outcomes : text + "\n" + outcomes.strip();
    }

    /** Returns a sentence about transactions of unknown outcome that may come last in an order; empty without any. */
    private String eitherWay() {
        String unknown = ids().stream()
                .filter(id -> !mark(rows.apply(id)).isEmpty())
                .map(id -> "T" + id)
                .collect(Collectors.joining(" and "));
        boolean isAboutOrder = finding.anomaly() == Anomaly.COMMIT_ORDER_CYCLE || NO_ORDER.contains(finding.anomaly());
        return unknown.isEmpty() || !isAboutOrder ? "" : " Whether " + unknown + " committed makes no difference.";
    }

    /** Returns whether it is a cycle of transactions with timestamps that rules out serializability. */
    private boolean isSerialCycle() {
        return finding.level() == IsolationLevel.SERIALIZABLE
                && (restsOnTimestamps() || finding.algorithm().equals("cycle") && isCycle() && isTimed());
    }

    private boolean isCycle() {
        List<Finding.Edge> edges = finding.edges();
        return edges.size() > 1
                && edges.get(edges.size() - 1).toTxnId() == edges.get(0).fromTxnId();
    }

    private boolean isTimed() {
        return finding.participants().stream()
                .map(participant -> rows.apply(participant.txnId()))
                .allMatch(row -> row != null
                        && row.times().startTs() != HistorySlice.NONE
                        && row.times().commitTs() != HistorySlice.NONE);
    }

    private boolean restsOnTimestamps() {
        return finding.edges().stream()
                .anyMatch(edge -> edge.key() != null && edge.evidence() == EdgeEvidence.TIMESTAMP);
    }

    // ---------------------------------------------------------------- reads

    private String internal() {
        return "T%d read %s, but after its own operations on %s it had to see %s%s."
                .formatted(
                        reader(),
                        observed(),
                        finding.key(),
                        ReadLine.endsWithOwn(finding, read()) ? "a list that ends with " : "",
                        shown(read().expected()));
    }

    // ---------------------------------------------------------------- writes

    private String duplicateWrite() {
        long earlier = by(Role.EXPECTED_WRITER);
        long later = by(Role.OBSERVED_WRITER);
        if (earlier == later) {
            return "T%d wrote %s twice, so a read of that value matches both writes.".formatted(earlier, observed());
        }
        return "T%d and T%d both wrote %s, so a read of that value matches both writers."
                .formatted(earlier, later, observed());
    }

    private String incompatible() {
        List<Long> readers = ids();
        String other = readers.size() == 1 ? "and also" : "and T%d read it as".formatted(readers.get(1));
        String observed = requireNonNull(read().observed());
        String expectedList = requireNonNull(read().expected());
        List<String> difference = differingElements(observed, expectedList);
        return "T%d read %s as %s, %s %s. Neither is a prefix of the other, so no order of appends gives both."
                .formatted(
                        by(Role.READER),
                        finding.key(),
                        ListCut.cut(observed, difference, MAX_LENGTH),
                        other,
                        ListCut.cut(expectedList, difference, MAX_LENGTH));
    }

    /** Returns the elements of both lists at the first difference. */
    private static List<String> differingElements(String one, String other) {
        String[] first = one.substring(1).split("[,\\]]");
        String[] second = other.substring(1).split("[,\\]]");
        for (int i = 0; i < Math.min(first.length, second.length); i++) {
            if (!first[i].equals(second[i])) {
                return List.of(first[i], second[i]);
            }
        }
        return List.of();
    }

    private String dirtyUpdate() {
        String what = finding.expectation() == null || read().observed() == null
                ? finding.key()
                : "%s=%s".formatted(finding.key(), shown(read().observed()));
        return "T%d committed a change of %s based on the write of T%d (%s), which then aborted."
                .formatted(by(Role.LATER_WRITER), finding.key(), by(Role.EARLIER_WRITER), what);
    }

    private String lostUpdate() {
        String version = finding.expectation() == null ? "the same version of " + finding.key() : observed();
        return ids().size() == 2
                ? "%s both read %s, and both replaced it: the second to commit overwrote the update of the other without reading it (a lost update)."
                        .formatted(names(ids()), version)
                : "%s all read %s, and each of them replaced it: every update except the last is lost."
                        .formatted(names(ids()), version);
    }

    // ---------------------------------------------------------------- cycles

    private String cyclicVersions() {
        StringBuilder text = new StringBuilder("The versions of ").append(finding.key());
        text.append(" would follow each other in a circle:\n");
        StepSentences.of(finding)
                .forEach(step -> text.append("  - ").append(step).append('\n'));
        return text.toString().stripTrailing();
    }

    /** Returns the form familiar to Elle's users. */
    private String cycle() {
        StringBuilder text = new StringBuilder(StepSentences.LET);
        for (long id : ids()) {
            text.append("  T").append(id).append(" = ").append(shownTxn(id)).append('\n');
        }
        text.append(StepSentences.THEN);
        for (String step : StepSentences.of(finding)) {
            text.append("  - ").append(step).append('\n');
        }
        return text.toString().stripTrailing();
    }

    // ---------------------------------------------------------------- search

    private String noOrder() {
        StringBuilder text = new StringBuilder();
        text.append(orderSentence()).append('\n');
        for (long id : ids()) {
            TxnRow row = rows.apply(id);
            String session = row == null ? "" : "s" + row.sessionId() + " ";
            text.append("  " + session + "T" + id + mark(row) + ": ");
            text.append(shownTxn(id)).append('\n');
        }
        List<String> inRealTime = StepSentences.premises(finding);
        if (!inRealTime.isEmpty()) {
            text.append("and in real time\n");
            inRealTime.forEach(premise -> text.append("  - ").append(premise).append('\n'));
        }
        return text.toString().stripTrailing();
    }

    private String orderSentence() {
        if (ids().size() == 1) {
            return "No version explains a condition of this transaction.";
        }
        String who = "These %d transactions alone".formatted(ids().size());
        if (finding.anomaly() == Anomaly.NO_SERIAL_ORDER) {
            return who + " fit into no serial order: each order contradicts " + readOrCondition("a") + ".";
        }
        if (finding.anomaly() == Anomaly.NO_SNAPSHOT_ORDER) {
            return who + " fit into no order of snapshots and commits: " + readOrCondition("some")
                    + " would be wrong, or two writers of one key would overlap." + convention();
        }
        if (finding.anomaly() == Anomaly.NO_PREFIX_ORDER) {
            return who + " fit into no order of snapshots and commits: " + readOrCondition("some") + " would be wrong.";
        }
        IsolationLevel level = finding.level();
        return who + " rule out " + (level == null ? "every level" : level.longName()) + ".";
    }

    /** Returns a sentence about the option for conflicts in sets; empty if no set is changed. */
    private String convention() {
        boolean changesSets = ids().stream()
                .map(rows::apply)
                .anyMatch(row -> row != null && row.ops().stream().anyMatch(op -> CHANGES_OF_SETS.contains(op.name())));
        return changesSets ? " Writers of a set conflict as --conflicts states: by element, or by set." : "";
    }

    private String readOrCondition(String article) {
        boolean hasConditions = ids().stream()
                .map(rows::apply)
                .anyMatch(row -> row != null && row.ops().stream().anyMatch(op -> GUARDS.contains(op.name())));
        return article + (hasConditions ? " read or condition" : " read");
    }

    private static String mark(@Nullable TxnRow row) {
        return row != null && "unknown".equals(row.status()) ? "?" : "";
    }

    // ---------------------------------------------------------------- parts

    private String shownTxn(long id) {
        TxnRow row = rows.apply(id);
        if (row == null) {
            return "(not shown)";
        }
        Set<String> keys = new HashSet<>();
        Set<String> values = new HashSet<>();
        for (Edge edge : finding.edges()) {
            if (edge.key() != null) {
                keys.add(edge.key());
                values.add(edge.fromValue());
                values.add(edge.toValue());
            }
        }
        return OpsCut.of(row.ops(), keys, values);
    }

    private Expectation read() {
        return requireNonNull(finding.expectation());
    }

    private long reader() {
        return by(Role.READER);
    }

    /** Returns the observed state: {@code x=1}, or for an element of a list {@code l=[… 3 …]} as the reader saw it. */
    private String observed() {
        return read().observed() == null
                ? "the initial state of " + finding.key()
                : "%s=%s".formatted(finding.key(), shown(read().observed()));
    }

    private static @Nullable String shown(@Nullable String value) {
        return value == null ? "the initial state" : ListCut.cut(value, List.of(), MAX_LENGTH);
    }

    private long by(Role role) {
        Participant participant = finding.by(role);
        return (participant == null ? finding.participants().get(0) : participant).txnId();
    }

    private List<Long> ids() {
        return new ArrayList<>(finding.participants().stream()
                .map(Participant::txnId)
                .distinct()
                .toList());
    }

    private static String names(List<Long> ids) {
        List<String> names = ids.stream().map(id -> "T" + id).collect(Collectors.toList());
        String last = names.remove(names.size() - 1);
        return names.isEmpty() ? last : String.join(", ", names) + " and " + last;
    }
}
