package io.nightjar.jobs.mock.postgres;

import io.nightjar.jobs.mock.MockException;
import io.nightjar.jobs.mock.sql.AskedSetting;
import io.nightjar.jobs.mock.sql.EngineDialect;
import io.nightjar.jobs.mock.sql.SqlColumn;
import io.nightjar.jobs.mock.sql.SqlEngine;
import io.nightjar.jobs.mock.sql.SqlResult;
import io.nightjar.jobs.mock.sql.SqlStatement;
import io.nightjar.jobs.mock.sql.StatementEffects;
import io.nightjar.jobs.mock.wire.WireSession;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Session of a client that runs statements and manages transactions as PostgreSQL does. */
final class PostgresSession implements PostgresDialect.Tables, AutoCloseable {

    /*
     * Outside of an explicit transaction, all statements up to a Sync, or of one simple query, form one transaction,
     * which commits at that point. A failed statement leaves an explicit transaction in a failed state, in which every
     * statement that does not end it is rejected.
     */

    private static final Pattern SHORT_INSERT = Pattern.compile(
            "insert\\s+into\\s+([\\w.\"]+)\\s+(values\\s*\\(.*|select\\b.*)",
            Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    private static final Pattern NO_RELATION = Pattern.compile("relation \"(.+)\" does not exist");

    /** Transaction status as encoded in ReadyForQuery. */
    private static final char IDLE = 'I';

    private static final char IN_TRANSACTION = 'T';
    private static final char FAILED = 'E';

    private final WireSession client;
    private final PostgresAnswers answers;
    private final PostgresCursors cursors = new PostgresCursors();
    private final PostgresSettings settings;
    private final Consumer<String> deallocate;
    private char state = IDLE;

    /** @param deallocate called with the name of a prepared statement to deallocate, "all" for all */
    PostgresSession(SqlEngine engine, PostgresAnswers answers, Consumer<String> deallocate) {
        this.client = new WireSession(engine, EngineDialect.POSTGRES);
        this.answers = answers;
        this.settings = new PostgresSettings(client, answers);
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

    /** Records the failure of a statement. */
    void fail() {
        if (state == IDLE) {
            client.rollback();
        } else {
            state = FAILED;
        }
    }

    // ---------------------------------------------------------------- statements

    /** Returns the parsed statement, null if H2 does not run it. */
    @Nullable
    SqlStatement parsed(PostgresStatement statement) {
        checkState(statement);
        if (statement.sql() == null) {
            return null;
        }
        return parsedByH2(statement);
    }

    private SqlStatement parsedByH2(PostgresStatement statement) {
        String sql = statement.forH2();
        settings.seeSchemas();
        if (sql.contains(PostgresViews.SCHEMA)) {
            client.define(PostgresViews.SCHEMA, PostgresViews::statements);
        }
        try {
            return client.prepare(statement.text(), sql, statement.kind());
        } catch (MockException failed) {
            Matcher insert = SHORT_INSERT.matcher(sql);
            Matcher relation = NO_RELATION.matcher(failed.getMessage());
            if (relation.matches() && client.sql().isSequence(relation.group(1))) {
                throw MockException.notSupported(
                        "reading sequence \"" + relation.group(1) + "\" like a table is not supported by this server");
            }
            if (!failed.getMessage().startsWith("INSERT has more expressions") || !insert.lookingAt()) {
                throw UnsupportedSyntax.of(failed, statement.text());
            }
            boolean isOfValues = Character.toLowerCase(insert.group(2).charAt(0)) == 'v';
            int count = isOfValues
                    ? PostgresDialect.valuesIn(insert.group(2))
                    : widthOf(client.prepare("query of " + statement.text(), insert.group(2), StatementEffects.OTHER));
            List<String> columns = columnsOf(insert.group(1), count);
            return client.prepare(
                    statement.text(),
                    "INSERT INTO " + insert.group(1) + "(" + String.join(", ", columns) + ") " + insert.group(2),
                    statement.kind());
        }
    }

    private static int widthOf(SqlStatement query) {
        return Objects.requireNonNull(query.columns()).size();
    }

    private void checkState(PostgresStatement statement) {
        if (state == FAILED && !statement.endsFailure()) {
            throw new MockException(
                    "25P02", "current transaction is aborted, commands ignored until end of transaction block");
        }
    }

    /** Returns the first columns of a table, since an insert may omit trailing values. */
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
    public List<String> withThoseThatRefer(List<String> named) {
        return client.sql().withThoseThatRefer(named);
    }

    @Override
    public @Nullable String alteringColumnOf(String sequence) {
        return client.sql().alteringColumnOf(sequence);
    }

    /** Returns the type of the columns of this name, 0 if their types differ or are not numeric. */
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

    /** Returns the columns of a statement's result, null if none. */
    @Nullable
    List<SqlColumn> columns(PostgresStatement statement) {
        return switch (statement.action()) {
            case SQL -> {
                checkState(statement);
                yield parsedByH2(statement).columns();
            }
            case SHOW -> PostgresSettings.columns(statement.name());
            case FETCH -> cursors.columns(statement.name());
            default -> null;
        };
    }

    /** Runs the statement of a portal and stores the result there. */
    void run(PostgresPortal portal) throws IOException {
        PostgresStatement statement = portal.statement();
        checkState(statement);
        switch (statement.action()) {
            case SQL -> {
                portal.result(client.run(parsedByH2(statement), portal.parameters(), statement.text()));
                setWhatWasAsked();
            }
            case BEGIN -> begin(statement);
            case COMMIT -> commit(portal);
            case ROLLBACK -> {
                client.rollback();
                ended();
            }
            case SAVEPOINT, RELEASE, ROLLBACK_TO -> savepoint(statement);
            case SET -> settings.set(statement.name(), statement.value(), state != IDLE);
            case SET_LOCAL -> settings.setLocally(statement.name(), statement.value(), state != IDLE);
            case RESET -> settings.reset(statement.name());
            case SHOW -> portal.result(settings.show(statement.name()));
            case DEALLOCATE -> deallocate.accept(statement.name());
            case DISCARD -> discard();
            case DECLARE -> declare(portal);
            case FETCH, MOVE -> portal.result(cursors.fetch(statement));
            case CLOSE -> cursors.close(statement.name());
            case NOTHING -> {
                // acknowledged without effect
            }
        }
    }

    /** Applies the settings that a function changed, after its statement. */
    private void setWhatWasAsked() throws IOException {
        boolean isOpen = state != IDLE;
        for (AskedSetting asked : client.sql().takeAskedSettings()) {
            if (!asked.isLocal()) {
                settings.set(asked.name(), asked.value(), isOpen);
            } else if (isOpen) {
                settings.setLocally(asked.name(), asked.value(), true);
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
        SqlResult all = client.run(parsedByH2(statement), portal.parameters(), statement.text());
        cursors.open(statement, all, isHeld);
    }

    private void begin(PostgresStatement statement) throws IOException {
        if (state == IN_TRANSACTION) {
            answers.notice("there is already a transaction in progress");
            return;
        }
        commitImplicit();
        client.begin();
        state = IN_TRANSACTION;
        settings.set("transaction", statement.text(), true);
    }

    private void discard() throws IOException {
        if (state != IDLE) {
            throw new MockException("25001", "DISCARD ALL cannot run inside a transaction block");
        }
        deallocate.accept("all");
        cursors.closeAll();
        client.sql().dropTemporary();
        settings.reset("all");
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

    private void ended() throws IOException {
        state = IDLE;
        cursors.transactionEnds();
        settings.transactionEnds();
    }

    /** Commits the implicit transaction. */
    void commitImplicit() throws IOException {
        if (state == IDLE) {
            client.commit();
        }
    }

    /** Applies the settings in a client's startup message. */
    void start(Map<String, String> given) throws IOException {
        settings.start(given);
    }

    @Override
    public void close() {
        client.close();
    }
}
