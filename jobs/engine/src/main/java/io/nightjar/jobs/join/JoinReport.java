package io.nightjar.jobs.join;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The counts of a join: transactions and changes on both sides, and on only one. */
public final class JoinReport {

    long matched;
    long readOnly;
    long resolved;
    long contradicted;
    long onlyInReads;
    long onlyInCommits;
    long writesMatched;
    long writesUnmatched;
    long changesAdded;
    long changesLeftOut;
    long changesOfTables; // omitted with their tables
    final Set<String> tablesLeftOut = new TreeSet<>();

    @Nullable
    String firstOnlyInReads;

    @Nullable
    String firstOnlyInCommits;

    @Nullable
    String firstContradicted;

    @Nullable
    String mapping;

    /** Returns the number of client transactions that the log contains. */
    public long matched() {
        return matched;
    }

    /**
     * Returns the number of client transactions with writes that the log does not contain although the client recorded
     * them as committed.
     */
    public long onlyInReads() {
        return onlyInReads;
    }

    /** Returns the number of transactions of the log that no client recorded. */
    public long onlyInCommits() {
        return onlyInCommits;
    }

    /** Lines for people. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("joined: matched=%d read-only=%d unmatched-reads=%d unmatched-commits=%d"
                .formatted(matched, readOnly, onlyInReads, onlyInCommits));
        if (onlyInReads > 0) {
            lines.add("unmatched reads: %d committed transactions of clients are not in the log, the first is %s"
                    .formatted(onlyInReads, firstOnlyInReads));
        }
        if (onlyInCommits > 0) {
            lines.add(
                    "unmatched commits: %d transactions of the log were recorded by no client and have a separate session each, the first is %s"
                            .formatted(onlyInCommits, firstOnlyInCommits));
        }
        if (resolved > 0) {
            lines.add("unknown transactions that the log has, so that they committed: " + resolved);
        }
        if (contradicted > 0) {
            lines.add(
                    "transactions that clients take for aborted and the log has: %d, the first is %s; they count as committed"
                            .formatted(contradicted, firstContradicted));
        }
        lines.add("writes: matched=%d without-change=%d changes-added=%d%s"
                .formatted(writesMatched, writesUnmatched, changesAdded, mapping == null ? "" : " " + mapping));
        if (changesLeftOut > changesOfTables) {
            lines.add(
                    "changes not joined: " + (changesLeftOut - changesOfTables)
                            + " of the log, whose rows are not among the keys and values of clients; name them with --map key=COLUMN,value=COLUMN");
        }
        if (!tablesLeftOut.isEmpty()) {
            lines.add("changes not joined: " + changesOfTables
                    + " of tables of which clients wrote no row and whose keys other tables have too: "
                    + String.join(", ", tablesLeftOut)
                    + "; name rows TABLE/KEY in the clients' records, if they read these");
        }
        return lines;
    }

    /** Returns the report as members of a JSON object. */
    public Map<String, Object> members() {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("matched", matched);
        members.put("read_only", readOnly);
        members.put("unmatched_reads", onlyInReads);
        members.put("unmatched_commits", onlyInCommits);
        members.put("unknown_resolved", resolved);
        members.put("aborted_but_committed", contradicted);
        members.put("writes_matched", writesMatched);
        members.put("writes_without_change", writesUnmatched);
        members.put("changes_added", changesAdded);
        members.put("changes_left_out", changesLeftOut);
        members.put("tables_left_out", List.copyOf(tablesLeftOut));
        return members;
    }
}
