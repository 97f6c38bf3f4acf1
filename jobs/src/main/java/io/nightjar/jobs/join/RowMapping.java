package io.nightjar.jobs.join;

import io.nightjar.formats.text.JsonItems;
import io.nightjar.jobs.join.CommitLog.Change;
import java.util.HashMap;
import java.util.Map;

/**
 * How clients call what the log changes: a row by its table and key or by its key alone, its content as a whole or one of its
 * columns. Learned from the transactions that both sides have.
 */
final class RowMapping {

    private static final String WHOLE = "";

    private final Map<String, Long> votes = new HashMap<>(); // for "K column" and "R column": key alone, with the table
    private boolean isKeyAlone;
    private String column = WHOLE;
    private boolean isLearned;

    /** A client wrote this in a transaction of which the log has the change. */
    void look(String key, String value, Change change) {
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
            votes.merge(by + WHOLE, 1L, Long::sum);
        }
        if (change.value().startsWith("{") && JsonItems.parse(change.value()) instanceof Map<?, ?> row) {
            row.forEach((name, content) -> {
                if (value.equals(JsonItems.text(content))) {
                    votes.merge(by + name, 1L, Long::sum);
                }
            });
        }
    }

    /** Decides for what explains most. */
    void decide() {
        long most = 0;
        for (Map.Entry<String, Long> vote : votes.entrySet()) {
            boolean isBetter = vote.getValue() > most
                    || vote.getValue() == most && vote.getKey().length() < column.length() + 2;
            if (isBetter) {
                most = vote.getValue();
                isKeyAlone = vote.getKey().startsWith("K");
                column = vote.getKey().substring(2);
            }
        }
        isLearned = most > 0;
    }

    /** Whether any write of a client was found among the changes. */
    boolean isLearned() {
        return isLearned;
    }

    String key(Change change) {
        return isKeyAlone ? keyAlone(change.key()) : change.key();
    }

    /** Null for a row that was deleted, or does not have the column. */
    String value(Change change) {
        if (column.equals(WHOLE) || change.value() == null) {
            return change.value();
        }
        return JsonItems.text(JsonItems.member(JsonItems.parse(change.value()), column));
    }

    private static String keyAlone(String key) {
        return key.substring(key.indexOf('/') + 1);
    }

    /** As the report says it. */
    String shown() {
        if (!isLearned) {
            return "key and value of no write are those of a change: name them with --map key=COLUMN,value=COLUMN";
        }
        return "key=" + (isKeyAlone ? "without its table" : "with its table") + " value="
                + (column.equals(WHOLE) ? "the whole row" : column);
    }
}
