package io.nightjar.jobs.record;

import io.nightjar.datasets.jdbc.SqlIsolation;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Properties reported by a database. */
final class DatabaseFacts {

    private static final Pattern VERSION = Pattern.compile("\\d+(\\.\\d+)*");

    private static final Map<SqlIsolation, Integer> LEVELS = new EnumMap<>(Map.of(
            SqlIsolation.READ_UNCOMMITTED, Connection.TRANSACTION_READ_UNCOMMITTED,
            SqlIsolation.READ_COMMITTED, Connection.TRANSACTION_READ_COMMITTED,
            SqlIsolation.REPEATABLE_READ, Connection.TRANSACTION_REPEATABLE_READ,
            SqlIsolation.SERIALIZABLE, Connection.TRANSACTION_SERIALIZABLE));

    private DatabaseFacts() {}

    /** Returns its name and version. */
    static String name(DatabaseMetaData about) throws SQLException {
        Matcher version = VERSION.matcher(about.getDatabaseProductVersion());
        return about.getDatabaseProductName() + (version.find() ? " " + version.group() : "");
    }

    /** Returns the supported standard isolation levels. */
    static Set<SqlIsolation> offeredBy(DatabaseMetaData about) throws SQLException {
        Set<SqlIsolation> offered = EnumSet.noneOf(SqlIsolation.class);
        for (Map.Entry<SqlIsolation, Integer> level : LEVELS.entrySet()) {
            if (about.supportsTransactionIsolationLevel(level.getValue())) {
                offered.add(level.getKey());
            }
        }
        return offered;
    }
}
