package io.nightjar.datasets.jdbc;

import java.sql.Connection;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The isolation levels of databases. */
public enum SqlIsolation {
    READ_UNCOMMITTED("read-uncommitted", Connection.TRANSACTION_READ_UNCOMMITTED, "ru"),
    READ_COMMITTED("read-committed", Connection.TRANSACTION_READ_COMMITTED, "rc"),
    REPEATABLE_READ("repeatable-read", Connection.TRANSACTION_REPEATABLE_READ, "rr"),
    SNAPSHOT("snapshot", Connection.TRANSACTION_NONE, "si", "snapshot-isolation"),
    SERIALIZABLE("serializable", Connection.TRANSACTION_SERIALIZABLE, "ser");

    private final String word;
    private final int jdbcLevel;
    private final List<String> aliases;

    SqlIsolation(String word, int jdbcLevel, String... aliases) {
        this.word = word;
        this.jdbcLevel = jdbcLevel;
        this.aliases = List.of(aliases);
    }

    /** Returns the word on the command line. */
    public String word() {
        return word;
    }

    /** Returns the constant of {@link Connection}; {@link #SNAPSHOT} has none. */
    public int jdbcLevel() {
        return jdbcLevel;
    }

    /** Returns the level with this word or a shorter one; an {@code IllegalArgumentException} lists the words. */
    public static SqlIsolation byName(String name) {
        String asked = name.strip().toLowerCase(Locale.ROOT);
        for (SqlIsolation one : values()) {
            if (one.word.equals(asked) || one.aliases.contains(asked)) {
                return one;
            }
        }
        throw new IllegalArgumentException("unknown isolation level: isolation=" + name + " expected="
                + String.join(
                        "|", Arrays.stream(values()).map(SqlIsolation::word).toList()));
    }
}
