package io.nightjar.pipeline.validate;

import java.util.HashMap;
import java.util.Map;

/** The catalogue of lint rules. Identifiers are never given to another rule. */
public enum LintRule {
    DUPLICATE_WRITE("L01", LintSeverity.ERROR, "a value written twice to a key"),
    GARBAGE_READ("L02", LintSeverity.ERROR, "a read of a value that no transaction wrote"),
    DUPLICATE_ID("L03", LintSeverity.ERROR, "a transaction id used twice; rejects the history"),
    COMPLETION_DIFFERS("L04", LintSeverity.ERROR, "operations completed differ from those invoked"),
    INITIAL_VALUE("L05", LintSeverity.WARNING, "the initial value: undeclared or also written"),
    COMMIT_BEFORE_START("L06", LintSeverity.WARNING, "a commit timestamp before the start timestamp"),
    COMMIT_TIE("L07", LintSeverity.WARNING, "two writers of a key with one commit timestamp"),
    SESSION_ORDER("L08", LintSeverity.WARNING, "a session's order against its timestamps"),
    SESSION_OVERLAP("L09", LintSeverity.WARNING, "two open transactions in one session"),
    EVENT_COUNT("L10", LintSeverity.ERROR, "event count against the end marker"),
    NOT_COMMITTED("L11", LintSeverity.INFO, "the share of unknown and aborted transactions"),
    FEW_READS("L12", LintSeverity.WARNING, "no reads, or hardly a key with two writers"),
    TIMESTAMP_COLUMN("L13", LintSeverity.WARNING, "a timestamp column with implausible values"),
    KEY_SKEW("L14", LintSeverity.INFO, "one key with a large share of all operations"),
    SESSION_GAP("L15", LintSeverity.WARNING, "positions missing in a session"),
    SESSION_ROWS("L16", LintSeverity.INFO, "rows that follow a later row of their session"),
    NOTHING_COMMITTED("L17", LintSeverity.WARNING, "no committed transaction"),
    TIMESTAMPS_MISSING(
            "L18", LintSeverity.WARNING, "committed transactions without timestamps, where others have them"),
    MIXED_MODEL("L19", LintSeverity.WARNING, "a key used in two ways, such as register and list"),
    SETS_AND_COUNTERS("L20", LintSeverity.WARNING, "sets and counters, which timestamps cannot decide"),
    ROWS_SET_ASIDE("L21", LintSeverity.WARNING, "malformed rows that were skipped"),
    TABLE_CUT("L22", LintSeverity.WARNING, "more anomalies than a table holds"),
    START_IS_COMMIT("L23", LintSeverity.WARNING, "writers that start at their own commit timestamp"),
    VALUES_SAMPLED("L24", LintSeverity.INFO, "values of which only a sample was compared"),
    PREDICATES_NOT_JUDGED("L25", LintSeverity.WARNING, "predicate reads that a check omitted"),
    RECORDING_INCOMPLETE("L30", LintSeverity.WARNING, "an incomplete recording"),
    BOUNDARY_CUT("L35", LintSeverity.WARNING, "transactions that an export has cut"),
    SOURCE_GUESSED("L31", LintSeverity.WARNING, "facts that a source lacks and that were guessed"),
    DELIVERED_TWICE("L32", LintSeverity.INFO, "events of a log that occur twice"),
    CLOCK_STEP("L33", LintSeverity.WARNING, "a clock that was set back"),
    ONE_SESSION("L34", LintSeverity.WARNING, "one session for everything"),
    INITIAL_LEARNED("L36", LintSeverity.INFO, "initial values of keys, learned from reads"),
    LATE("L37", LintSeverity.WARNING, "transactions that arrived late"),
    CHECKED_IN_PARTS("L38", LintSeverity.INFO, "a watch whose rows were checked in segments"),
    UNSEEN("L39", LintSeverity.WARNING, "accesses that a recording reports as unobserved"),
    COMMIT_ORDER("L40", LintSeverity.INFO, "rows that follow a row that commits later"),
    CLOCKS_DIFFER("L41", LintSeverity.WARNING, "clocks of clients that contradict each other"),
    VERSION_TIE("L42", LintSeverity.WARNING, "one version of a key by two transactions");

    private static final Map<String, LintRule> BY_ID = new HashMap<>();

    static {
        for (LintRule rule : values()) {
            BY_ID.put(rule.id, rule);
        }
    }

    private final String id;
    private final LintSeverity severity;
    private final String title;

    LintRule(String id, LintSeverity severity, String title) {
        this.id = id;
        this.severity = severity;
        this.title = title;
    }

    /** Returns the rule of this id. */
    static LintRule of(String id) {
        LintRule rule = BY_ID.get(id);
        if (rule == null) {
            throw new AssertionError("no such lint rule: id=" + id);
        }
        return rule;
    }

    /** Returns the spelling in {@code lint_findings.rule_id}. */
    public String id() {
        return id;
    }

    public LintSeverity severity() {
        return severity;
    }

    /** Returns the topic of the rule, without stating that it applies. */
    public String title() {
        return title;
    }
}
