package io.nightjar.jobs.mock.mysql;

import io.nightjar.jobs.mock.MockException;
import io.nightjar.jobs.mock.wire.StatementWords;
import io.nightjar.jobs.mock.wire.WireSession;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Session state readable by a client: variables, and functions about the session without arguments. */
final class MysqlVariables {

    /** Reported server version, by which drivers select their protocol. */
    static final String VERSION = "8.0.36-nightjar";

    private static final Pattern NUMBER = Pattern.compile("-?\\d+(\\.\\d+)?");

    private final int id;
    private final Map<String, String> values = new TreeMap<>();
    private String database = "";
    private String home = "";
    private String user = "";
    private long insertedKey;
    private long changed;
    private long found;
    private Tables tables = new Tables() {};

    /** Server information required to rewrite a statement. */
    interface Tables {

        /** Returns the columns of any table whose text or bytes are compared case-sensitively. */
        default Set<String> columnsThatRegardCase() {
            return Set.of();
        }

        /** Returns the value of a mock setting. */
        default String shown(String setting) {
            throw new MockException("42704", "Unknown system variable '" + setting + "'");
        }
    }

    MysqlVariables(int id) {
        this.id = id;
        String[][] all = {
            {"autocommit", "1"},
            {"auto_increment_increment", "1"},
            {"auto_increment_offset", "1"},
            {"character_set_client", "utf8mb4"},
            {"character_set_connection", "utf8mb4"},
            {"character_set_database", "utf8mb4"},
            {"character_set_results", "utf8mb4"},
            {"character_set_server", "utf8mb4"},
            {"character_set_system", "utf8mb3"},
            {"collation_connection", "utf8mb4_0900_ai_ci"},
            {"collation_database", "utf8mb4_0900_ai_ci"},
            {"collation_server", "utf8mb4_0900_ai_ci"},
            {"default_storage_engine", "InnoDB"},
            {"foreign_key_checks", "1"},
            {"have_ssl", "DISABLED"},
            {"hostname", "nightjar"},
            {"init_connect", ""},
            {"innodb_lock_wait_timeout", "50"},
            {"interactive_timeout", "28800"},
            {"license", "Apache-2.0"},
            {"lower_case_table_names", "1"},
            {"max_allowed_packet", "67108864"},
            {"max_connections", "1000"},
            {"max_execution_time", "0"},
            {"net_buffer_length", "16384"},
            {"net_read_timeout", "30"},
            {"net_write_timeout", "60"},
            {"performance_schema", "0"},
            {"port", "3306"},
            {"protocol_version", "10"},
            {"read_only", "0"},
            {"server_id", "1"},
            {"sql_auto_is_null", "0"},
            {"sql_mode", "ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,NO_ENGINE_SUBSTITUTION"},
            {"sql_safe_updates", "0"},
            {"sql_select_limit", "18446744073709551615"},
            {"system_time_zone", "UTC"},
            {"time_zone", "SYSTEM"},
            {"transaction_isolation", "REPEATABLE-READ"},
            {"transaction_read_only", "0"},
            {"unique_checks", "1"},
            {"version", VERSION},
            {"version_comment", "Nightjar mock"},
            {"version_compile_machine", "any"},
            {"version_compile_os", "any"},
            {"wait_timeout", "28800"}
        };
        for (String[] one : all) {
            values.put(one[0], one[1]);
        }
    }

    /** Creates the variables for a reset connection. */
    MysqlVariables(MysqlVariables before) {
        this(before.id);
        database = before.database;
        user = before.user;
    }

    /** Sets the source of table information. */
    void tables(Tables asked) {
        tables = asked;
    }

    /** Returns whether the words contain a column whose text or bytes are compared case-sensitively. */
    boolean regardsCase(StatementWords words, int from, int to) {
        Set<String> columns = tables.columnsThatRegardCase();
        for (int position = from; position < to && !columns.isEmpty(); position++) {
            if (words.isName(position) && columns.contains(words.text(position).toLowerCase(Locale.ROOT))) {
                return true;
            }
        }
        return false;
    }

    String database() {
        return database;
    }

    void database(String name) {
        database = name.toLowerCase(Locale.ROOT);
    }

    /** Returns the client's name of the default database; empty until selected. */
    String home() {
        return home;
    }

    void home(String name) {
        home = name;
    }

    String user() {
        return user;
    }

    void user(String name) {
        user = name;
    }

    /** Returns the first key generated by the last INSERT; 0 if none. */
    long insertedKey() {
        return insertedKey;
    }

    void insertedKey(long key) {
        insertedKey = key;
    }

    /** Records the number of rows changed, -1 for a query, and returned by the last statement. */
    void counted(long changedRows, long foundRows) {
        changed = changedRows;
        found = foundRows < 0 ? found : foundRows;
    }

    void set(String name, String value) {
        values.put(canonical(name), value);
    }

    private static String canonical(String name) {
        return switch (name) {
            case "tx_isolation" -> "transaction_isolation";
            case "tx_read_only" -> "transaction_read_only";
            default -> name;
        };
    }

    boolean is(String name) {
        String value = values.getOrDefault(name, "0").toLowerCase(Locale.ROOT);
        return value.equals("1") || value.equals("on") || value.equals("true");
    }

    /**
     * Returns the value of a variable.
     *
     * @throws MockException if no variable has this name
     */
    String get(String name) {
        if (WireSession.isOurs(name)) {
            return tables.shown(name);
        }
        String value = values.get(canonical(name));
        if (value == null) {
            throw new MockException("42704", "Unknown system variable '" + name + "'");
        }
        return value;
    }

    /** Returns all variables and their values, by name. */
    Map<String, String> all() {
        return values;
    }

    /** Returns the name of a variable at a position, which may contain a dot. */
    static String nameAt(StatementWords words, int position) {
        boolean isOurs = words.has(position, "nightjar", ".");
        return isOurs ? words.name(position) + "." + words.name(position + 2) : words.name(position);
    }

    /** Returns a variable as a SQL literal. */
    String literal(String name) {
        String value = get(name);
        return NUMBER.matcher(value).matches() ? value : MysqlRewriter.quoted(value);
    }

    /** Returns the result of a function without arguments as a literal; null if it does not concern the session. */
    @Nullable
    String call(String name) {
        return switch (name) {
            case "database", "schema" -> database.isEmpty() ? "CAST(NULL AS VARCHAR)" : MysqlRewriter.quoted(database);
            case "connection_id" -> Integer.toString(id);
            case "version" -> MysqlRewriter.quoted(VERSION);
            case "user", "current_user", "session_user", "system_user" -> MysqlRewriter.quoted(user + "@localhost");
            case "row_count" -> Long.toString(changed);
            case "found_rows" -> Long.toString(found);
            case "last_insert_id" -> "CAST(" + insertedKey + " AS BIGINT)";
            default -> null;
        };
    }
}
