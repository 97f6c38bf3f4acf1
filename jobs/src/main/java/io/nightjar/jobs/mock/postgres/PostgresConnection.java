package io.nightjar.jobs.mock.postgres;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.mock.MockException;
import io.nightjar.jobs.mock.MockFaults;
import io.nightjar.jobs.mock.MockSession;
import io.nightjar.jobs.mock.MockStore;
import io.nightjar.jobs.mock.engine.EngineSession;
import io.nightjar.jobs.mock.engine.SqlColumn;
import io.nightjar.jobs.mock.engine.SqlEngine;
import io.nightjar.jobs.mock.engine.SqlResult;
import io.nightjar.jobs.mock.engine.SqlStatement;
import io.nightjar.jobs.mock.engine.SqlType;
import io.nightjar.jobs.mock.engine.StatementKind;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One client: reads its messages, runs its statements, keeps the state of its transaction as PostgreSQL does. */
final class PostgresConnection implements Runnable {

    /*
     * Outside of a transaction that was begun, all statements up to a Sync, or of one simple query, are one transaction, which
     * commits there. A statement that fails leaves a transaction that was begun in a failed state, in which everything but its
     * end is refused; after a failure the messages up to the next Sync are passed over.
     */

    private static final int PROTOCOL_3 = 3 << 16;
    private static final int CANCEL = 80877102;
    private static final int SSL = 80877103;
    private static final int GSS = 80877104;
    private static final int PREPARED_KEPT = 256;
    private static final Pattern INSERT_OF_VALUES = Pattern.compile(
            "insert\\s+into\\s+([\\w.\"]+)\\s+(values\\s*\\(.*)", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
    private static final String VERSION = "15.0";
    private static final SecureRandom SECRETS = new SecureRandom();

    /** State of the transaction, as ReadyForQuery spells it. */
    private static final char IDLE = 'I';

    private static final char IN_TRANSACTION = 'T';
    private static final char FAILED = 'E';

    private final PostgresServer server;
    private final SqlEngine engine;
    private final Socket socket;
    private final int id;
    private final int secret = SECRETS.nextInt();

    private PostgresWire wire;
    private EngineSession sql;
    private char state = IDLE;
    private boolean passesOver;

    private volatile SqlStatement running;

    private final Map<String, String> settings = new HashMap<>();
    private final Map<String, Prepared> prepared = new HashMap<>();
    private final Map<String, Portal> portals = new HashMap<>();
    private final Map<String, Parsed> parsed = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Parsed> eldest) {
            return size() > PREPARED_KEPT;
        }
    };

    /** A statement and, if it is SQL, what H2 made of it while the tables were these. */
    private record Parsed(PostgresStatement statement, SqlStatement sql, long tablesVersion) {}

    private record Prepared(String text, int[] types) {}

    /** A result that is fetched step by step. */
    private static final class Portal {

        private final Parsed parsed;
        private final List<Object> parameters;
        private final int[] formats;
        private SqlResult result;
        private int next;
        private boolean endsInRollback;

        private Portal(Parsed parsed, List<Object> parameters, int[] formats) {
            this.parsed = parsed;
            this.parameters = parameters;
            this.formats = formats;
        }

        private boolean isBinary(int column) {
            return formats.length > 0 && formats[formats.length == 1 ? 0 : column] == 1;
        }
    }

    PostgresConnection(PostgresServer server, SqlEngine engine, Socket socket, int id) {
        this.server = server;
        this.engine = engine;
        this.socket = socket;
        this.id = id;
    }

    void cancel(int givenSecret) {
        SqlStatement now = running;
        if (givenSecret == secret && now != null) {
            sql.cancel(now);
        }
    }

    void hangUp() throws IOException {
        socket.close();
    }

    @Override
    public void run() {
        try (socket) {
            wire = new PostgresWire(socket);
            if (start()) {
                for (int type = wire.readMessage(); type != 0 && type != 'X'; type = wire.readMessage()) {
                    take((char) type);
                }
            }
        } catch (EOFException | SocketException gone) {
            // the client has gone, and what it left open is rolled back below
        } catch (IOException failed) {
            server.note("a client is lost: reason=" + failed.getMessage());
        } finally {
            if (sql != null) {
                sql.close();
            }
            server.closed(id);
        }
    }

    // ---------------------------------------------------------------- start

    private boolean start() throws IOException {
        boolean wantedSafety = false;
        while (true) {
            try {
                wire.readStartup();
            } catch (EOFException gone) {
                if (wantedSafety) {
                    server.note("a client insists on TLS, which this server does not have: set sslmode=disable");
                }
                throw gone;
            }
            int code = wire.readInt();
            switch (code) {
                case SSL, GSS -> {
                    wantedSafety = code == SSL;
                    wire.writeRaw('N');
                }
                case CANCEL -> {
                    server.cancel(wire.readInt(), wire.readInt());
                    return false;
                }
                case PROTOCOL_3 -> {
                    begin();
                    return true;
                }
                default -> {
                    boolean isNewer = code >>> 16 == 3;
                    if (isNewer) {
                        wire.begin('v').putInt(PROTOCOL_3).putInt(0).end();
                        begin();
                        return true;
                    }
                    error(new MockException("08P01", "unsupported protocol: version=" + (code >>> 16)), "FATAL");
                    wire.flush();
                    return false;
                }
            }
        }
    }

    private void begin() throws IOException {
        sql = engine.openSession();
        while (wire.hasMore()) {
            String name = wire.readString();
            if (name.isEmpty()) {
                break;
            }
            String value = wire.readString();
            settings.put(name.toLowerCase(Locale.ROOT), value);
        }
        wire.begin('R').putInt(0).end();
        String zone = settings.getOrDefault("timezone", "UTC");
        setTimeZone(zone);
        status("server_version", VERSION);
        status("server_encoding", "UTF8");
        status("client_encoding", "UTF8");
        status("DateStyle", "ISO, MDY");
        status("IntervalStyle", "postgres");
        status("TimeZone", zone);
        status("integer_datetimes", "on");
        status("standard_conforming_strings", "on");
        status("is_superuser", "on");
        status("session_authorization", settings.getOrDefault("user", "nightjar"));
        status("application_name", settings.getOrDefault("application_name", ""));
        sql.mock().client(settings.get("application_name"));
        wire.begin('K').putInt(id).putInt(secret).end();
        ready();
    }

    private void status(String name, String value) throws IOException {
        wire.begin('S').putString(name).putString(value).end();
    }

    private void ready() throws IOException {
        wire.begin('Z').putByte(state).end();
        wire.flush();
    }

    private void setTimeZone(String zone) {
        try {
            SqlStatement statement =
                    sql.prepare("SET TIME ZONE '" + zone.replace("'", "''") + "'", StatementKind.OTHER);
            sql.execute(statement, List.of(), null);
        } catch (MockException unknown) {
            server.note("a client's time zone is not known, UTC is used: name=" + zone);
        }
    }

    // ---------------------------------------------------------------- messages

    private void take(char type) throws IOException {
        if (passesOver && type != 'S') {
            return;
        }
        try {
            switch (type) {
                case 'Q' -> query(wire.readString());
                case 'P' -> parse();
                case 'B' -> bind();
                case 'D' -> describe();
                case 'E' -> execute();
                case 'C' -> close();
                case 'H' -> wire.flush();
                case 'S' -> sync();
                case 'd', 'c', 'f' -> wire.flush();
                case 'F' -> throw new MockException(MockException.NOT_SUPPORTED, "function calls are not supported");
                default -> throw new MockException("08P01", "unknown message: type=" + type);
            }
        } catch (RuntimeException | AssertionError thrown) {
            fail(told(thrown));
            if (type == 'Q' || type == 'F' || type == 'S') {
                passesOver = false;
                ready();
            } else {
                passesOver = true;
            }
        }
    }

    private MockException told(Throwable thrown) {
        if (thrown instanceof MockException failed) {
            return failed;
        }
        server.note("a fault of ours: " + thrown + "; please report it");
        return new MockException("XX000", "a fault of this server: " + thrown);
    }

    private void fail(MockException failed) throws IOException {
        if (state == IDLE) {
            sql.alone(() -> {
                sql.mock().rollback();
                return null;
            });
        } else {
            state = FAILED;
        }
        error(failed, "ERROR");
    }

    private void error(MockException failed, String severity) throws IOException {
        wire.begin('E')
                .putByte('S')
                .putString(severity)
                .putByte('V')
                .putString(severity)
                .putByte('C')
                .putString(failed.sqlState())
                .putByte('M')
                .putString(failed.getMessage())
                .putByte(0)
                .end();
    }

    private void notice(String text) throws IOException {
        wire.begin('N')
                .putByte('S')
                .putString("NOTICE")
                .putByte('V')
                .putString("NOTICE")
                .putByte('C')
                .putString("00000")
                .putByte('M')
                .putString(text)
                .putByte(0)
                .end();
    }

    private void query(String text) throws IOException {
        List<PostgresStatement> statements = PostgresDialect.statements(text);
        if (statements.isEmpty()) {
            wire.begin('I').end();
        }
        for (int i = 0; i < statements.size(); i++) {
            PostgresStatement statement = statements.get(i);
            Portal portal = new Portal(parsed(statement), List.of(), new int[0]);
            SqlResult result = run(portal);
            boolean isLast = i == statements.size() - 1;
            if (isLast) {
                commitImplicit();
            }
            if (result != null && result.columns() != null) {
                rowDescription(result.columns(), portal);
                rows(portal, result, 0, result.rows().size());
            }
            complete(portal, result, result == null ? 0 : result.count());
        }
        ready();
    }

    private void parse() throws IOException {
        String name = wire.readString();
        String text = wire.readString();
        int[] types = new int[wire.readShort()];
        for (int i = 0; i < types.length; i++) {
            types[i] = wire.readInt();
        }
        if (!name.isEmpty() && prepared.containsKey(name)) {
            throw new MockException("42P05", "prepared statement \"" + name + "\" already exists");
        }
        Prepared statement = new Prepared(text, types);
        parsed(statement);
        prepared.put(name, statement);
        wire.begin('1').end();
    }

    private Prepared prepared(String name) {
        Prepared statement = prepared.get(name);
        if (statement == null) {
            throw new MockException("26000", "prepared statement \"" + name + "\" does not exist");
        }
        return statement;
    }

    private Portal portal(String name) {
        Portal portal = portals.get(name);
        if (portal == null) {
            throw new MockException("34000", "portal \"" + name + "\" does not exist");
        }
        return portal;
    }

    private void bind() throws IOException {
        String portalName = wire.readString();
        Prepared statement = prepared(wire.readString());
        int[] formats = readFormats();
        int count = wire.readShort();
        List<Object> parameters = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            boolean isBinary = formats.length > 0 && formats[formats.length == 1 ? 0 : i] == 1;
            int type = i < statement.types().length ? statement.types()[i] : 0;
            parameters.add(PostgresValues.parameter(
                    wire.readValue(), isBinary, type == 0 && isBinary ? typeOf(statement, i) : type));
        }
        portals.put(portalName, new Portal(parsed(statement), parameters, readFormats()));
        wire.begin('2').end();
    }

    private int typeOf(Prepared statement, int parameter) {
        SqlStatement known = parsed(statement).sql();
        return known == null || parameter >= known.parameters().size()
                ? 0
                : PostgresType.of(known.parameters().get(parameter));
    }

    private int[] readFormats() throws IOException {
        int[] formats = new int[wire.readShort()];
        for (int i = 0; i < formats.length; i++) {
            formats[i] = wire.readShort();
        }
        return formats;
    }

    private void describe() throws IOException {
        boolean isStatement = wire.readByte() == 'S';
        String name = wire.readString();
        if (isStatement) {
            Prepared statement = prepared(name);
            Parsed known = parsed(statement);
            int count = known.sql() == null ? 0 : known.sql().parameters().size();
            wire.begin('t').putShort(count);
            for (int i = 0; i < count; i++) {
                int given = i < statement.types().length ? statement.types()[i] : 0;
                wire.putInt(
                        given == 0 ? PostgresType.of(known.sql().parameters().get(i)) : given);
            }
            wire.end();
            describeRows(known, new Portal(known, List.of(), new int[0]));
        } else {
            Portal portal = portal(name);
            describeRows(portal.parsed, portal);
        }
    }

    private void describeRows(Parsed known, Portal portal) throws IOException {
        List<SqlColumn> columns = known.sql() != null ? known.sql().columns() : null;
        if (known.statement().action() == PostgresStatement.Action.SHOW) {
            columns = List.of(showColumn(known.statement().name()));
        }
        if (columns == null) {
            wire.begin('n').end();
        } else {
            rowDescription(columns, portal);
        }
    }

    private static SqlColumn showColumn(String name) {
        return new SqlColumn(name, SqlType.TEXT, null, null, 0, 0);
    }

    private void execute() throws IOException {
        Portal portal = portal(wire.readString());
        int most = wire.readInt();
        if (portal.result == null) {
            portal.result = run(portal);
        }
        SqlResult result = portal.result;
        if (result == null || result.columns() == null) {
            complete(portal, result, result == null ? 0 : result.count());
            return;
        }
        int from = portal.next;
        int to = most == 0 ? result.rows().size() : Math.min(result.rows().size(), from + most);
        rows(portal, result, from, to);
        portal.next = to;
        if (to < result.rows().size()) {
            wire.begin('s').end();
        } else {
            complete(portal, result, to - from);
        }
    }

    private void close() throws IOException {
        boolean isStatement = wire.readByte() == 'S';
        String name = wire.readString();
        if (isStatement) {
            prepared.remove(name);
        } else {
            portals.remove(name);
        }
        wire.begin('3').end();
    }

    private void sync() throws IOException {
        if (!passesOver) {
            commitImplicit();
        }
        passesOver = false;
        if (state == IDLE) {
            portals.clear();
        }
        ready();
    }

    // ---------------------------------------------------------------- statements

    private Parsed parsed(Prepared text) {
        List<PostgresStatement> statements = PostgresDialect.statements(text.text());
        if (statements.size() > 1) {
            throw new MockException("42601", "cannot insert multiple commands into a prepared statement");
        }
        return statements.isEmpty()
                ? new Parsed(PostgresStatement.of(text.text(), PostgresStatement.Action.NOTHING, null), null, 0)
                : parsed(statements.get(0));
    }

    private Parsed parsed(PostgresStatement statement) {
        if (state == FAILED && !statement.endsFailure()) {
            throw new MockException(
                    "25P02", "current transaction is aborted, commands ignored until end of transaction block");
        }
        if (statement.sql() == null) {
            return new Parsed(statement, null, 0);
        }
        Parsed known = parsed.get(statement.text());
        if (known == null || known.tablesVersion() != engine.tablesVersion()) {
            known = new Parsed(statement, prepare(statement), engine.tablesVersion());
            parsed.put(statement.text(), known);
        }
        return known;
    }

    private SqlStatement prepare(PostgresStatement statement) {
        try {
            return sql.prepare(statement.sql(), statement.kind());
        } catch (MockException failed) {
            Matcher insert = INSERT_OF_VALUES.matcher(statement.sql());
            if (!failed.getMessage().startsWith("Column count") || !insert.lookingAt()) {
                throw failed;
            }
            List<String> columns = columnsOf(insert.group(1), PostgresDialect.valuesIn(insert.group(2)));
            return sql.prepare(
                    "INSERT INTO " + insert.group(1) + "(" + String.join(", ", columns) + ") " + insert.group(2),
                    statement.kind());
        }
    }

    /** The first columns of a table: values may be left out at the end. */
    private List<String> columnsOf(String table, int count) {
        SqlStatement question = sql.prepare(
                "SELECT '\"' || column_name || '\"' FROM information_schema.columns WHERE table_name = ?1"
                        + " ORDER BY ordinal_position FETCH FIRST " + count + " ROWS ONLY",
                StatementKind.OTHER);
        String name = table.substring(table.lastIndexOf('.') + 1);
        String plain = name.startsWith("\"") ? name.substring(1, name.length() - 1) : name.toLowerCase(Locale.ROOT);
        List<String> columns = new ArrayList<>();
        for (Object[] row : sql.execute(question, List.of(plain), null).rows()) {
            columns.add((String) row[0]);
        }
        return columns;
    }

    private SqlResult run(Portal portal) throws IOException {
        PostgresStatement statement = portal.parsed.statement();
        MockFaults faults = engine.store().options().faults();
        if (state == FAILED && !statement.endsFailure()) {
            throw new MockException(
                    "25P02", "current transaction is aborted, commands ignored until end of transaction block");
        }
        MockSession mock = sql.mock();
        switch (statement.action()) {
            case SQL -> {
                if (sql.alone(() -> mock.strikes(faults.disconnect()))) {
                    throw new SocketException("a fault that was asked for");
                }
                return runSql(portal);
            }
            case BEGIN -> {
                if (state == IN_TRANSACTION) {
                    notice("there is already a transaction in progress");
                } else {
                    commitImplicit();
                    sql.alone(() -> {
                        mock.begin();
                        return null;
                    });
                    state = IN_TRANSACTION;
                }
            }
            case COMMIT -> portal.endsInRollback = commit();
            case ROLLBACK -> {
                sql.alone(() -> {
                    mock.rollback();
                    return null;
                });
                state = IDLE;
            }
            case SAVEPOINT, RELEASE, ROLLBACK_TO -> savepoint(statement);
            case SET -> set(statement.name(), statement.value());
            case SHOW -> {
                Object[] row = {shown(statement.name())};
                return new SqlResult(List.of(showColumn(statement.name())), List.<Object[]>of(row), 1);
            }
            case DEALLOCATE -> {
                if ("all".equals(statement.name())) {
                    prepared.clear();
                } else {
                    prepared.remove(statement.name());
                }
            }
            case NOTHING -> {
                return null;
            }
        }
        return null;
    }

    private SqlResult runSql(Portal portal) {
        running = portal.parsed.sql();
        try {
            SqlResult result = sql.execute(
                    portal.parsed.sql(),
                    portal.parameters,
                    portal.parsed.statement().text());
            if (portal.parsed.sql().changesTables()) {
                engine.tablesChanged();
                parsed.clear();
            }
            return result;
        } finally {
            running = null;
        }
    }

    private void savepoint(PostgresStatement statement) {
        if (state == IDLE) {
            throw new MockException("25P01", statement.tag() + " can only be used in transaction blocks");
        }
        MockSession mock = sql.mock();
        sql.alone(() -> {
            if (!mock.isOpen()) {
                throw new MockException(
                        MockException.SERIALIZATION_FAILURE,
                        "the transaction has been aborted as a whole; roll it back and try again");
            }
            switch (statement.action()) {
                case SAVEPOINT -> mock.savepoint(statement.name());
                case RELEASE -> mock.release(statement.name());
                default -> mock.rollbackTo(statement.name());
            }
            return null;
        });
        if (statement.action() == PostgresStatement.Action.ROLLBACK_TO) {
            state = IN_TRANSACTION;
        }
    }

    /** Ends the transaction; true if it had failed and was rolled back. */
    private boolean commit() throws IOException {
        if (state == IDLE) {
            notice("there is no transaction in progress");
        }
        boolean hasFailed = state == FAILED;
        state = IDLE;
        if (hasFailed) {
            sql.alone(() -> {
                sql.mock().rollback();
                return null;
            });
        } else {
            commitNow();
        }
        return hasFailed;
    }

    private void commitImplicit() throws IOException {
        if (state == IDLE) {
            commitNow();
        }
    }

    private void commitNow() throws IOException {
        MockSession.Outcome outcome = sql.alone(() -> sql.mock().commit());
        if (outcome == MockSession.Outcome.UNKNOWN) {
            throw new SocketException("a fault that was asked for");
        }
    }

    // ---------------------------------------------------------------- settings

    private void set(String name, String value) throws IOException {
        MockSession mock = sql.mock();
        MockStore store = engine.store();
        switch (name) {
            case "nightjar.phase" -> {
                MockStore.Phase phase =
                        switch (value.toLowerCase(Locale.ROOT)) {
                            case "load" -> MockStore.Phase.LOAD;
                            case "run", "default" -> MockStore.Phase.RUN;
                            default -> throw wrong(name, value, "load or run");
                        };
                sql.alone(() -> {
                    store.enter(phase, mock);
                    return null;
                });
            }
            case "nightjar.level" -> {
                IsolationLevel level = levelNamed(name, value);
                sql.alone(() -> {
                    store.keep(level, mock);
                    return null;
                });
            }
            case "nightjar.reads" -> {
                boolean isNewest =
                        switch (value.toLowerCase(Locale.ROOT)) {
                            case "newest" -> true;
                            case "any", "default" -> false;
                            default -> throw wrong(name, value, "newest or any");
                        };
                sql.alone(() -> {
                    mock.readNewest(isNewest);
                    return null;
                });
            }
            case "transaction" -> isolation(value.toLowerCase(Locale.ROOT));
            case "timezone" -> setTimeZone(value);
            case "application_name" -> {
                sql.alone(() -> {
                    mock.client(value);
                    return null;
                });
                status("application_name", value);
            }
            default -> {
                if (name.startsWith("nightjar.")) {
                    throw new MockException(
                            "42704",
                            "unrecognized configuration parameter \"" + name
                                    + "\"; there are nightjar.phase, nightjar.level and nightjar.reads");
                }
            }
        }
        settings.put(name, value);
    }

    private static MockException wrong(String name, String value, String expected) {
        return new MockException(
                MockException.WRONG_VALUE, "invalid value: " + name + "=" + value + " expected=" + expected);
    }

    private static IsolationLevel levelNamed(String name, String value) {
        IsolationLevel level = IsolationLevel.byName(value.toLowerCase(Locale.ROOT));
        if (level == null || !IsolationLevel.all().contains(level)) {
            throw wrong(name, value, "rc, ra, cc, pc, si or ser");
        }
        return level;
    }

    private void isolation(String text) throws IOException {
        for (String level : List.of("read uncommitted", "read committed", "repeatable read", "serializable")) {
            if (text.replaceAll("\\s+", " ").contains(level)) {
                settings.put("transaction_isolation", level);
                notice("the server keeps its own level and no other: level="
                        + engine.store().options().level().longName());
            }
        }
    }

    private String shown(String name) {
        String key = name.toLowerCase(Locale.ROOT);
        return switch (key) {
            case "transaction isolation level", "transaction_isolation" ->
                settings.getOrDefault("transaction_isolation", isolationOfServer());
            case "server_version" -> VERSION;
            case "server_version_num" -> "150000";
            case "server_encoding", "client_encoding" -> "UTF8";
            case "datestyle" -> "ISO, MDY";
            case "search_path" -> settings.getOrDefault(key, "\"$user\", public");
            case "standard_conforming_strings", "integer_datetimes" -> "on";
            case "time zone", "timezone" -> settings.getOrDefault("timezone", "UTC");
            case "max_identifier_length" -> "63";
            case "nightjar.level" -> engine.store().options().level().longName();
            case "nightjar.phase" -> settings.getOrDefault(key, "run");
            default -> {
                if (!settings.containsKey(key)) {
                    throw new MockException("42704", "unrecognized configuration parameter \"" + name + "\"");
                }
                yield settings.get(key);
            }
        };
    }

    private String isolationOfServer() {
        return switch (engine.store().options().level()) {
            case SERIALIZABLE -> "serializable";
            case SNAPSHOT_ISOLATION, PREFIX -> "repeatable read";
            default -> "read committed";
        };
    }

    // ---------------------------------------------------------------- answers

    private void rowDescription(List<SqlColumn> columns, Portal portal) throws IOException {
        wire.begin('T').putShort(columns.size());
        for (int i = 0; i < columns.size(); i++) {
            SqlColumn column = columns.get(i);
            int type = PostgresType.of(column.type());
            wire.putString(portal.parsed.statement().columnName(i, columns.size(), column.name()));
            wire.putInt(0).putShort(0).putInt(type).putShort(PostgresType.size(type));
            wire.putInt(PostgresType.modifier(column)).putShort(portal.isBinary(i) ? 1 : 0);
        }
        wire.end();
    }

    private void rows(Portal portal, SqlResult result, int from, int to) throws IOException {
        int width = result.columns().size();
        for (int row = from; row < to; row++) {
            Object[] values = result.rows().get(row);
            wire.begin('D').putShort(width);
            for (int column = 0; column < width; column++) {
                Object value = values[column];
                if (value == null) {
                    wire.putValue(null);
                } else if (portal.isBinary(column)) {
                    wire.putValue(PostgresValues.binary(
                            value, PostgresType.of(result.columns().get(column).type())));
                } else {
                    wire.putValue(PostgresValues.text(value));
                }
            }
            wire.end();
        }
    }

    private void complete(Portal portal, SqlResult result, long count) throws IOException {
        PostgresStatement statement = portal.parsed.statement();
        if (statement.isEmpty()) {
            wire.begin('I').end();
            return;
        }
        String tag = portal.endsInRollback ? "ROLLBACK" : statement.tag();
        boolean hasCount = result != null
                && statement.action() == PostgresStatement.Action.SQL
                && (tag.equals("SELECT")
                        || tag.equals("INSERT 0")
                        || tag.equals("UPDATE")
                        || tag.equals("DELETE")
                        || tag.equals("MERGE"));
        wire.begin('C').putString(hasCount ? tag + " " + count : tag).end();
    }
}
