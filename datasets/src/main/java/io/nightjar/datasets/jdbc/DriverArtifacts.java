package io.nightjar.datasets.jdbc;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The Maven Central artifacts with the drivers of addresses, for drivers that are not bundled. */
final class DriverArtifacts {

    private static final Map<String, String> BY_PREFIX = new TreeMap<>(Map.ofEntries(
            Map.entry("jdbc:oracle:", "com.oracle.database.jdbc:ojdbc11"),
            Map.entry("jdbc:sqlserver:", "com.microsoft.sqlserver:mssql-jdbc"),
            Map.entry("jdbc:db2:", "com.ibm.db2:jcc"),
            Map.entry("jdbc:yugabytedb:", "com.yugabyte:jdbc-yugabytedb"),
            Map.entry("jdbc:derby:", "org.apache.derby:derby"),
            Map.entry("jdbc:firebirdsql:", "org.firebirdsql.jdbc:jaybird"),
            Map.entry("jdbc:firebird:", "org.firebirdsql.jdbc:jaybird"),
            Map.entry("jdbc:sap:", "com.sap.cloud.db.jdbc:ngdbc"),
            Map.entry("jdbc:informix-sqli:", "com.ibm.informix:jdbc"),
            Map.entry("jdbc:cloudspanner:", "com.google.cloud:google-cloud-spanner-jdbc"),
            Map.entry("jdbc:singlestore:", "com.singlestore:singlestore-jdbc-client"),
            Map.entry("jdbc:snowflake:", "net.snowflake:snowflake-jdbc"),
            Map.entry("jdbc:redshift:", "com.amazon.redshift:redshift-jdbc42"),
            Map.entry("jdbc:clickhouse:", "com.clickhouse:clickhouse-jdbc"),
            Map.entry("jdbc:trino:", "io.trino:trino-jdbc"),
            Map.entry("jdbc:vertica:", "com.vertica.jdbc:vertica-jdbc"),
            Map.entry("jdbc:exa:", "com.exasol:exasol-jdbc")));

    /** Databases that speak another one's protocol: by the name that people try, the address that does. */
    private static final Map<String, String> SPEAKING = Map.of(
            "jdbc:cockroachdb:", "jdbc:postgresql://HOST:26257/DATABASE",
            "jdbc:cockroach:", "jdbc:postgresql://HOST:26257/DATABASE",
            "jdbc:yugabyte:", "jdbc:postgresql://HOST:5433/DATABASE",
            "jdbc:tidb:", "jdbc:mysql://HOST:4000/DATABASE",
            "jdbc:postgres:", "jdbc:postgresql://HOST/DATABASE");

    private DriverArtifacts() {}

    /** Returns advice about an address that no bundled driver supports. */
    static String advice(String url) {
        for (Map.Entry<String, String> known : SPEAKING.entrySet()) {
            if (url.startsWith(known.getKey())) {
                return "; write " + known.getValue();
            }
        }
        String artifact = of(url);
        return artifact == null
                ? "; name its jar with --driver, or use one of postgresql|mariadb|h2|hsqldb|sqlite|duckdb"
                : " artifact=" + artifact + "; fetch its jar from Maven Central and name it with --driver";
    }

    /** Returns group and name; null if unknown. */
    static @Nullable String of(String url) {
        for (Map.Entry<String, String> known : BY_PREFIX.entrySet()) {
            if (url.startsWith(known.getKey())) {
                return known.getValue();
            }
        }
        return SqlDialect.of(url).artifact();
    }
}
