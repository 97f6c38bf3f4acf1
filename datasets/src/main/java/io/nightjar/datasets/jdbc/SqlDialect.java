package io.nightjar.datasets.jdbc;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The SQL dialects that are supported, and how they differ. */
public enum SqlDialect {
    POSTGRESQL("jdbc:postgresql:", "org.postgresql.Driver", "org.postgresql:postgresql"),
    MARIADB("jdbc:mariadb:", "org.mariadb.jdbc.Driver", "org.mariadb.jdbc:mariadb-java-client"),
    MYSQL("jdbc:mysql:", "com.mysql.cj.jdbc.Driver", "com.mysql:mysql-connector-j"),
    H2("jdbc:h2:", "org.h2.Driver", "com.h2database:h2"),
    HSQLDB("jdbc:hsqldb:", "org.hsqldb.jdbc.JDBCDriver", "org.hsqldb:hsqldb"),
    SQLITE("jdbc:sqlite:", "org.sqlite.JDBC", "org.xerial:sqlite-jdbc"),
    DUCKDB("jdbc:duckdb:", "org.duckdb.DuckDBDriver", "org.duckdb:duckdb_jdbc"),
    /** Any other: plain SQL, and the metadata of its driver. */
    OTHER("jdbc:", null, null);

    private final String prefix;
    private final @Nullable String driverClass;
    private final @Nullable String artifact;

    SqlDialect(String prefix, @Nullable String driverClass, @Nullable String artifact) {
        this.prefix = prefix;
        this.driverClass = driverClass;
        this.artifact = artifact;
    }

    /**
     * Returns the dialect of the database that an address names; an {@code IllegalArgumentException} if it is none of
     * JDBC.
     */
    public static SqlDialect of(String url) {
        for (SqlDialect one : values()) {
            if (url.startsWith(one.prefix)) {
                return one;
            }
        }
        throw new IllegalArgumentException("not an address of JDBC: url=" + JdbcAddress.redactUrl(url)
                + " expected=jdbc:postgresql://HOST/DATABASE or the like");
    }

    /** Returns the class of the driver; null if the driver registers itself. */
    @Nullable
    String driverClass() {
        return driverClass;
    }

    /** Returns group and name of the driver's artifact; null if unknown. */
    @Nullable
    String artifact() {
        return artifact;
    }

    /** Returns whether the database runs in this process, so that no response of it can be lost. */
    public boolean isEmbedded(String url) {
        return switch (this) {
            case SQLITE, DUCKDB -> true;
            case H2 -> !url.startsWith("jdbc:h2:tcp:") && !url.startsWith("jdbc:h2:ssl:");
            case HSQLDB -> !url.startsWith("jdbc:hsqldb:hsql") && !url.startsWith("jdbc:hsqldb:http");
            default -> false;
        };
    }

    /** Returns the levels that the database has; null if only its driver reports them. */
    public @Nullable Set<SqlIsolation> offered() {
        return switch (this) {
            case POSTGRESQL, MARIADB, MYSQL, HSQLDB ->
                EnumSet.of(
                        SqlIsolation.READ_UNCOMMITTED,
                        SqlIsolation.READ_COMMITTED,
                        SqlIsolation.REPEATABLE_READ,
                        SqlIsolation.SERIALIZABLE);
            case H2 -> EnumSet.allOf(SqlIsolation.class);
            case SQLITE -> EnumSet.of(SqlIsolation.SERIALIZABLE);
            case DUCKDB -> EnumSet.of(SqlIsolation.SNAPSHOT);
            case OTHER -> null;
        };
    }

    /**
     * Returns the evidence that is recorded in addition to values and client times. Snapshots by a register of commits
     * only if reading it does not wait, and if one snapshot shows all tables.
     */
    public Certificates certificates(String url, SqlIsolation isolation) {
        boolean hasSnapshots =
                switch (this) {
                    case POSTGRESQL, SQLITE -> true;
                    case H2 -> isolation != SqlIsolation.REPEATABLE_READ; // its tables are not of one moment there
                    case HSQLDB -> url.contains("hsqldb.tx=mvcc");
                    case MARIADB, MYSQL -> isolation != SqlIsolation.SERIALIZABLE; // reads lock there
                    case DUCKDB, OTHER -> false;
                };
        return hasSnapshots ? Certificates.SNAPSHOTS : Certificates.VERSIONS;
    }

    /** Returns whether snapshots are read from a table into which each writer inserts its number. */
    boolean hasRegister() {
        return this == H2 || this == HSQLDB || this == MARIADB || this == MYSQL;
    }

    /** The evidence of the order of its transactions that a database can provide. */
    public enum Certificates {
        /** The snapshot of each transaction, the position of its commit, and the versions of rows. */
        SNAPSHOTS("snapshots"),
        /** Number of earlier writes of the row. */
        VERSIONS("versions"),
        NONE("none");

        private final String word;

        Certificates(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }
    }

    // ---------------------------------------------------------------- statements

    String textType() {
        return switch (this) {
            case H2, HSQLDB, OTHER -> "VARCHAR(1000000)";
            default -> "TEXT";
        };
    }

    /** Returns the text after the columns of a new table. */
    String tableSuffix() {
        return this == MARIADB || this == MYSQL ? " ENGINE=InnoDB" : "";
    }

    /** Returns an expression that appends a parameter to a text. */
    String appended(String column) {
        return this == MARIADB || this == MYSQL ? "CONCAT(" + column + ", ?)" : column + " || ?";
    }

    /** Returns whether the first append to a list inserts its row, as in applications; otherwise rows exist before. */
    boolean insertsLists() {
        return this == POSTGRESQL;
    }

    /** Returns the text after a query that locks the rows it reads, as an update would. */
    String locking() {
        return switch (this) {
            case POSTGRESQL, MARIADB, MYSQL, H2 -> " FOR UPDATE";
            case HSQLDB, SQLITE, DUCKDB, OTHER -> "";
        };
    }

    /** Returns an update that returns columns of the new row; null if that takes a separate statement. */
    @Nullable
    String returning(String update, List<String> columns) {
        return switch (this) {
            case POSTGRESQL, SQLITE, DUCKDB -> update + " RETURNING " + String.join(", ", columns);
            case H2 -> "SELECT " + String.join(", ", columns) + " FROM FINAL TABLE (" + update + ")";
            default -> null;
        };
    }
}
