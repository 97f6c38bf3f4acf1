package io.nightjar.jdbc;

import io.nightjar.jdbc.RecordedTable.RowImage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Buffer that releases transactions to the archive in an order in which none precedes a transaction that it has read
 * from.
 */
final class CausalOrderBuffer {

    /*
     * A killed process leaves the transactions that had ended. The archive must not contain a transaction without a
     * transaction that it read from: its read would have no writer. So a transaction waits as long as any that it may
     * have read from, directly or through other waiting ones, is open. Such a transaction has written the row as it was
     * read, or its auto-committed statement is running on the table: it is visible before its result is received.
     */

    private final Consumer<JdbcTxn> target;
    private final Map<RowImage, List<JdbcTxn>> writersOf = new HashMap<>();
    private final Map<RecordedTable, Set<JdbcTxn>> atWorkOn = new HashMap<>();
    private final List<JdbcTxn> waiting = new ArrayList<>();

    CausalOrderBuffer(Consumer<JdbcTxn> target) {
        this.target = target;
    }

    void isAtWork(JdbcTxn txn, RecordedTable table) {
        atWorkOn.computeIfAbsent(table, any -> new HashSet<>()).add(txn);
    }

    void wrote(JdbcTxn txn, RowImage row) {
        writersOf.computeIfAbsent(row, any -> new ArrayList<>(1)).add(txn);
        txn.written.add(row);
    }

    void read(JdbcTxn txn, RecordedTable table, RowImage row) {
        addOthers(txn, writersOf.get(row));
        addOthers(txn, atWorkOn.get(table));
    }

    /** Adds a read that found a row of unknown content. */
    void found(JdbcTxn txn, RecordedTable table, String key) {
        writersOf.forEach((row, writers) -> addOthers(txn, row.key().equals(key) ? writers : null));
        addOthers(txn, atWorkOn.get(table));
    }

    private static void addOthers(JdbcTxn txn, @Nullable Iterable<JdbcTxn> writers) {
        if (writers == null) {
            return;
        }
        for (JdbcTxn writer : writers) {
            if (writer != txn) {
                txn.readFrom.add(writer);
            }
        }
    }

    /** Ends a transaction. */
    void end(JdbcTxn txn) {
        waiting.add(txn);
        Set<JdbcTxn> blocked = new HashSet<>();
        boolean grows = true;
        while (grows) {
            grows = false;
            for (JdbcTxn each : waiting) {
                grows |= !blocked.contains(each) && isHeldBack(each, blocked) && blocked.add(each);
            }
        }
        for (Iterator<JdbcTxn> all = waiting.iterator(); all.hasNext(); ) {
            JdbcTxn each = all.next();
            if (!blocked.contains(each)) {
                all.remove();
                release(each);
            }
        }
    }

    private static boolean isHeldBack(JdbcTxn txn, Set<JdbcTxn> blocked) {
        for (JdbcTxn writer : txn.readFrom) {
            if (!writer.isOver() || blocked.contains(writer)) {
                return true;
            }
        }
        return false;
    }

    private void release(JdbcTxn txn) {
        txn.readFrom.clear();
        for (RowImage row : txn.written) {
            writersOf.computeIfPresent(row, (any, writers) -> {
                writers.remove(txn);
                return writers.isEmpty() ? null : writers;
            });
        }
        atWorkOn.values().removeIf(txns -> txns.remove(txn) && txns.isEmpty());
        target.accept(txn);
    }

    /** Passes on all transactions that wait, when nothing more will come. */
    void endAll() {
        List<JdbcTxn> left = new ArrayList<>(waiting);
        waiting.clear();
        left.forEach(this::release);
    }

    int waitingCount() {
        return waiting.size();
    }
}
