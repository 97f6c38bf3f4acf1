package io.nightjar.jobs.mock.sql;

import io.nightjar.jobs.mock.MockSession;
import io.nightjar.jobs.mock.MockStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.h2.Driver;
import org.h2.engine.Database;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;
import org.h2.schema.Schema;
import org.h2.table.Table;
import org.jspecify.annotations.Nullable;

/** In-process database whose tables belong to a mock. */
public final class SqlEngine implements AutoCloseable {

    private static final Map<String, SqlEngine> BY_NAME = new ConcurrentHashMap<>();
    private static final AtomicInteger COUNT = new AtomicInteger();

    /** Words that are reserved in H2 but not in PostgreSQL. */
    private static final String FREE_WORDS = "KEY,VALUE,DAY,HOUR,MINUTE,MONTH,SECOND,YEAR,INTERVAL,ROWNUM,QUALIFY";

    private final MockStore store;
    private final String name;
    private final JdbcConnection keeper;
    private final Database database;
    private final AtomicLong tablesVersion = new AtomicLong();
    private final AdvisoryLocks locks = new AdvisoryLocks();
    private StatementEffects running = StatementEffects.OTHER;
    private final Set<String> defined = new HashSet<>();
    private final Map<Integer, SqlContext> contexts = new ConcurrentHashMap<>();

    public SqlEngine(MockStore store) {
        this.store = store;
        this.name = "nightjar_mock_" + COUNT.incrementAndGet();
        BY_NAME.put(name, this);
        this.keeper = connect();
        this.database = ((SessionLocal) keeper.getSession()).getDatabase();
        try (Statement statement = keeper.createStatement()) {
            for (String alias : PostgresFunctions.aliases()) {
                statement.execute(alias);
            }
            for (String alias : MysqlFunctions.aliases()) {
                statement.execute(alias);
            }
        } catch (SQLException failed) {
            throw new AssertionError("a function cannot be made: " + failed.getMessage(), failed);
        }
    }

    /** Returns the engine of an open database. */
    static SqlEngine of(Database database) {
        return Objects.requireNonNull(BY_NAME.get(database.getShortName().toLowerCase(Locale.ROOT)));
    }

    /** Returns the context of a client by the connection that H2 passes to functions. */
    static SqlContext contextOf(Connection connection) {
        SessionLocal session = (SessionLocal) ((JdbcConnection) connection).getSession();
        return of(session.getDatabase()).context(session);
    }

    public MockStore store() {
        return store;
    }

    SqlContext context(SessionLocal session) {
        SqlContext context = contexts.get(session.getId());
        if (context == null) {
            throw new AssertionError("a session that was never opened: id=" + session.getId());
        }
        return context;
    }

    /** Returns the client of a session, null for H2's internal sessions and for closing sessions. */
    @Nullable
    MockSession clientOf(SessionLocal session) {
        SqlContext context = contexts.get(session.getId());
        return context == null ? null : context.mock();
    }

    /** Returns a number that changes with each statement that creates or alters tables and so may affect parsing. */
    public long tablesVersion() {
        return tablesVersion.get();
    }

    /** Measures the distribution of rows in all tables; requires the lock. */
    public void measure() {
        for (Schema schema : database.getAllSchemasNoMeta()) {
            for (Table table : schema.getAllTablesAndViews(null)) {
                if (table instanceof MockTable mock) {
                    mock.getIndexes().forEach(index -> ((MockIndex) index).measure());
                }
            }
        }
    }

    public void tablesChanged() {
        tablesVersion.incrementAndGet();
    }

    private JdbcConnection connect() {
        String url = "jdbc:h2:mem:" + name
                + ";MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE;DEFAULT_NULL_ORDERING=HIGH;OPTIMIZE_REUSE_RESULTS=FALSE"
                + ";DB_CLOSE_ON_EXIT=FALSE;TRACE_LEVEL_FILE=0;QUERY_CACHE_SIZE=0;NON_KEYWORDS=" + FREE_WORDS
                + ";DEFAULT_TABLE_ENGINE=" + MockTableEngine.class.getName();
        try {
            Properties user = new Properties();
            user.setProperty("user", "sa");
            user.setProperty("password", "");
            return (JdbcConnection) new Driver().connect(url, user);
        } catch (SQLException failed) {
            throw new AssertionError("the engine does not open: " + failed.getMessage(), failed);
        }
    }

    /**
     * Sets the dialect that H2 parses from now on; requires the lock.
     *
     * @param checksReferences whether foreign keys are checked
     */
    void speak(EngineDialect dialect, boolean checksReferences) {
        database.setReferentialIntegrity(checksReferences);
        if (database.getMode() != dialect.mode()) {
            database.setMode(dialect.mode());
        }
    }

    /** Records the effects of the running statement; requires the lock. */
    void runs(StatementEffects kind) {
        running = kind;
    }

    StatementEffects running() {
        return running;
    }

    /** Opens a connection for a new client. */
    public EngineSession openSession(EngineDialect dialect) {
        store.lock().lock();
        try {
            JdbcConnection connection = connect();
            SessionLocal h2 = (SessionLocal) connection.getSession();
            SqlContext context = new SqlContext(h2, store.openSession());
            contexts.put(h2.getId(), context);
            return new EngineSession(this, connection, context, dialect);
        } finally {
            store.lock().unlock();
        }
    }

    AdvisoryLocks locks() {
        return locks;
    }

    void closed(SqlContext context) {
        locks.closed(context.mock());
        contexts.remove(context.h2().getId());
    }

    /**
     * Creates a schema that archives omit, unless it exists.
     *
     * @param statements definitions in the given dialect
     */
    public void define(EngineDialect dialect, String schema, Supplier<List<String>> statements) {
        store.lock().lock();
        try (Statement statement = keeper.createStatement()) {
            if (!defined.add(schema)) {
                return;
            }
            speak(dialect, true);
            for (String sql : statements.get()) {
                statement.execute(sql);
            }
        } catch (SQLException failed) {
            throw new AssertionError("a view cannot be made: " + failed.getMessage(), failed);
        } finally {
            store.lock().unlock();
        }
    }

    @Override
    public void close() {
        BY_NAME.remove(name);
        try {
            keeper.close();
        } catch (SQLException gone) {
            throw new AssertionError("the engine does not close: " + gone.getMessage(), gone);
        }
    }
}
