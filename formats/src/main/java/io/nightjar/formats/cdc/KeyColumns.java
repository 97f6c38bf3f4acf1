package io.nightjar.formats.cdc;

import io.nightjar.formats.table.ColumnRole;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Key columns of each table: the columns named by an event of the log, otherwise the most likely column. */
final class KeyColumns {

    private final @Nullable String given;
    private final Map<String, List<String>> ofTable = new HashMap<>();
    private final Set<String> guessed = new TreeSet<>();

    /** @param columns the names configured by the user */
    KeyColumns(Map<ColumnRole, String> columns) {
        given = columns.get(ColumnRole.KEY);
    }

    /** Records the key columns that an event names; the first event of a table counts. */
    void learn(ChangeEvent event) {
        if (!event.keyNames.isEmpty()) {
            ofTable.putIfAbsent(event.table, List.copyOf(event.keyNames));
        }
    }

    /** Returns the names of the key's columns. */
    List<String> of(ChangeEvent event) {
        if (given != null) {
            return List.of(given);
        }
        List<String> known = ofTable.get(event.table);
        if (known == null) {
            known = List.of(guess(event.names));
            ofTable.put(event.table, known);
            guessed.add(event.table + "." + known.get(0));
        }
        return known;
    }

    private static String guess(List<String> names) {
        for (String usual : new String[] {"id", "key", "k", "pk"}) {
            for (String name : names) {
                if (name.equalsIgnoreCase(usual)) {
                    return name;
                }
            }
        }
        return names.get(0);
    }

    /** Returns the columns that are guessed to be keys because no event names any. */
    Set<String> guessed() {
        return guessed;
    }
}
