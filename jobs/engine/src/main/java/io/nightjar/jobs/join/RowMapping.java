package io.nightjar.jobs.join;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.text.JsonItems;
import io.nightjar.jobs.join.CommitLog.Change;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The mapping of the client's keys to rows of the log: a row by its table and key or by its key alone, its content as a
 * whole or a single column. Learned from the transactions that both sides have.
 */
final class RowMapping {

    private static final String WHOLE = "";

    // votes for "K column" and "R column": key alone, with the table
    private final Map<String, Long> votes = new HashMap<>();
    private final Map<String, Set<String>> tablesOf = new HashMap<>(); // by vote: tables whose rows have it
    private final Map<String, Integer> tables = new HashMap<>(); // table numbers by name, once the mapping is decided
    private final BitSet shared = new BitSet(); // tables that have a key of another one
    private final Long2IntOpenHashMap tableOf = new Long2IntOpenHashMap(); // by the hash of a key alone, plus one
    private boolean isKeyAlone;
    private String column = WHOLE;
    private boolean isLearned;
    private @Nullable String clash; // a key that clients wrote in two tables

    /** Inspects a write of a client, in a transaction of which the log has the change. */
    void inspect(String key, String value, Change change) {
        if (change.value() == null) {
            return;
        }
        boolean isSame = change.key().equals(key);
        boolean isAlone = keyAlone(change.key()).equals(key);
        if (!isSame && !isAlone) {
            return;
        }
        String by = isSame ? "R " : "K ";
        if (change.value().equals(value)) {
            vote(by + WHOLE, change);
        }
        if (change.value().startsWith("{") && JsonItems.parse(change.value()) instanceof Map<?, ?> row) {
            row.forEach((name, content) -> {
                if (value.equals(JsonItems.text(content))) {
                    vote(by + name, change);
                }
            });
        }
    }

    private void vote(String by, Change change) {
        votes.merge(by, 1L, Long::sum);
        tablesOf.computeIfAbsent(by, unseen -> new HashSet<>()).add(table(change.key()));
    }

    /** Chooses the mapping that explains the largest number of operations. */
    void decide() {
        long maxCount = 0;
        for (Map.Entry<String, Long> vote : votes.entrySet()) {
            boolean isBetter = vote.getValue() > maxCount
                    || vote.getValue() == maxCount && vote.getKey().length() < column.length() + 2;
            if (isBetter) {
                maxCount = vote.getValue();
                isKeyAlone = vote.getKey().startsWith("K");
                column = vote.getKey().substring(2);
            }
        }
        isLearned = maxCount > 0;
    }

    /** Shows a change of the log, each before the first question of {@link #isLeftOut}. */
    void meet(Change change) {
        if (isKeyAlone) {
            int table = tables.computeIfAbsent(table(change.key()), unseen -> tables.size());
            int before = tableOf.put(CommitLog.hash(keyAlone(change.key())), table + 1) - 1;
            if (before >= 0 && before != table) {
                shared.set(before);
                shared.set(table);
                clash = clash == null ? clash(before, change) : clash;
            }
        }
    }

    /** Returns the key and the tables of two changes that clash; null unless clients wrote rows of both tables. */
    private @Nullable String clash(int other, Change change) {
        Set<String> written = tablesOf.getOrDefault("K " + column, Set.of());
        String table = table(change.key());
        for (Map.Entry<String, Integer> each : tables.entrySet()) {
            if (each.getValue() == other && written.contains(each.getKey()) && written.contains(table)) {
                return "key=" + keyAlone(change.key()) + " tables=" + each.getKey() + "," + table;
            }
        }
        return null;
    }

    /**
     * Returns a key that two tables have and of which clients wrote rows, so that it is unknown which row they mean;
     * null if none exists.
     */
    @Nullable
    String clash() {
        return clash;
    }

    /**
     * Returns whether a row would be mistaken for a row of another table: clients name keys alone, and wrote none of
     * its table.
     */
    boolean isLeftOut(Change change) {
        String table = table(change.key());
        return isKeyAlone
                && !tablesOf.getOrDefault("K " + column, Set.of()).contains(table)
                && shared.get(requireNonNull(tables.get(table)));
    }

    /** Returns whether any write of a client was found among the changes. */
    boolean isLearned() {
        return isLearned;
    }

    String key(Change change) {
        return isKeyAlone ? keyAlone(change.key()) : change.key();
    }

    /** Returns the content that clients observe; null for a row that was deleted, or does not have the column. */
    @Nullable
    String value(Change change) {
        if (column.equals(WHOLE) || change.value() == null) {
            return change.value();
        }
        return JsonItems.text(JsonItems.member(JsonItems.parse(change.value()), column));
    }

    static String table(String key) {
        return key.substring(0, Math.max(0, key.indexOf('/')));
    }

    private static String keyAlone(String key) {
        return key.substring(key.indexOf('/') + 1);
    }

    /** Returns the text that the report shows. */
    String shown() {
        if (!isLearned) {
            return "no write has the key and value of a change: name them with --map key=COLUMN,value=COLUMN";
        }
        return "key=" + (isKeyAlone ? "without its table" : "with its table") + " value="
                + (column.equals(WHOLE) ? "the whole row" : column);
    }
}
