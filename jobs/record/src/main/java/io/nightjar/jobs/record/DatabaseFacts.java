package io.nightjar.jobs.record;

import io.nightjar.datasets.jdbc.SqlIsolation;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Properties reported by a database. */
final class DatabaseFacts {

    private static final Pattern VERSION = Pattern.compile("\\d+(\\.\\d+)*");

    private DatabaseFacts() {}

    /** Returns its name and version. */
    static String name(DatabaseMetaData about) throws SQLException {
        Matcher version = VERSION.matcher(about.getDatabaseProductVersion());
        return about.getDatabaseProductName() + (version.find() ? " " + version.group() : "");
    }

    /** Returns the supported standard isolation levels. */
    static Set<SqlIsolation> offeredBy(DatabaseMetaData about) throws SQLException {
        Set<SqlIsolation> offered = EnumSet.noneOf(SqlIsolation.class);
        for (SqlIsolation level : SqlIsolation.values()) {
            if (level != SqlIsolation.SNAPSHOT && about.supportsTransactionIsolationLevel(level.jdbcLevel())) {
                offered.add(level);
            }
        }
        return offered;
    }
}
