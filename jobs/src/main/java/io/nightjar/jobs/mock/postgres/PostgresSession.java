package io.nightjar.jobs.mock.postgres;

import io.nightjar.jobs.mock.MockException;
import io.nightjar.jobs.mock.engine.EngineDialect;
import io.nightjar.jobs.mock.engine.SqlColumn;
import io.nightjar.jobs.mock.engine.SqlEngine;
import io.nightjar.jobs.mock.engine.SqlResult;
import io.nightjar.jobs.mock.engine.SqlStatement;
import io.nightjar.jobs.mock.engine.SqlType;
import io.nightjar.jobs.mock.wire.WireSession;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Runs a client's statements and keeps the state of its transaction as PostgreSQL does. */
final class PostgresSession implements PostgresDialect.Tables, AutoCloseable {

    /*
     * Outside of a transaction that was begun, all statements up to a Sync, or of one simple query, are one transaction, which
     * commits there. A statement that fails leaves a transaction that was begun in a failed state, in which everything but its
     * end is refused.
     */

    static final String VERSION = "15.0";

    private static final Pattern INSERT_OF_VALUES = Pattern.compile(
            "insert\\s+into\\s+([\\w.\"]+)\\s+(values\\s*\\(.*)", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    private static final Pattern NO_RELATION = Pattern.compile("relation \"(.+)\" does not exist");

    /** What there is without having been set. */
    private static final List<String> SHOWN = List.of(
            "client_encoding",
            "datestyle",
            "default_transaction_isolation",
            "default_transaction_read_only",
            "integer_datetimes",
            "max_identifier_length",
            "nightjar.level",
            "nightjar.phase",
            "search_path",
            "server_encoding",
            "server_version",
            "server_version_num",
            "standard_conforming_strings",
            "timezone",
            "transaction_isolation",
            "transaction_read_only");

    /** What is accepted and not kept, as statements of a mock wait for nobody but where --schedule or --replay has them wait. */
    private static final Set<String> TIMEOUTS =
            Set.of("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout", "transaction_timeout");

    /** State of the transaction, as ReadyForQuery spells it. */
    private static final char IDLE = 'I';

    private static final char IN_TRANSACTION = 'T';
    private static final char FAILED = 'E';

    private final WireSession client;
    private final PostgresAnswers answers;
    private final PostgresCursors cursors = new PostgresCursors();
    private final Map<String, String> settings = new HashMap<>();
    private final Consumer<String> deallocate;
    private char state = IDLE;

    /** @param deallocate told the name of a prepared statement that is to be forgotten, "all" for all */
    PostgresSession(SqlEngine engine, PostgresAnswers answers, Consumer<String> deallocate) {
        this.client = new WireSession(engine, EngineDialect.POSTGRES);
        this.answers = answers;
        this.deallocate = deallocate;
    }

    char state() {
        return state;
    }

    boolean isIdle() {
        return state == IDLE;
    }

    void cancel() {
        client.cancel();
    }

    /** A statement has failed. */
    void fail() {
        if (state == IDLE) {
            client.rollback();
        } else {
            state = FAILED;
        }
    }

    // ---------------------------------------------------------------- statements

    /** What H2 makes of a statement, null if it is not for H2. */
    SqlStatement parsed(PostgresStatement statement) {
        checkState(statement);
        if (statement.sql() == null) {
            return null;
        }
        if (statement.sql().contains(PostgresViews.SCHEMA)) {
            client.define(PostgresViews.SCHEMA, PostgresViews::statements);
        }
        try {
            return client.prepare(statement.text(), statement.sql(), statement.kind());
        } catch (MockException failed) {
            Matcher insert = INSERT_OF_VALUES.matcher(statement.sql());
            Matcher relation = NO_RELATION.matcher(failed.getMessage());
            if (relation.matches() && client.sql().isSequence(relation.group(1))) {
                throw new MockException(
                        MockException.NOT_SUPPORTED,
                        "reading sequence \"" + relation.group(1) + "\" like a table is not supported by this server");
            }
            if (!failed.getMessage().startsWith("INSERT has more expressions") || !insert.lookingAt()) {
                throw PostgresRefusals.of(failed, statement.text());
            }
            List<String> columns = columnsOf(insert.group(1), PostgresDialect.valuesIn(insert.group(2)));
            return client.prepare(
                    statement.text(),
                    "INSERT INTO " + insert.group(1) + "(" + String.join(", ", columns) + ") " + insert.group(2),
                    statement.kind());
        }
    }

    private void checkState(PostgresStatement statement) {
        if (state == FAILED && !statement.endsFailure()) {
            throw new MockException(
                    "25P02", "current transaction is aborted, commands ignored until end of transaction block");
        }
    }

    /** The first columns of a table: values may be left out at the end. */
    private List<String> columnsOf(String table, int count) {
        String name = table.substring(table.lastIndexOf('.') + 1);
        String plain = name.startsWith("\"") ? name.substring(1, name.length() - 1) : name.toLowerCase(Locale.ROOT);
        List<String> columns = columnsOf(plain);
        return columns.subList(0, Math.min(count, columns.size())).stream()
                .map(column -> '"' + column + '"')
                .toList();
    }

    @Override
    public List<String> columnsOf(String table) {
        return names(
                "SELECT column_name FROM information_schema.columns WHERE table_name = ?1 ORDER BY ordinal_position",
                table);
    }

    @Override
    public List<String> columnsOfConstraint(String constraint) {
        return names(
                "SELECT column_name FROM information_schema.key_column_usage WHERE constraint_name = ?1"
                        + " ORDER BY ordinal_position",
                constraint);
    }

    @Override
    public boolean haveColumn(String column) {
        String question = "SELECT 1 FROM information_schema.columns WHERE column_name = ?1"
                + " AND table_schema NOT IN ('information_schema', 'pg_catalog') AND table_schema NOT LIKE 'nightjar%'";
        return !client.ask(question, List.of(column)).rows().isEmpty();
    }

    @Override
    public String alteringColumnOf(String sequence) {
        return client.sql().alteringColumnOf(sequence);
    }

    /** The type of the columns of this name, 0 if they have several types or are no numbers. */
    int typeOfNumbers(String column) {
        List<Object[]> types = client.ask(
                        "SELECT DISTINCT " + PostgresCatalogue.TYPE_OF_COLUMN
                                + " FROM information_schema.columns c WHERE c.column_name = ?1 AND c.numeric_precision IS NOT NULL"
                                + " AND c.table_schema NOT IN ('information_schema', 'pg_catalog')"
                                + " AND c.table_schema NOT LIKE 'nightjar%'",
                        List.of(column))
                .rows();
        return types.size() == 1 ? ((Number) types.get(0)[0]).intValue() : 0;
    }

    private List<String> names(String question, String about) {
        return client.ask(question, List.of(about)).rows().stream()
                .map(row -> (String) row[0])
                .toList();
    }

    /** The columns that a statement will return, null if none. */
    List<SqlColumn> columns(PostgresStatement statement) {
        return switch (statement.action()) {
            case SQL -> parsed(statement).columns();
            case SHOW -> showColumns(statement.name());
            case FETCH -> cursors.columns(statement.name());
            default -> null;
        };
    }

    private static List<SqlColumn> showColumns(String name) {
        return (isAll(name) ? List.of("name", "setting", "description") : List.of(name))
                .stream()
                        .map(column -> new SqlColumn(column, SqlType.TEXT, null, null, 0, 0))
                        .toList();
    }

    private static boolean isAll(String name) {
        return name.equalsIgnoreCase("all");
    }

    private SqlResult show(String name) {
        List<Object[]> rows = new ArrayList<>();
        if (isAll(name)) {
            Set<String> names = new TreeSet<>(SHOWN);
            names.addAll(settings.keySet());
            names.remove("transaction");
            names.forEach(each -> rows.add(new Object[] {each, shown(each), ""}));
        } else {
            rows.add(new Object[] {shown(name)});
        }
        return new SqlResult(showColumns(name), rows, rows.size());
    }

    /** Runs what a portal holds and lets it have the result. */
    void run(PostgresPortal portal) throws IOException {
        PostgresStatement statement = portal.statement();
        checkState(statement);
        switch (statement.action()) {
            case SQL -> portal.result(client.run(parsed(statement), portal.parameters(), statement.text()));
            case BEGIN -> begin();
            case COMMIT -> commit(portal);
            case ROLLBACK -> {
                client.rollback();
                ended();
            }
            case SAVEPOINT, RELEASE, ROLLBACK_TO -> savepoint(statement);
            case SET -> set(statement.name(), statement.value());
            case SHOW -> portal.result(show(statement.name()));
            case DEALLOCATE -> {
                deallocate.accept(statement.name());
                if (statement.tag().startsWith("DISCARD")) {
                    cursors.closeAll();
                }
            }
            case DECLARE -> declare(portal);
            case FETCH, MOVE -> portal.result(cursors.fetch(statement));
            case CLOSE -> cursors.close(statement.name());
            case NOTHING -> {
                // said to be done
            }
        }
    }

    private void declare(PostgresPortal portal) throws IOException {
        PostgresStatement statement = portal.statement();
        boolean isHeld = "hold".equals(statement.value());
        if (state == IDLE && !isHeld) {
            throw new MockException("25P01", "DECLARE CURSOR can only be used in transaction blocks");
        }
        cursors.check(statement.name());
        SqlResult all = client.run(parsed(statement), portal.parameters(), statement.text());
        cursors.open(statement, all, isHeld);
    }

    private void begin() throws IOException {
        if (state == IN_TRANSACTION) {
            answers.notice("there is already a transaction in progress");
            return;
        }
        commitImplicit();
        client.begin();
        state = IN_TRANSACTION;
    }

    private void savepoint(PostgresStatement statement) {
        if (state == IDLE) {
            throw new MockException("25P01", statement.tag() + " can only be used in transaction blocks");
        }
        if (!client.isOpen()) {
            throw new MockException(
                    MockException.SERIALIZATION_FAILURE,
                    "the transaction has been aborted as a whole; roll it back and try again");
        }
        switch (statement.action()) {
            case SAVEPOINT -> client.savepoint(statement.name());
            case RELEASE -> client.release(statement.name());
            default -> {
                client.rollbackTo(statement.name());
                state = IN_TRANSACTION;
            }
        }
    }

    private void commit(PostgresPortal portal) throws IOException {
        if (state == IDLE) {
            answers.notice("there is no transaction in progress");
        }
        boolean hasFailed = state == FAILED;
        ended();
        if (hasFailed) {
            client.rollback();
            portal.endInRollback();
        } else {
            client.commit();
        }
    }

    private void ended() {
        state = IDLE;
        cursors.transactionEnds();
    }

    /** Commits what was done outside of a transaction that was begun. */
    void commitImplicit() throws IOException {
        if (state == IDLE) {
            client.commit();
        }
    }

    @Override
    public void close() {
        client.close();
    }

    // ---------------------------------------------------------------- settings

    /** Takes the settings that a client begins with. */
    void start(Map<String, String> given) throws IOException {
        settings.putAll(given);
        String zone = settings.getOrDefault("timezone", "UTC");
        answers.status("server_version", VERSION);
        answers.status("server_encoding", "UTF8");
        answers.status("client_encoding", "UTF8");
        answers.status("DateStyle", "ISO, MDY");
        answers.status("IntervalStyle", "postgres");
        answers.status("TimeZone", zone);
        answers.status("integer_datetimes", "on");
        answers.status("standard_conforming_strings", "on");
        answers.status("is_superuser", "on");
        answers.status("session_authorization", settings.getOrDefault("user", "nightjar"));
        answers.status("application_name", settings.getOrDefault("application_name", ""));
        client.client(settings.get("application_name"));
        String user = settings.getOrDefault("user", "nightjar");
        client.called(settings.getOrDefault("database", user), user);
        try {
            setTimeZone(zone);
        } catch (MockException unknown) {
            settings.put("timezone", "UTC");
        }
    }

    private void setTimeZone(String zone) {
        client.ask("SET TIME ZONE '" + zone.replace("'", "''") + "'", List.of());
    }

    private void set(String name, String value) throws IOException {
        switch (name) {
            case "transaction" -> isolation(value.toLowerCase(Locale.ROOT));
            case "timezone" -> setTimeZone(value);
            case "application_name" -> {
                client.client(value);
                answers.status("application_name", value);
            }
            default -> {
                if (WireSession.isOurs(name)) {
                    client.set(name, value);
                } else if (TIMEOUTS.contains(name) && !value.matches("0\\w*|default")) {
                    answers.notice(
                            name + " is not kept by this server; cancel statements from the client, or end waiting"
                                    + " transactions with --patience");
                }
            }
        }
        settings.put(name, value);
    }

    private void isolation(String text) throws IOException {
        for (String level : List.of("read uncommitted", "read committed", "repeatable read", "serializable")) {
            if (text.replaceAll("\\s+", " ").contains(level)) {
                settings.put("transaction_isolation", level);
                answers.notice(client.noticeOfLevel());
            }
        }
    }

    private String shown(String name) {
        String key = name.toLowerCase(Locale.ROOT);
        return switch (key) {
            case "transaction isolation level", "transaction_isolation" ->
                settings.getOrDefault("transaction_isolation", client.levelOfSql());
            case "server_version" -> VERSION;
            case "server_version_num" -> "150000";
            case "server_encoding", "client_encoding" -> "UTF8";
            case "datestyle" -> "ISO, MDY";
            case "search_path" -> settings.getOrDefault(key, "\"$user\", public");
            case "standard_conforming_strings", "integer_datetimes" -> "on";
            case "time zone", "timezone" -> settings.getOrDefault("timezone", "UTC");
            case "max_identifier_length" -> "63";
            case "transaction_read_only", "default_transaction_read_only", "in_hot_standby" ->
                settings.getOrDefault(key, "off");
            case "default_transaction_isolation" -> settings.getOrDefault(key, client.levelOfSql());
            case "nightjar.level" -> client.level().longName();
            case "nightjar.phase" -> settings.getOrDefault(key, "run");
            default -> {
                if (!settings.containsKey(key) && TIMEOUTS.contains(key)) {
                    yield "0";
                }
                if (!settings.containsKey(key)) {
                    throw new MockException("42704", "unrecognized configuration parameter \"" + name + "\"");
                }
                yield settings.get(key);
            }
        };
    }
}
