package io.nightjar.jobs.mock.wire;

import io.nightjar.datasets.random.SeededRandom;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.mock.MockException;
import io.nightjar.jobs.mock.MockFaults;
import io.nightjar.jobs.mock.MockOptions;
import io.nightjar.jobs.mock.MockSession;
import io.nightjar.jobs.mock.MockStore;
import io.nightjar.jobs.mock.sql.EngineDialect;
import io.nightjar.jobs.mock.sql.EngineSession;
import io.nightjar.jobs.mock.sql.SqlEngine;
import io.nightjar.jobs.mock.sql.SqlResult;
import io.nightjar.jobs.mock.sql.SqlStatement;
import io.nightjar.jobs.mock.sql.StatementEffects;
import java.net.SocketException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Protocol-independent session of a client: its statements, its transaction and the mock's settings. */
public final class WireSession implements AutoCloseable {

    /** SQL variables for the client's names of its database and user. */
    public static final String DATABASE = "@nightjar_database";

    public static final String USER = "@nightjar_user";

    private static final int STATEMENTS_KEPT = 256;
    private static final String ASKED_FOR = "a fault that was asked for";

    private final SqlEngine engine;
    private final EngineDialect dialect;
    private final EngineSession sql;
    private final MockSession mock;
    private final MockFaults faults;
    private final int greatestDelayMs;
    private final SeededRandom delays;
    private volatile @Nullable SqlStatement running;
    private boolean isReadOnly;

    /** Parsed statements, valid until the tables change. */
    private final Map<String, SqlStatement> prepared = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, SqlStatement> eldest) {
            return size() > STATEMENTS_KEPT;
        }
    };

    private long tablesVersion;

    public WireSession(SqlEngine engine, EngineDialect dialect) {
        this.engine = engine;
        this.dialect = dialect;
        this.sql = engine.openSession(dialect);
        this.mock = sql.mock();
        MockOptions options = engine.store().options();
        this.faults = options.faults();
        this.greatestDelayMs = (int) Math.min(options.rules().greatestDelayMs(), Integer.MAX_VALUE - 1);
        this.delays = new SeededRandom(new SeededRandom(options.seed() * 31 + mock.arrival()).next());
    }

    public EngineSession sql() {
        return sql;
    }

    /** Discards parsed statements, as their names may now refer to other objects. */
    public void forgetStatements() {
        prepared.clear();
    }

    /** Sets the client's names of its database and user. */
    public void called(String database, String user) {
        sql.variable(DATABASE.substring(1), database);
        sql.variable(USER.substring(1), user);
    }

    /** Sets the client's name of its program, for the archive; null if unknown. */
    public void client(@Nullable String name) {
        alone(() -> mock.client(name));
    }

    // ---------------------------------------------------------------- statements

    /** Returns a number that changes with each statement that creates or alters tables. */
    public long tablesVersion() {
        return engine.tablesVersion();
    }

    /**
     * Parses a statement unless it is cached.
     *
     * @param text the client's text
     * @param plain the text for H2
     * @throws MockException if the text is no statement
     */
    public SqlStatement prepare(String text, String plain, StatementEffects kind) {
        if (tablesVersion != engine.tablesVersion()) {
            prepared.clear();
            tablesVersion = engine.tablesVersion();
        }
        SqlStatement known = prepared.get(text);
        if (known == null) {
            known = sql.prepare(OrderByIndex.ordered(plain, sql), kind);
            if (known.isReusable()) {
                prepared.put(text, known);
            }
        }
        return known;
    }

    /**
     * Runs a statement in the client's transaction.
     *
     * @param text the client's text
     * @throws SocketException if an injected fault disconnects the client
     */
    public SqlResult run(SqlStatement statement, List<?> parameters, String text) throws SocketException {
        if (isReadOnly && statement.writes()) {
            throw new MockException("25006", "cannot execute " + firstWord(text) + " in a read-only transaction");
        }
        delay();
        running = statement;
        try {
            SqlResult result = sql.alone(() -> {
                step(text, parameters);
                boolean isStruck = mock.strikes(faults.disconnect());
                return isStruck ? null : sql.execute(statement, parameters, text);
            });
            if (result == null) {
                throw new SocketException(ASKED_FOR);
            }
            if (statement.changesTables()) {
                engine.tablesChanged();
            }
            return result;
        } finally {
            running = null;
        }
    }

    private static String firstWord(String text) {
        int from = text.startsWith("/*") ? text.indexOf("*/") + 2 : 0;
        return text.substring(from).strip().split("\\W", 2)[0].toUpperCase(Locale.ROOT);
    }

    /** Sets whether changes are rejected until the next call. */
    public void readOnly(boolean isWanted) {
        isReadOnly = isWanted;
    }

    /** Delays the statement so that others can interleave. */
    private void delay() {
        if (greatestDelayMs > 0) {
            try {
                Thread.sleep(delays.below(greatestDelayMs + 1));
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
                throw new MockException("57P01", "the server ends");
            }
        }
    }

    /** Runs an internal statement that no archive records. */
    public SqlResult ask(String question, List<?> parameters) {
        return sql.execute(prepare(question, question, StatementEffects.OTHER), parameters, null);
    }

    /** Creates a schema that archives omit, unless it exists. */
    public void define(String schema, Supplier<List<String>> statements) {
        engine.define(dialect, schema, statements);
    }

    /** Cancels the running statement from another thread. */
    public void cancel() {
        SqlStatement now = running;
        if (now != null) {
            sql.cancel(now);
        }
    }

    // ---------------------------------------------------------------- transactions

    public void begin() {
        alone(mock::begin);
    }

    /**
     * Commits the transaction.
     *
     * @throws MockException if the transaction was aborted instead
     * @throws SocketException if the client must not learn the outcome
     */
    public void commit() throws SocketException {
        MockSession.Outcome outcome = sql.alone(() -> {
            step("(commit)", List.of());
            boolean commits = false;
            try {
                MockSession.Outcome ended = mock.commit();
                commits = true;
                return ended;
            } finally {
                sql.ended(commits);
            }
        });
        if (outcome == MockSession.Outcome.UNKNOWN) {
            throw new SocketException(ASKED_FOR);
        }
    }

    public void rollback() {
        aloneInOrder("(rollback)", () -> {
            mock.rollback();
            sql.ended(false);
        });
    }

    /** Returns whether a transaction is open that the store has not ended. */
    public boolean isOpen() {
        return sql.alone(mock::isOpen);
    }

    public void savepoint(String name) {
        aloneInOrder("(savepoint) " + name, () -> {
            mock.savepoint(name);
            sql.savepoint(name);
        });
    }

    public void release(String name) {
        aloneInOrder("(release) " + name, () -> mock.release(name));
    }

    public void rollbackTo(String name) {
        aloneInOrder("(rollback to) " + name, () -> {
            mock.rollbackTo(name);
            sql.rollbackTo(name);
        });
    }

    private void alone(Runnable work) {
        sql.alone(() -> {
            work.run();
            return null;
        });
    }

    private void aloneInOrder(String what, Runnable work) {
        alone(() -> {
            step(what, List.of());
            work.run();
        });
    }

    /** Waits for its turn, if the order of client steps is prescribed. */
    private void step(String what, List<?> parameters) {
        engine.store().statementOrder().step(mock, what, parameters);
    }

    // ---------------------------------------------------------------- settings

    /** Returns whether a setting belongs to the mock. */
    public static boolean isOurs(String name) {
        return name.startsWith("nightjar.");
    }

    /**
     * Changes a setting of the mock.
     *
     * @throws MockException if the setting or value is unknown, or the setting cannot change now
     */
    public void set(String name, String value) {
        MockStore store = engine.store();
        String plain = value.toLowerCase(Locale.ROOT);
        switch (name) {
            case "nightjar.phase" -> {
                MockStore.Phase phase =
                        switch (plain) {
                            case "load" -> MockStore.Phase.LOAD;
                            case "run", "default" -> MockStore.Phase.RUN;
                            default -> throw wrong(name, value, "load or run");
                        };
                aloneInOrder(name + "=" + plain, () -> {
                    store.enter(phase, mock);
                    engine.measure();
                });
                engine.tablesChanged(); // the best index depends on the current rows
            }
            case "nightjar.level" -> {
                IsolationLevel level = IsolationLevel.byName(plain);
                if (level == null || !IsolationLevel.all().contains(level)) {
                    throw wrong(name, value, "rc, ra, cc, pc, si or ser");
                }
                aloneInOrder(name + "=" + plain, () -> store.keep(level, mock));
            }
            case "nightjar.reads" -> {
                boolean isNewest =
                        switch (plain) {
                            case "newest" -> true;
                            case "any", "default" -> false;
                            default -> throw wrong(name, value, "newest or any");
                        };
                aloneInOrder(name + "=" + plain, () -> mock.readNewest(isNewest));
            }
            default -> throw unknown(name);
        }
    }

    /**
     * Returns the value of a mock setting.
     *
     * @throws MockException if the setting is unknown
     */
    public String shown(String name) {
        return switch (name) {
            case "nightjar.phase" -> sql.alone(() -> mock.isLoading()) ? "load" : "run";
            case "nightjar.level" -> level().longName();
            case "nightjar.reads" -> sql.alone(mock::readsNewest) ? "newest" : "any";
            default -> throw unknown(name);
        };
    }

    private static MockException unknown(String name) {
        return new MockException(
                "42704",
                "unrecognized configuration parameter \"" + name
                        + "\"; known: nightjar.phase, nightjar.level and nightjar.reads");
    }

    private static MockException wrong(String name, String value, String expected) {
        return new MockException(
                MockException.WRONG_VALUE, "invalid value: " + name + "=" + value + " expected=" + expected);
    }

    /** Returns the level that the server guarantees. */
    public IsolationLevel level() {
        return engine.store().options().level();
    }

    /** Returns the notice for a client that requests another level. */
    public String noticeOfLevel() {
        return "the server keeps its own level and no other: level=" + level().longName();
    }

    /** Returns, in lower case, the SQL level that promises no more than the server guarantees. */
    public String levelOfSql() {
        return switch (level()) {
            case SERIALIZABLE -> "serializable";
            case SNAPSHOT_ISOLATION, PREFIX -> "repeatable read";
            default -> "read committed";
        };
    }

    /** Aborts the open transaction. */
    @Override
    public void close() {
        alone(() -> {
            engine.store().statementOrder().gone(mock);
            sql.close();
        });
    }
}
