package io.nightjar.jobs.mock.mysql;

import io.nightjar.jobs.mock.MockException;
import io.nightjar.jobs.mock.sql.EngineDialect;
import io.nightjar.jobs.mock.sql.SqlColumn;
import io.nightjar.jobs.mock.sql.SqlEngine;
import io.nightjar.jobs.mock.sql.SqlResult;
import io.nightjar.jobs.mock.sql.SqlStatement;
import io.nightjar.jobs.mock.sql.SqlType;
import io.nightjar.jobs.mock.wire.WireSession;
import java.net.SocketException;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Session of a client that runs statements and manages transactions as MySQL does. */
final class MysqlSession implements MysqlVariables.Tables, AutoCloseable {

    /*
     * A failed statement is rolled back alone, and the transaction continues; a transaction aborted by the store is
     * discarded completely, as after MySQL's deadlocks. The session opens its engine session with the first statement
     * that needs it, so that a client that only cancels another client's statement does not wait for that statement.
     */

    static final int STATUS_IN_TRANSACTION = 1;
    static final int STATUS_AUTOCOMMIT = 2;

    /** Statements that create or drop tables without committing. */
    private static final Pattern TEMPORARY =
            Pattern.compile("(?:\\s|/\\*.*?\\*/)*(?:create|drop)\\s+temporary\\b", Pattern.CASE_INSENSITIVE);

    private static final String COLUMNS_THAT_REGARD_CASE =
            "SELECT DISTINCT LOWER(column_name) FROM information_schema.columns WHERE UPPER(table_schema) <> 'INFORMATION_SCHEMA'"
                    + " AND table_schema <> 'pg_catalog' AND table_schema NOT LIKE 'nightjar%'"
                    + " AND (UPPER(data_type) LIKE 'BINARY%' OR UPPER(data_type) LIKE 'CHARACTER%')";

    private static final String BEFORE_STATEMENT = "\0statement";

    private final SqlEngine engine;
    private final MysqlVariables variables;
    private final @Nullable String name;
    private volatile @Nullable WireSession client;
    private boolean isBegun;
    private boolean isReadOnly;
    private Set<String> columnsThatRegardCase = Set.of();
    private long tablesVersion = -1;
    private long insertedKey;

    /** @param name the name that the client gave itself, null if none */
    MysqlSession(SqlEngine engine, MysqlVariables variables, @Nullable String name) {
        this.engine = engine;
        this.variables = variables;
        this.name = name;
        variables.tables(this);
    }

    private WireSession client() {
        WireSession opened = client;
        if (opened == null) {
            opened = new WireSession(engine, EngineDialect.MYSQL);
            opened.client(name);
            client = opened;
            enterDatabase(opened, variables.database());
        }
        return opened;
    }

    @Override
    public Set<String> columnsThatRegardCase() {
        if (tablesVersion != client().tablesVersion()) {
            tablesVersion = client().tablesVersion();
            Set<String> columns = new HashSet<>();
            client().ask(COLUMNS_THAT_REGARD_CASE, List.of()).rows().forEach(row -> columns.add((String) row[0]));
            columnsThatRegardCase = columns;
        }
        return columnsThatRegardCase;
    }

    @Override
    public String shown(String setting) {
        return client().shown(setting);
    }

    MysqlVariables variables() {
        return variables;
    }

    void cancel() {
        WireSession now = client;
        if (now != null) {
            now.cancel();
        }
    }

    /** Returns the transaction status bits of the protocol. */
    int status() {
        boolean isOpen = isBegun || !isAutocommit() && client != null && client.isOpen();
        return (isOpen ? STATUS_IN_TRANSACTION : 0) | (isAutocommit() ? STATUS_AUTOCOMMIT : 0);
    }

    private boolean isAutocommit() {
        return variables.is("autocommit");
    }

    /** Returns the conversion of values for the client's time zone. */
    MysqlValues values() {
        return new MysqlValues(zone());
    }

    private ZoneId zone() {
        String zone = variables.get("time_zone");
        try {
            return zone.equals("SYSTEM") ? ZoneId.systemDefault() : ZoneId.of(zone);
        } catch (DateTimeException unknown) {
            throw new MockException(MockException.WRONG_VALUE, "Unknown or incorrect time zone: '" + zone + "'");
        }
    }

    // ---------------------------------------------------------------- statements

    /** Returns the parsed statement, null if H2 does not run it. */
    @Nullable
    SqlStatement parsed(MysqlStatement statement) {
        return statement.sql() == null ? null : parsedByH2(statement);
    }

    private SqlStatement parsedByH2(MysqlStatement statement) {
        String sql = statement.forH2();
        if (sql.contains(MysqlRewriter.CATALOGUE)) {
            client().define(MysqlRewriter.CATALOGUE, MysqlCatalogue::statements);
        }
        return statement.isFleeting()
                ? client().sql().prepare(sql, statement.kind())
                : client().prepare(statement.text(), sql, statement.kind());
    }

    /**
     * Runs a statement.
     *
     * @return rows with their labels, or the number of changed rows
     */
    SqlResult run(MysqlStatement statement, List<?> parameters) throws SocketException {
        insertedKey = 0;
        SqlResult result =
                switch (statement.action()) {
                    case SQL -> runSql(statement, parameters);
                    case VARIABLES -> variables(statement);
                    case SHOW_VARIABLES -> showVariables(statement.value());
                    case SHOW_EMPTY -> rows(statement.labels(), List.of());
                    default -> {
                        runOther(statement);
                        yield new SqlResult(null, List.of(), 0);
                    }
                };
        boolean hasRows = result.columns() != null;
        variables.counted(hasRows ? -1 : result.count(), hasRows ? result.rows().size() : -1);
        return hasRows ? result.named(statement::label) : result;
    }

    private void runOther(MysqlStatement statement) throws SocketException {
        switch (statement.action()) {
            case BEGIN -> {
                commit();
                client().begin();
                client().readOnly(isReadOnly || !statement.value().isEmpty());
                isBegun = true;
            }
            case COMMIT -> commit();
            case ROLLBACK -> {
                isBegun = false;
                client().readOnly(isReadOnly);
                client().rollback();
            }
            case SAVEPOINT -> {
                if (isBegun || !isAutocommit()) {
                    client().savepoint(statement.name());
                }
            }
            case RELEASE -> client().release(statement.name());
            case ROLLBACK_TO -> client().rollbackTo(statement.name());
            case SET -> new MysqlSet(statement.text(), variables, this::set, sql -> client().ask(sql, List.of())).run();
            case USE -> use(statement.name());
            default -> {
                // acknowledged without effect
            }
        }
    }

    private void commit() throws SocketException {
        isBegun = false;
        if (client != null) {
            client.readOnly(isReadOnly);
            client.commit();
        }
    }

    private SqlResult runSql(MysqlStatement statement, List<?> parameters) throws SocketException {
        SqlStatement parsed = parsedByH2(statement);
        WireSession wire = client();
        boolean isOfSession = TEMPORARY.matcher(statement.text()).lookingAt();
        if (parsed.changesTables() && !isOfSession && (isBegun || !isAutocommit())) {
            commit();
        }
        boolean isAutoCommitted = isAutocommit() && !isBegun;
        if (!isAutoCommitted) {
            if (!wire.isOpen()) {
                wire.begin();
            }
            wire.savepoint(BEFORE_STATEMENT);
        }
        try {
            SqlResult result = wire.run(parsed, parameters, statement.text());
            if (isAutoCommitted) {
                wire.commit();
            } else if (wire.isOpen()) {
                wire.release(BEFORE_STATEMENT);
            }
            insertedKey = wire.sql().insertedKey();
            variables.insertedKey(insertedKey == 0 ? variables.insertedKey() : insertedKey);
            return result;
        } catch (MockException failed) {
            takeBack(isAutoCommitted);
            throw failed;
        }
    }

    private void takeBack(boolean isAutoCommitted) {
        if (isAutoCommitted) {
            client().rollback();
        } else if (client().isOpen()) {
            client().rollbackTo(BEFORE_STATEMENT);
            client().release(BEFORE_STATEMENT);
        } else {
            isBegun = false;
        }
    }

    /** Returns the key that the last statement generated, 0 if none. */
    long insertedKey() {
        return insertedKey;
    }

    // ---------------------------------------------------------------- databases

    /** Selects a database: every name refers to the default database, except for names created by CREATE DATABASE. */
    void use(String database) {
        variables.database(database);
        if (client != null) {
            enterDatabase(client, variables.database());
        }
    }

    private void enterDatabase(WireSession by, String database) {
        by.forgetStatements();
        String known = "SELECT 1 FROM information_schema.schemata WHERE schema_name = ?1";
        boolean isKnown = !by.ask(known, List.of(database)).rows().isEmpty();
        if (!isKnown && !database.isEmpty()) {
            variables.home(database);
        }
        by.called(variables.home().isEmpty() ? MysqlRewriter.PUBLIC : variables.home(), variables.user());
        by.ask("SET SCHEMA \"" + (isKnown ? database : MysqlRewriter.PUBLIC).replace("\"", "\"\"") + '"', List.of());
    }

    // ---------------------------------------------------------------- variables

    private void set(String variable, String value) {
        if (WireSession.isOurs(variable)) {
            client().set(variable, value);
            return;
        }
        if (variable.equals("autocommit")) {
            boolean isOn = value.equals("1") || value.equalsIgnoreCase("on") || value.equalsIgnoreCase("true");
            if (isOn && !isAutocommit()) {
                commitQuietly();
            }
            variables.set(variable, isOn ? "1" : "0");
            return;
        }
        variables.set(variable, value);
        switch (variable) {
            case "transaction_read_only", "tx_read_only" -> {
                isReadOnly = variables.is("transaction_read_only");
                client().readOnly(isReadOnly);
            }
            case "foreign_key_checks" -> client().sql().checkReferences(variables.is(variable));
            case "time_zone" -> client().ask("SET TIME ZONE '" + zone().getId().replace("'", "''") + "'", List.of());
            default -> {
                // stored for later queries only
            }
        }
    }

    private void commitQuietly() {
        try {
            commit();
        } catch (SocketException unknown) {
            throw new MockException("08P01", String.valueOf(unknown.getMessage()));
        }
    }

    private SqlResult variables(MysqlStatement statement) {
        return rows(statement.labels(), List.<Object[]>of(MysqlSet.values(statement.text(), variables)));
    }

    private SqlResult showVariables(String pattern) {
        StringBuilder regex = new StringBuilder();
        for (char letter : pattern.toCharArray()) {
            regex.append(letter == '%' ? ".*" : letter == '_' ? "." : Pattern.quote(String.valueOf(letter)));
        }
        Pattern matching = Pattern.compile(regex.toString(), Pattern.CASE_INSENSITIVE);
        List<Object[]> rows = new ArrayList<>();
        for (Map.Entry<String, String> variable : variables.all().entrySet()) {
            if (matching.matcher(variable.getKey()).matches()) {
                rows.add(new Object[] {variable.getKey(), variable.getValue()});
            }
        }
        return rows(List.of("Variable_name", "Value"), rows);
    }

    private static SqlResult rows(List<String> labels, List<Object[]> rows) {
        List<SqlColumn> columns = new ArrayList<>();
        for (int i = 0; i < labels.size(); i++) {
            boolean isNumber = !rows.isEmpty() && rows.get(0)[i] instanceof Long;
            columns.add(new SqlColumn(
                    labels.get(i), isNumber ? SqlType.BIGINT : SqlType.VARCHAR, null, "", isNumber ? 0 : 1024, 0));
        }
        return new SqlResult(columns, rows, rows.size());
    }

    /** Returns the columns of a statement's result, null if none. */
    @Nullable
    List<SqlColumn> columns(MysqlStatement statement) {
        return switch (statement.action()) {
            case SQL -> {
                List<SqlColumn> columns = parsedByH2(statement).columns();
                yield columns == null
                        ? null
                        : new SqlResult(columns, List.of(), 0)
                                .named(statement::label)
                                .columns();
            }
            case VARIABLES -> variables(statement).columns();
            case SHOW_VARIABLES -> showVariables("").columns();
            case SHOW_EMPTY -> rows(statement.labels(), List.of()).columns();
            default -> null;
        };
    }

    /** Returns a session in the state of a new connection. */
    MysqlSession reset() {
        close();
        return new MysqlSession(engine, new MysqlVariables(variables), name);
    }

    @Override
    public void close() {
        if (client != null) {
            client.close();
        }
    }
}
