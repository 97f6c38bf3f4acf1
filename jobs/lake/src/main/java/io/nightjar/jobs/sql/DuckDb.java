package io.nightjar.jobs.sql;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import org.duckdb.DuckDBDriver;

/** An embedded database without external access: in memory, without network, with bounds on its resources. */
final class DuckDb {

    private static final long MIN_MEMORY_BYTES = 512L << 20;

    private DuckDb() {}

    /**
     * @param spillFolder folder for results that do not fit into memory; the database creates it on demand
     * @param mayUseNetwork whether extensions may be fetched, and remote files read with them
     */
    static Connection connect(Path spillFolder, boolean mayUseNetwork) throws SQLException {
        Connection connection = new DuckDBDriver().connect("jdbc:duckdb:", new Properties());
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET autoinstall_known_extensions = " + mayUseNetwork);
            statement.execute("SET autoload_known_extensions = " + mayUseNetwork);
            statement.execute("SET TimeZone = 'UTC'");
            statement.execute("SET parquet_metadata_cache = true");
            statement.execute("SET memory_limit = '" + (memoryBytes() >> 20) + "MiB'");
            statement.execute("SET temp_directory = " + LakeViews.literal(spillFolder.toString()));
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
        return connection;
    }

    /** Returns half of the memory of the machine or the container. */
    private static long memoryBytes() {
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return Math.max(MIN_MEMORY_BYTES, system.getTotalMemorySize() / 2);
    }
}
