package io.nightjar.jdbc;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Driver that connects to any database with an available driver, and records the operations of the connection.
 *
 * <p>{@code jdbc:nightjar:postgresql://localhost/shop?nightjar.archive=run} is {@code jdbc:postgresql://localhost/shop}, recorded into the
 * folder {@code run}.
 */
public final class RecordingDriver implements Driver {

    static {
        try {
            DriverManager.registerDriver(new RecordingDriver());
        } catch (SQLException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Recording of one folder: one database, by any number of connections. */
    private record Recording(JdbcArchive archive, DatabaseTables tables, String database) {}

    private static final Map<Path, Recording> RECORDINGS = new HashMap<>();

    @Override
    public @Nullable Connection connect(String url, @Nullable Properties info) throws SQLException {
        if (!acceptsURL(url)) {
            return null;
        }
        RecordingAddress address = RecordingAddress.of(url, info == null ? new Properties() : info);
        requireDriver(address.target());
        Connection connection = DriverManager.getConnection(address.target(), address.properties());
        try {
            return recorded(connection, address);
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    /** Throws the exception for a missing driver: that of the manager would quote the address with its password. */
    private static void requireDriver(String target) throws SQLException {
        try {
            DriverManager.getDriver(target);
        } catch (SQLException none) {
            String kind = target.substring(0, Math.max(0, target.indexOf(':', "jdbc:".length())));
            throw RecordingAddress.refused("no driver for the database: url=" + kind
                    + ":…; put its jar on the class path, and load its class where this is not automatic");
        }
    }

    private static Connection recorded(Connection connection, RecordingAddress address) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName();
        Recording recording = recording(connection, address);
        recording.archive.opened();
        try {
            SessionRecorder log = session(recording, JdbcProduct.of(product), connection);
            return new RecordedConnection(connection, log).proxy(Connection.class);
        } catch (SQLException | RuntimeException notTakenIn) {
            recording.archive.closed();
            throw notTakenIn;
        }
    }

    private static Recording recording(Connection connection, RecordingAddress address) throws SQLException {
        synchronized (RECORDINGS) {
            Recording there = RECORDINGS.get(address.archive());
            if (there == null) {
                there = begin(connection, address);
                RECORDINGS.put(address.archive(), there);
            } else if (!there.database.equals(database(connection, address))) {
                throw RecordingAddress.refused("one archive is of one database: folder=" + address.archive()
                        + "; name another folder for the other one");
            }
            return there;
        }
    }

    private static Recording begin(Connection connection, RecordingAddress address) throws SQLException {
        JdbcArchive archive = new JdbcArchive(address.archive());
        Runtime.getRuntime().addShutdownHook(new Thread(archive::end, "nightjar-archive"));
        archive.database(connection.getMetaData().getDatabaseProductName() + " "
                + connection.getMetaData().getDatabaseProductVersion());
        JdbcProduct product = JdbcProduct.of(connection.getMetaData().getDatabaseProductName());
        DatabaseTables tables = new DatabaseTables(archive, product, address.maxRows(), address.tables());
        return new Recording(archive, tables, database(connection, address));
    }

    /** Opens a session. The tables that its names refer to are archived first, in one transaction. */
    private static SessionRecorder session(Recording recording, JdbcProduct product, Connection connection)
            throws SQLException {
        boolean isItself = connection.getAutoCommit();
        connection.setAutoCommit(false);
        try {
            SessionRecorder log = new SessionRecorder(recording.archive, recording.tables, product, connection);
            connection.commit();
            return log;
        } finally {
            connection.setAutoCommit(isItself);
        }
    }

    /** Returns the address without who connects and how. */
    private static String database(Connection connection, RecordingAddress address) throws SQLException {
        return address.target().split("[?;]", 2)[0] + " " + connection.getCatalog();
    }

    @Override
    public boolean acceptsURL(@Nullable String url) {
        return url != null && url.startsWith(RecordingAddress.PREFIX);
    }

    @Override
    public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) {
        DriverPropertyInfo archive = new DriverPropertyInfo("nightjar.archive", null);
        archive.description = "The folder that the recording goes to.";
        archive.required = true;
        return new DriverPropertyInfo[] {archive};
    }

    @Override
    public int getMajorVersion() {
        return 1;
    }

    @Override
    public int getMinorVersion() {
        return 0;
    }

    @Override
    public boolean jdbcCompliant() {
        return false;
    }

    @Override
    public Logger getParentLogger() {
        return Logger.getLogger("io.nightjar.jdbc");
    }
}
