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
import java.util.regex.Pattern;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;
import org.h2.value.Value;
import org.h2.value.ValueNull;
import org.jspecify.annotations.Nullable;

/** PostgreSQL functions that H2 lacks, some also used for MySQL; H2 finds the methods by their names. */
public final class PostgresFunctions {

    /** Replaces H2's function, which returns NULL if the session has not used a sequence. */
    public static final String LASTVAL = "nightjar_lastval";

    /** Replaces H2's function, which has no effect. */
    public static final String SET_CONFIG = "nightjar_set_config";

    /** Table function for all sequences, including column sequences, which H2's list omits. */
    public static final String SEQUENCES = "nightjar_sequences";

    /** Schema in which functions are also found if the client's path lacks the default schema. */
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
        {"split_part", "splitPart"},
        {"starts_with", "startsWith"},
        {"pg_sleep", "sleep"}
    };

    /** URL by which H2 requests the columns of a table function. */
    private static final String COLUMNS_ONLY = "jdbc:columnlist:connection";

    private PostgresFunctions() {}

    /** Returns the statements that register the functions in a new database. */
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

    /** Returns the name of a table or view, null if absent. */
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

    /** Returns null: clients use this function only for types of extensions, which do not exist here. */
    public static @Nullable String type(@Nullable String name) {
        return null;
    }

    /** Returns a client setting or its default; null if it is empty. */
    public static @Nullable String setting(Connection connection, @Nullable String name) throws SQLException {
        return setting(connection, name, false);
    }

    /** Returns a setting; null for an unknown setting if {@code mayBeMissing}. */
    public static @Nullable String setting(Connection connection, @Nullable String name, boolean mayBeMissing)
            throws SQLException {
        if (name == null) {
            return null;
        }
        try {
            return SqlEngine.contextOf(connection).settings().apply(name);
        } catch (MockException unknown) {
            if (mayBeMissing) {
                return null;
            }
            throw new SQLException(unknown.getMessage(), unknown.sqlState(), unknown);
        }
    }

    /** Changes a setting after the statement has run. */
    public static @Nullable String set(Connection connection, String name, @Nullable String value, boolean isLocal) {
        String wanted = value == null ? "default" : value;
        SqlEngine.contextOf(connection).asked().add(new AskedSetting(name.toLowerCase(Locale.ROOT), wanted, isLocal));
        return value;
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

    /** Returns a part of a text between separators, counted from the end for a negative number; empty if absent. */
    public static @Nullable String splitPart(
            @Nullable String text, @Nullable String separator, @Nullable Integer number) throws SQLException {
        if (text == null || separator == null || number == null) {
            return null;
        }
        if (number == 0) {
            throw new SQLException("field position must not be zero", "22023");
        }
        String[] fields = separator.isEmpty() ? new String[] {text} : text.split(Pattern.quote(separator), -1);
        int position = number > 0 ? number - 1 : fields.length + number;
        return position < 0 || position >= fields.length ? "" : fields[position];
    }

    public static @Nullable Boolean startsWith(@Nullable String text, @Nullable String beginning) {
        return text == null || beginning == null ? null : text.startsWith(beginning);
    }

    /** Sets a sequence so that its next number follows the value. */
    public static long setSequence(Connection connection, String sequence, long value) throws SQLException {
        return setSequence(connection, sequence, value, true);
    }

    /** Sets a sequence so that its next number is the value, or follows it if {@code isCalled}. */
    public static long setSequence(Connection connection, String sequence, long value, boolean isCalled)
            throws SQLException {
        String restart = " RESTART WITH " + (isCalled ? Math.addExact(value, 1) : value);
        String column = DatabaseSequences.alteringColumnOf(session(connection), withoutSchema(sequence));
        try (Statement statement = connection.createStatement()) {
            statement.execute((column == null ? "ALTER SEQUENCE " + plain(sequence) : column) + restart);
        }
        return value;
    }

    /** Returns the sequence of a column; null if it has none. */
    public static @Nullable String serialSequence(
            Connection connection, @Nullable String table, @Nullable String column) throws SQLException {
        if (table == null || column == null) {
            return null;
        }
        return DatabaseSequences.nameOf(session(connection), withoutSchema(table), column);
    }

    /** Returns all sequences, each with the column that it numbers, if any. */
    public static ResultSet sequences(Connection connection) throws SQLException {
        boolean wantsColumns = connection.getMetaData().getURL().equals(COLUMNS_ONLY);
        return DatabaseSequences.all(session(connection), wantsColumns);
    }

    /** Returns the last number that any sequence returned in this session. */
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

    /** Rejects a sleep, during which all other sessions would have to wait. */
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
