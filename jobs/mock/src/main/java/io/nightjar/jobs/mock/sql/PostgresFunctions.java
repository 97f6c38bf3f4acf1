package io.nightjar.jobs.mock.sql;

import io.nightjar.jobs.mock.MockException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;
import org.h2.value.Value;
import org.h2.value.ValueNull;
import org.jspecify.annotations.Nullable;

/** Functions of PostgreSQL, some of them MySQL's too, that H2 does not have; H2 finds them by their names here. */
public final class PostgresFunctions {

    /** Instead of H2's own, which returns NULL where there is none yet. */
    public static final String LASTVAL = "nightjar_lastval";

    /** Instead of H2's own, which sets nothing. */
    public static final String SET_CONFIG = "nightjar_set_config";

    /** All sequences as a table, with those of columns, which H2's own list leaves out. */
    public static final String SEQUENCES = "nightjar_sequences";

    /** Where they are found too when the path that a client sets has not got the usual schema. */
    static final String SCHEMA = "nightjar_functions";

    private static final String[][] METHODS = {
        {"pg_backend_pid", "backendPid"},
        {"setval", "setSequence"},
        {LASTVAL, "lastNumber"},
        {"pg_get_serial_sequence", "serialSequence"},
        {SEQUENCES, "sequences"},
        {"md5", "md5"},
        {"pg_is_in_recovery", "isInRecovery"},
        {"to_regclass", "relation"},
        {"to_regtype", "type"},
        {"current_setting", "setting"},
        {SET_CONFIG, "set"},
        {"reverse", "reverse"},
        {"txid_current", "transactionId"},
        {"split_part", "part"},
        {"starts_with", "startsWith"},
        {"pg_sleep", "sleep"}
    };

    /** Where H2 asks a function which columns its rows have. */
    private static final String COLUMNS_ONLY = "jdbc:columnlist:connection";

    private PostgresFunctions() {}

    /** How they are made known to a new database. */
    static List<String> aliases() {
        List<String> aliases = new ArrayList<>(List.of("CREATE SCHEMA " + SCHEMA));
        for (String[] method : METHODS) {
            addAliases(aliases, method[0], PostgresFunctions.class, method[1]);
        }
        AdvisoryLockFunctions.METHODS.forEach(
                (name, method) -> addAliases(aliases, name, AdvisoryLockFunctions.class, method));
        return aliases;
    }

    private static void addAliases(List<String> aliases, String name, Class<?> of, String method) {
        for (String schema : new String[] {"public", SCHEMA}) {
            aliases.add("CREATE ALIAS " + schema + "." + name + " FOR '" + of.getName() + "." + method + "'");
        }
    }

    public static int backendPid(Connection connection) throws SQLException {
        return (int) number(connection, "SELECT SESSION_ID()");
    }

    public static long transactionId(Connection connection) throws SQLException {
        return number(connection, "SELECT SESSION_ID()");
    }

    public static boolean isInRecovery() {
        return false;
    }

    /** The name of a table or view, null if there is none. */
    public static @Nullable String relation(Connection connection, @Nullable String name) throws SQLException {
        if (name == null) {
            return null;
        }
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT table_name FROM information_schema.tables WHERE table_name = ?")) {
            statement.setString(1, withoutSchema(name));
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? rows.getString(1) : null;
            }
        }
    }

    /** Types that are asked for so are those of extensions, of which there are none. */
    public static @Nullable String type(@Nullable String name) {
        return null;
    }

    /** Returns what a client has set, or there is without; null if that is nothing. */
    public static @Nullable String setting(Connection connection, @Nullable String name) throws SQLException {
        return setting(connection, name, false);
    }

    /** Returns a setting; null for an unknown one if it may be missing. */
    public static @Nullable String setting(Connection connection, @Nullable String name, boolean mayBeMissing)
            throws SQLException {
        if (name == null) {
            return null;
        }
        try {
            return settings(connection).apply(name);
        } catch (MockException unknown) {
            if (mayBeMissing) {
                return null;
            }
            throw new SQLException(unknown.getMessage(), unknown.sqlState(), unknown);
        }
    }

    /** Sets something once the statement has run. */
    public static @Nullable String set(Connection connection, String name, @Nullable String value, boolean isLocal) {
        SessionLocal session = session(connection);
        String wanted = value == null ? "default" : value;
        SqlEngine.of(session.getDatabase())
                .context(session)
                .asked()
                .add(new AskedSetting(name.toLowerCase(Locale.ROOT), wanted, isLocal));
        return value;
    }

    private static UnaryOperator<String> settings(Connection connection) {
        SessionLocal session = (SessionLocal) ((JdbcConnection) connection).getSession();
        return SqlEngine.of(session.getDatabase()).context(session).settings();
    }

    public static @Nullable String md5(@Nullable String text) throws NoSuchAlgorithmException {
        return text == null
                ? null
                : HexFormat.of()
                        .formatHex(MessageDigest.getInstance("MD5").digest(text.getBytes(StandardCharsets.UTF_8)));
    }

    public static @Nullable String reverse(@Nullable String text) {
        return text == null ? null : new StringBuilder(text).reverse().toString();
    }

    /** A part of a text between separators, from the end for a negative number; an empty text if there is none. */
    public static @Nullable String part(@Nullable String text, @Nullable String separator, @Nullable Integer number)
            throws SQLException {
        if (text == null || separator == null || number == null) {
            return null;
        }
        if (number == 0) {
            throw new SQLException("field position must not be zero", "22023");
        }
        String[] parts = separator.isEmpty() ? new String[] {text} : text.split(Pattern.quote(separator), -1);
        int place = number > 0 ? number - 1 : parts.length + number;
        return place < 0 || place >= parts.length ? "" : parts[place];
    }

    public static @Nullable Boolean startsWith(@Nullable String text, @Nullable String beginning) {
        return text == null || beginning == null ? null : text.startsWith(beginning);
    }

    /** Lets a sequence go on behind a number. */
    public static long setSequence(Connection connection, String sequence, long value) throws SQLException {
        return setSequence(connection, sequence, value, true);
    }

    /** Lets a sequence go on behind a number, or with it if it was not called yet. */
    public static long setSequence(Connection connection, String sequence, long value, boolean isCalled)
            throws SQLException {
        String restart = " RESTART WITH " + (isCalled ? Math.addExact(value, 1) : value);
        String column = OwnSequences.alteringColumnOf(session(connection), withoutSchema(sequence));
        try (Statement statement = connection.createStatement()) {
            statement.execute((column == null ? "ALTER SEQUENCE " + plain(sequence) : column) + restart);
        }
        return value;
    }

    /** The sequence of a column; null if it has none. */
    public static @Nullable String serialSequence(
            Connection connection, @Nullable String table, @Nullable String column) throws SQLException {
        if (table == null || column == null) {
            return null;
        }
        return OwnSequences.nameOf(session(connection), withoutSchema(table), column);
    }

    /** All sequences, each with the column that it numbers, if there is one. */
    public static ResultSet sequences(Connection connection) throws SQLException {
        boolean wantsColumns = connection.getMetaData().getURL().equals(COLUMNS_ONLY);
        return OwnSequences.all(session(connection), wantsColumns);
    }

    /** The number that any sequence gave last in this session. */
    public static long lastNumber(Connection connection) throws SQLException {
        Value last = session(connection).getLastIdentity();
        if (last == ValueNull.INSTANCE) {
            throw new SQLException("lastval is not yet defined in this session", "55000");
        }
        return last.getLong();
    }

    private static SessionLocal session(Connection connection) {
        return (SessionLocal) ((JdbcConnection) connection).getSession();
    }

    private static String withoutSchema(String name) {
        return name.substring(name.lastIndexOf('.') + 1).replace("\"", "");
    }

    private static String plain(String sequence) throws SQLException {
        if (!sequence.matches("[\\w.\"$ ]+")) {
            throw new SQLException("relation \"" + sequence + "\" does not exist", "42P01");
        }
        return sequence;
    }

    /** Waits, which is not allowed here while all others wait too. */
    public static void sleep(double seconds) throws SQLException {
        throw new SQLException("pg_sleep is not supported by this server: seconds=" + seconds, "0A000");
    }

    private static long number(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getLong(1);
        }
    }
}
