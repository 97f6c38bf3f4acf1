package io.nightjar.datasets.jdbc;

import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Properties;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** The address of a database, with user, password and driver. All its messages are free of passwords. */
public final class JdbcAddress {

    /*
     * Three kinds of embedded databases give every connection a separate database unless it has a name. These addresses
     * get a name, because all sessions must use the same database.
     */

    private static final String H2_IN_MEMORY = "jdbc:h2:mem:";
    private static final String NO_ANSWER = "08001";

    /** Drivers log addresses that they do not understand, with their passwords. */
    private static final List<Logger> LOGS_OF_DRIVERS =
            List.of(Logger.getLogger("org.postgresql"), Logger.getLogger("org.mariadb.jdbc"));

    static {
        LOGS_OF_DRIVERS.forEach(log -> log.setLevel(Level.OFF));
    }

    private final String url;
    private final String given;
    private final @Nullable String user;
    private final @Nullable String password;
    private final Driver driver;
    private final SqlDialect dialect;
    private final Duration timeout;
    private final PasswordRedactor secrets;

    private JdbcAddress(
            String given, @Nullable String user, @Nullable String password, Driver driver, Duration timeout) {
        this.given = given;
        this.dialect = SqlDialect.of(given);
        this.url = shared(given, dialect);
        this.user = user;
        this.password = password;
        this.driver = driver;
        this.timeout = timeout;
        this.secrets = PasswordRedactor.of(given, password);
    }

    /**
     * @param user null if the address contains it, or none is needed
     * @param driverJar null if the driver is on the class path
     * @param timeout maximum time that the database may take for a response
     * @throws IllegalArgumentException if no driver supports the address
     */
    public static JdbcAddress of(
            String url, @Nullable String user, @Nullable String password, @Nullable Path driverJar, Duration timeout) {
        SqlDialect dialect = SqlDialect.of(url);
        Driver driver = driverJar == null ? known(url, dialect) : inJar(driverJar, url, dialect);
        try {
            if (!driver.acceptsURL(url)) {
                throw new IllegalArgumentException("driver does not understand the address: url=" + redactUrl(url));
            }
        } catch (SQLException notUnderstood) {
            throw new IllegalArgumentException(
                    "driver does not understand the address: url=" + redactUrl(url), notUnderstood);
        }
        return new JdbcAddress(url, user, password, driver, timeout);
    }

    /** Returns a copy with the given password. */
    public JdbcAddress withPassword(String other) {
        return new JdbcAddress(given, user, other, driver, timeout);
    }

    private static Driver known(String url, SqlDialect dialect) {
        if (dialect.driverClass() == null) {
            throw new IllegalArgumentException(
                    "no driver for this address: url=" + redactUrl(url) + DriverArtifacts.advice(url));
        }
        try {
            return (Driver) Class.forName(dialect.driverClass())
                    .getDeclaredConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException missing) {
            throw new IllegalArgumentException(
                    "driver missing: class=" + dialect.driverClass() + " artifact=" + dialect.artifact()
                            + "; fetch its jar from Maven Central and name it with --driver",
                    missing);
        }
    }

    private static Driver inJar(Path jar, String url, SqlDialect dialect) {
        if (!Files.isRegularFile(jar)) {
            throw new IllegalArgumentException("no such jar: --driver=" + jar);
        }
        try {
            // Never closed: connections load classes as long as they live.
            ClassLoader loader = new URLClassLoader(new URL[] {jar.toUri().toURL()}, null) {
                @Override
                protected Class<?> findClass(String name) throws ClassNotFoundException {
                    try {
                        return super.findClass(name);
                    } catch (ClassNotFoundException elsewhere) {
                        return JdbcAddress.class.getClassLoader().loadClass(name);
                    }
                }
            };
            Iterator<Driver> drivers = ServiceLoader.load(Driver.class, loader).iterator();
            while (drivers.hasNext()) {
                Driver driver = drivers.next();
                if (driver.acceptsURL(url)) {
                    return driver;
                }
            }
        } catch (MalformedURLException | SQLException | ServiceConfigurationError | LinkageError unusable) {
            throw new IllegalArgumentException(
                    "driver cannot be loaded: --driver=" + jar + " reason=" + unusable.getMessage(), unusable);
        }
        throw new IllegalArgumentException("driver in this jar does not support the address: --driver=" + jar + " url="
                + redactUrl(url) + (DriverArtifacts.of(url) == null ? "" : "; take " + DriverArtifacts.of(url)));
    }

    private static String shared(String url, SqlDialect dialect) {
        String name = "nightjar" + ProcessHandle.current().pid();
        if (dialect == SqlDialect.SQLITE && (url.equals("jdbc:sqlite:") || url.equals("jdbc:sqlite::memory:"))) {
            return "jdbc:sqlite:file:/" + name + "?vfs=memdb";
        }
        if (dialect == SqlDialect.DUCKDB && (url.equals("jdbc:duckdb:") || url.equals("jdbc:duckdb::memory:"))) {
            return "jdbc:duckdb::memory:" + name;
        }
        boolean isNameless = url.equals(H2_IN_MEMORY) || url.startsWith(H2_IN_MEMORY + ";");
        if (dialect == SqlDialect.H2 && isNameless) {
            return H2_IN_MEMORY + name + url.substring(H2_IN_MEMORY.length());
        }
        return url;
    }

    public SqlDialect dialect() {
        return dialect;
    }

    /** Returns the evidence that is recorded in addition to values and client times. */
    public SqlDialect.Certificates certificates(SqlIsolation isolation) {
        return dialect.certificates(url, isolation);
    }

    public Duration timeout() {
        return timeout;
    }

    public boolean isEmbedded() {
        return dialect.isEmbedded(url);
    }

    /**
     * Returns advice about an address that names a user in front of its host, as other tools accept it; empty for
     * others.
     */
    public String advice() {
        String rest = given.replaceFirst("[?;].*", "");
        boolean isRefused = dialect == SqlDialect.POSTGRESQL || dialect == SqlDialect.MARIADB;
        return isRefused && rest.contains("//") && rest.contains("@")
                ? "; the driver takes no user in front of the host, give --user and --password-env, or ?user=…&password=…"
                : "";
    }

    /** Returns host and port, or the file: the name of the node in a history. */
    public String node() {
        String rest = redactUrl(given).substring("jdbc:".length());
        rest = rest.substring(rest.indexOf(':') + 1);
        int end = rest.length();
        for (char stop : new char[] {'?', ';'}) {
            int at = rest.indexOf(stop);
            end = at >= 0 ? Math.min(end, at) : end;
        }
        String location = rest.substring(0, end);
        if (!location.startsWith("//")) {
            return location;
        }
        int database = location.indexOf('/', 2);
        return location.substring(
                location.lastIndexOf('@') + 1 > 2 ? location.lastIndexOf('@') + 1 : 2,
                database < 0 ? location.length() : database);
    }

    /** Connects, within the time limit of the database. */
    public Connection connect() throws SQLException {
        return connect(new Properties());
    }

    /** Returns a copy with further properties for the driver. */
    public Connection connect(Properties more) throws SQLException {
        return answer(() -> connectNow(more));
    }

    /** A query to the database. */
    @FunctionalInterface
    public interface Question<T> {

        /** Executes the query; null if its result may be missing. */
        @Nullable
        T ask() throws SQLException;
    }

    /** Executes a query, and waits at most for the time limit: some drivers have no time-out, and hang. */
    public <T> T answer(Question<T> question) throws SQLException {
        FutureTask<T> attempt = new FutureTask<>(question::ask);
        Thread thread = new Thread(attempt, "ask");
        thread.setDaemon(true);
        thread.start();
        try {
            return attempt.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException tooLate) {
            attempt.cancel(true);
            throw new SQLException("no answer: timeout=" + timeout.toMillis() + "ms", NO_ANSWER);
        } catch (InterruptedException interrupted) {
            attempt.cancel(true);
            Thread.currentThread().interrupt();
            throw new SQLException("interrupted", NO_ANSWER, interrupted);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof SQLException reason) {
                throw reason;
            }
            throw new SQLException(String.valueOf(failed.getCause()), NO_ANSWER, failed.getCause());
        }
    }

    private Connection connectNow(Properties more) throws SQLException {
        Properties properties = new Properties();
        properties.putAll(more);
        if (user != null) {
            properties.setProperty("user", user);
        }
        if (password != null) {
            properties.setProperty("password", password);
        }
        if (dialect == SqlDialect.POSTGRESQL && !url.contains("connectTimeout")) {
            properties.setProperty("connectTimeout", Long.toString(Math.max(1, timeout.toSeconds())));
        }
        Connection connection = driver.connect(url, properties);
        if (connection == null) {
            throw new SQLException("driver does not support the address", NO_ANSWER);
        }
        try {
            limitWaiting(connection);
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
        return connection;
    }

    private void limitWaiting(Connection connection) throws SQLException {
        int millis = (int) Math.min(Integer.MAX_VALUE, timeout.toMillis());
        switch (dialect) {
            case POSTGRESQL, MARIADB, MYSQL -> connection.setNetworkTimeout(Runnable::run, millis);
            case SQLITE -> execute(connection, "PRAGMA busy_timeout = " + millis);
            case H2 -> execute(connection, "SET LOCK_TIMEOUT " + Math.min(millis, 2_000));
            default -> {
                return;
            }
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    // ---------------------------------------------------------------- secrets

    /** Returns the address in its public form. */
    public String shown() {
        String free = redactUrl(given);
        return password == null || password.length() < 2 ? free : free.replace(password, "***");
    }

    /** Returns a text without the passwords of this address. */
    public String redact(String text) {
        return secrets.hide(text);
    }

    /** Returns an address without its passwords. */
    public static String redactUrl(String url) {
        return PasswordRedactor.hiddenIn(url);
    }
}
