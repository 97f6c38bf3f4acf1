package io.nightjar.formats.cdc;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.SourceDiagnostic;
import io.nightjar.formats.table.ColumnRole;
import io.nightjar.formats.text.BadRowException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Facts about a log of changes as a whole that determine how each event is read, found by one scan of the log; and the
 * diagnostics of each reading.
 */
final class ChangeFacts {

    private static final int MAX_DIGITS = 18;

    private final ChangeFormat format;
    private final Map<ColumnRole, String> columns;
    private final KeyColumns keys;
    private boolean areIdsIntegers = true;
    private boolean hasSessions = true;
    private boolean hasEnds;
    private boolean hasOrders;

    // Counts of the current reading, and of the last complete one.
    private final Map<String, Long> counts = new HashMap<>();
    private final Map<String, String> examples = new HashMap<>();
    private List<SourceDiagnostic> remarks = List.of();

    private ChangeFacts(ChangeFormat format, Map<ColumnRole, String> columns) {
        this.format = format;
        this.columns = columns;
        this.keys = new KeyColumns(columns);
    }

    /**
     * Scans all files once. Malformed events are left to the reader, which encounters and reports them at the same
     * location.
     */
    static ChangeFacts find(ChangeFormat format, List<Path> files, Map<ColumnRole, String> columns) throws IOException {
        ChangeFacts facts = new ChangeFacts(format, columns);
        for (Path file : files) {
            try (ChangeParser parser = format.open(file)) {
                facts.scan(parser);
            } catch (BadRowException | MalformedHistoryException rejected) {
                break;
            }
        }
        return facts;
    }

    private void scan(ChangeParser parser) throws IOException {
        ChangeEvent event = new ChangeEvent();
        boolean hasMore = true;
        while (hasMore) {
            try {
                hasMore = parser.advance(event);
                if (hasMore && event.type != ChangeEvent.Type.NOTHING) {
                    scan(event);
                }
            } catch (BadRowException bad) {
                hasMore = !parser.isLost();
            }
        }
    }

    private void scan(ChangeEvent event) {
        boolean isSnapshot = ChangeReader.SNAPSHOT.equals(event.txn);
        boolean isChange = event.type == ChangeEvent.Type.WRITE || event.type == ChangeEvent.Type.DELETE;
        areIdsIntegers &= event.txn == null ? !isFrame(event) : isSnapshot || isInteger(event.txn);
        if (isChange && !isSnapshot) {
            hasSessions &= event.session != null && isInteger(event.session);
        }
        hasEnds |= !format.isFramed() && event.type == ChangeEvent.Type.COMMIT;
        if (isChange) {
            keys.learn(event);
        }
        hasOrders |= event.order != HistorySlice.NONE;
    }

    private static boolean isFrame(ChangeEvent event) {
        return event.type == ChangeEvent.Type.BEGIN;
    }

    static boolean isInteger(String text) {
        if (text.isEmpty() || text.length() > MAX_DIGITS || text.length() > 1 && text.charAt(0) == '0') {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }

    Map<ColumnRole, String> columns() {
        return columns;
    }

    KeyColumns keys() {
        return keys;
    }

    boolean areIdsIntegers() {
        return areIdsIntegers;
    }

    boolean hasSessions() {
        return hasSessions;
    }

    /**
     * Returns whether the ends of transactions are separate events, so that a transaction without one is incomplete.
     */
    boolean hasEnds() {
        return hasEnds;
    }

    /** Returns whether a number orders the commits; otherwise only the order of events does. */
    boolean hasOrders() {
        return hasOrders;
    }

    // ---------------------------------------------------------------- diagnostics of a reading

    synchronized void beginReading() {
        counts.clear();
        examples.clear();
    }

    void duplicate(String example) {
        count("L32", example);
    }

    void cut(String example) {
        count("L35", example);
    }

    void miscounted(String example) {
        count("L10", example);
    }

    private synchronized void count(String what, String example) {
        counts.merge(what, 1L, Long::sum);
        examples.putIfAbsent(what, example);
    }

    synchronized void endReading() {
        List<SourceDiagnostic> found = new ArrayList<>();
        add(found, "L10", "transactions with another number of events than their end declares");
        found.add(new SourceDiagnostic(
                "L12",
                1,
                null,
                "a log of changes has no reads, so no level can hold;"
                        + " convert --reads joins it with the reads of clients",
                "a log of changes has no reads"));
        add(found, "L35", "transactions that the export has cut; they count as unknown");
        add(found, "L32", "events that were delivered twice and are taken once");
        if (!keys.guessed().isEmpty()) {
            found.add(new SourceDiagnostic(
                    "L31",
                    keys.guessed().size(),
                    null,
                    "the log does not name the identifying columns of some tables, used instead: "
                            + String.join(", ", keys.guessed()) + "; --map key=COLUMN names another one"));
        }
        if (format == ChangeFormat.COCKROACH) {
            found.add(new SourceDiagnostic(
                    "L31",
                    1,
                    null,
                    "a changefeed does not group changes by transaction: changes with one timestamp count as one transaction"
                            + " for one, though transactions that do not depend on each other may share it"));
        }
        remarks = List.copyOf(found);
    }

    private void add(List<SourceDiagnostic> found, String rule, String message) {
        if (counts.containsKey(rule)) {
            found.add(
                    new SourceDiagnostic(rule, counts.get(rule), examples.get(rule), counts.get(rule) + " " + message));
        }
    }

    synchronized List<SourceDiagnostic> remarks() {
        return remarks;
    }
}
