package io.nightjar.pipeline.explain;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Edge;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SanitizedText;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.EdgeEvidence;
import io.nightjar.formats.level.EdgeType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The steps of a cycle, a sentence each, whether its finding was just made or is read back from the tables. */
public final class StepSentences {

    /** Start of the list of transactions, which the list of steps follows. */
    static final String LET = "Let:\n";

    static final String THEN = "Then:\n";

    private static final int MAX_LENGTH = 80;

    private StepSentences() {}

    /** Returns whether a finding is explained by its steps: a cycle of transactions, or of versions. */
    public static boolean hasSteps(Finding finding) {
        return finding.anomaly() == Anomaly.CYCLIC_VERSIONS || !finding.isByTimestamps() && lengthOfCycle(finding) > 0;
    }

    /**
     * Returns the steps in the order of the cycle, none for a finding without; the last one closes it. Real-time
     * premises precede them.
     */
    public static List<String> of(Finding finding) {
        List<String> steps = new ArrayList<>();
        if (!hasSteps(finding)) {
            return steps;
        }
        if (finding.anomaly() == Anomaly.CYCLIC_VERSIONS) {
            for (Edge edge : finding.edges()) {
                steps.add(shown(edge.fromValue()) + " before " + shown(edge.toValue()) + ", because " + reason(edge));
            }
            return steps;
        }
        int length = lengthOfCycle(finding);
        steps.addAll(premises(finding));
        for (int i = 0; i < length; i++) {
            Edge edge = finding.edges().get(i);
            boolean isLast = i == length - 1;
            steps.add("%sT%d < T%d, because %s%s"
                    .formatted(
                            isLast ? "However, " : "",
                            edge.fromTxnId(),
                            edge.toTxnId(),
                            reason(edge),
                            isLast ? ": a contradiction!" : "."));
        }
        return steps;
    }

    /**
     * Returns an explanation on one line. Steps of a cycle precede the operations that they name, and are whole: only as
     * many as fit.
     *
     * @param maxChars maximum length, except of a single step
     */
    public static String brief(String explanation, int maxChars) {
        int then = explanation.startsWith(LET) ? explanation.indexOf(THEN) : -1;
        if (then < 0) {
            return ListCut.cutText(SanitizedText.oneLine(explanation), maxChars);
        }
        StringBuilder brief = new StringBuilder();
        for (String line : explanation.substring(then + THEN.length()).lines().toList()) {
            String step = SanitizedText.flat(line.strip().replaceFirst("^- ", ""));
            if (!brief.isEmpty() && brief.length() + step.length() >= maxChars) {
                return brief.append(" …").toString();
            }
            brief.append(brief.isEmpty() ? "" : " ").append(step);
        }
        return brief.toString();
    }

    /** Returns the real-time premises reported in addition to a cycle, or without one. */
    static List<String> premises(Finding finding) {
        List<Edge> edgesAfterCycle =
                finding.edges().subList(lengthOfCycle(finding), finding.edges().size());
        List<String> premises = new ArrayList<>();
        if (edgesAfterCycle.stream().anyMatch(edge -> edge.type() == EdgeType.RT)) {
            for (Edge edge : edgesAfterCycle) {
                if (edge.evidence() != EdgeEvidence.VERSION) {
                    premises.add("T%d < T%d, because %s.".formatted(edge.fromTxnId(), edge.toTxnId(), reason(edge)));
                }
            }
        }
        return premises;
    }

    /** Returns the number of leading edges that form the cycle; 0 if none do. */
    private static int lengthOfCycle(Finding finding) {
        int onCycle = (int) finding.participants().stream()
                .filter(participant -> participant.role() == Role.ON_CYCLE)
                .count();
        return Math.min(onCycle, finding.edges().size());
    }

    /** Returns why the first transaction of an edge comes before the second, without a full stop, on one line. */
    static String reason(Edge edge) {
        if (edge.reason() != null) {
            String reason =
                    SanitizedText.flat(requireNonNull(EdgeReasons.of(edge)).strip());
            return reason.endsWith(".") ? reason.substring(0, reason.length() - 1) : reason;
        }
        String key = SanitizedText.flat(edge.key());
        String older = cut(edge.fromValue());
        String newer = cut(edge.toValue());
        return switch (edge.type()) {
            case WR -> EdgeReasons.read(edge.fromTxnId(), edge.toTxnId(), key, newer, OpKind.name(OpKind.WRITE));
            case RW -> EdgeReasons.overwrites(edge.fromTxnId(), edge.toTxnId(), key, older, newer);
            case WW ->
                newer == null
                        ? "T%d committed its write of %s first".formatted(edge.fromTxnId(), key)
                        : EdgeReasons.overwritten(
                                new Edge(
                                        edge.fromTxnId(),
                                        edge.toTxnId(),
                                        EdgeType.WW,
                                        key,
                                        older,
                                        newer,
                                        edge.evidence()),
                                null,
                                null);
            case SO -> "T%d came before it in their session".formatted(edge.fromTxnId());
            case RT -> "T%d had completed before T%d was invoked".formatted(edge.fromTxnId(), edge.toTxnId());
            case TS -> "its timestamp is earlier";
        };
    }

    private static @Nullable String shown(@Nullable String value) {
        return value == null ? "the initial state" : cut(value);
    }

    private static @Nullable String cut(@Nullable String value) {
        return SanitizedText.flat(ListCut.cut(value, List.of(), MAX_LENGTH));
    }
}
