package io.nightjar.jobs.mock.mysql;

import io.nightjar.jobs.mock.MockException;
import io.nightjar.jobs.mock.sql.SqlColumn;
import io.nightjar.jobs.mock.sql.SqlEngine;
import io.nightjar.jobs.mock.sql.SqlResult;
import io.nightjar.jobs.mock.sql.SqlStatement;
import io.nightjar.jobs.mock.wire.WireClient;
import io.nightjar.jobs.mock.wire.WireServer;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Connection of one client: reads its commands and answers them. */
public final class MysqlConnection extends WireClient {

    private static final int QUIT = 1;
    private static final int USE = 2;
    private static final int QUERY = 3;
    private static final int FIELDS = 4;
    private static final int STATISTICS = 9;
    private static final int KILL = 12;
    private static final int PING = 14;
    private static final int CHANGE_USER = 17;
    private static final int PREPARE = 22;
    private static final int EXECUTE = 23;
    private static final int LONG_DATA = 24;
    private static final int CLOSE = 25;
    private static final int RESET_STATEMENT = 26;
    private static final int SET_OPTION = 27;
    private static final int FETCH = 28;
    private static final int RESET_CONNECTION = 31;

    private static final int MORE_RESULTS = 8;
    private static final int CURSOR_EXISTS = 64;
    private static final int LAST_ROW_SENT = 128;

    private final SqlEngine engine;

    @SuppressWarnings("NullAway.Init") // set when the conversation starts
    private MysqlWire wire;

    @SuppressWarnings("NullAway.Init") // set when the conversation starts
    private MysqlAnswers answers;

    /** Null until the handshake has succeeded. */
    private volatile @Nullable MysqlSession session;

    private final Map<Integer, MysqlPrepared> prepared = new HashMap<>();
    private int preparedCount;
    private boolean sendsSeveral;

    public MysqlConnection(WireServer server, SqlEngine engine, Socket socket, int id) {
        super(server, socket, id);
        this.engine = engine;
    }

    @Override
    public void cancel(int secret) {
        MysqlSession now = session;
        if (now != null) {
            now.cancel();
        }
    }

    @Override
    protected void talk(Socket with) throws IOException {
        wire = new MysqlWire(with);
        answers = new MysqlAnswers(wire);
        if (start()) {
            while (wire.readPacket() && takeCommand()) {
                wire.flush();
            }
        }
    }

    @Override
    protected void end() {
        if (session != null) {
            session.close();
        }
    }

    /** Returns the session, which commands require. */
    private MysqlSession session() {
        return Objects.requireNonNull(session);
    }

    private boolean start() throws IOException {
        MysqlVariables variables = new MysqlVariables(id());
        MysqlHandshake client;
        try {
            client = MysqlHandshake.greet(wire, id(), MysqlSession.STATUS_AUTOCOMMIT);
        } catch (EOFException | SocketException gone) {
            client = null;
        }
        if (client == null) {
            server().printNote(
                            "a client of MySQL left before it named its user; a client that insists on TLS, which this server does"
                                    + " not have, needs sslMode=DISABLED (Connector/J), sslMode=disable (MariaDB) or --skip-ssl");
            return false;
        }
        sendsSeveral = client.sendsSeveral();
        variables.user(client.user());
        variables.database(client.database());
        session = new MysqlSession(engine, variables, client.client());
        answers.ok(0, 0, session().status());
        wire.flush();
        return true;
    }

    // ---------------------------------------------------------------- commands

    /** Answers a packet; returns false if the client quits. */
    private boolean takeCommand() throws IOException {
        int command = wire.readByte();
        try {
            switch (command) {
                case QUIT -> {
                    return false;
                }
                case USE -> {
                    session().use(wire.readString());
                    ok(new SqlResult(null, List.of(), 0), 0);
                }
                case QUERY -> query(MysqlText.decode(wire.readRest()));
                case KILL -> {
                    kill(wire.readInt(), true);
                    ok(new SqlResult(null, List.of(), 0), 0);
                }
                case SET_OPTION -> {
                    sendsSeveral = wire.readShort() == 0;
                    answers.eof(session().status());
                }
                case PING -> ok(new SqlResult(null, List.of(), 0), 0);
                case STATISTICS ->
                    wire.begin().putBytes("Nightjar mock".getBytes()).end();
                case FIELDS -> fields(wire.readString());
                case RESET_CONNECTION, CHANGE_USER -> reset(command == CHANGE_USER);
                case PREPARE -> prepare(MysqlText.decode(wire.readRest()));
                case EXECUTE -> execute();
                case FETCH -> fetch();
                case LONG_DATA -> statement(wire.readInt()).append(wire.readShort(), wire.readRest());
                case CLOSE -> prepared.remove(wire.readInt());
                case RESET_STATEMENT -> {
                    statement(wire.readInt()).reset();
                    ok(new SqlResult(null, List.of(), 0), 0);
                }
                default -> throw new MockException("08P01", "unknown command: number=" + command);
            }
        } catch (RuntimeException | AssertionError thrown) {
            if (command != LONG_DATA && command != CLOSE) {
                answers.error(toMockException(thrown));
            }
        }
        return true;
    }

    private void ok(SqlResult result, int more) throws IOException {
        answers.ok(result.count(), session().insertedKey(), session().status() | more);
    }

    private void reset(boolean isOther) throws IOException {
        prepared.clear();
        session = session().reset();
        if (isOther) {
            String user = wire.readString();
            wire.readBytes(wire.readByte());
            session().variables().user(user);
            session().use(wire.readString());
        }
        answers.ok(0, 0, session().status());
    }

    private void kill(int number, boolean wholly) throws IOException {
        WireClient client = server().client(number);
        if (client == null) {
            throw new MockException("42704", "Unknown thread id: " + number);
        }
        client.cancel(0);
        if (wholly) {
            client.hangUp();
        }
    }

    private SqlResult run(MysqlStatement statement, List<?> parameters) throws IOException {
        if (statement.action() == MysqlStatement.Action.KILL
                || statement.action() == MysqlStatement.Action.KILL_QUERY) {
            kill(Integer.parseInt(statement.value()), statement.action() == MysqlStatement.Action.KILL);
            return new SqlResult(null, List.of(), 0);
        }
        return session().run(statement, parameters);
    }

    private void query(String text) throws IOException {
        List<String> texts = MysqlDialect.split(text);
        if (texts.isEmpty()) {
            throw MockException.syntaxError("Query was empty");
        }
        if (texts.size() > 1 && !sendsSeveral) {
            throw MockException.syntaxError(
                    "syntax error: several statements at once, which this client has not asked for");
        }
        for (int i = 0; i < texts.size(); i++) {
            MysqlStatement statement =
                    MysqlDialect.statement(texts.get(i), session().variables());
            SqlResult result = run(statement, List.of());
            int more = i < texts.size() - 1 ? MORE_RESULTS : 0;
            if (result.columns() == null) {
                ok(result, more);
            } else {
                int status = session().status() | more;
                answers.columns(result.columns(), session().variables().database(), status);
                answers.textRows(result, session().values());
                answers.eof(status);
            }
        }
    }

    /** Sends the columns of a table in reply to a deprecated command. */
    private void fields(String table) throws IOException {
        MysqlStatement question = MysqlDialect.statement(
                "SELECT * FROM `" + table.replace("`", "``") + "`", session().variables());
        List<SqlColumn> columns = Objects.requireNonNull(session().columns(question)); // a query has columns
        answers.definitions(columns, session().variables().database(), session().status());
    }

    // ---------------------------------------------------------------- prepared statements

    private MysqlPrepared statement(int number) {
        MysqlPrepared statement = prepared.get(number);
        if (statement == null) {
            throw new MockException("42704", "Unknown prepared statement handler: " + number);
        }
        return statement;
    }

    private void prepare(String text) throws IOException {
        List<String> texts = MysqlDialect.split(text);
        if (texts.size() != 1) {
            throw MockException.syntaxError("a prepared statement is one statement: count=" + texts.size());
        }
        MysqlStatement statement =
                MysqlDialect.statement(texts.get(0), session().variables());
        SqlStatement parsed = session().parsed(statement);
        List<SqlColumn> columns = session().columns(statement);
        int parameters = parsed == null ? 0 : parsed.parameters().size();
        int width = columns == null ? 0 : columns.size();
        int number = ++preparedCount;
        prepared.put(number, new MysqlPrepared(statement, parameters));
        wire.begin().putByte(0).putInt(number).putShort(width).putShort(parameters);
        wire.putByte(0).putShort(0).end();
        answers.parameters(parameters, session().status());
        if (columns != null && width > 0) {
            answers.definitions(
                    columns, session().variables().database(), session().status());
        }
    }

    private void execute() throws IOException {
        MysqlPrepared statement = statement(wire.readInt());
        boolean wantsCursor = (wire.readByte() & 1) != 0;
        wire.readInt();
        List<Object> parameters = statement.readParameters(wire, session().values());
        SqlResult result = run(statement.statement(session().variables()), parameters);
        if (result.columns() == null) {
            ok(result, 0);
            return;
        }
        int status = session().status() | (wantsCursor ? CURSOR_EXISTS : 0);
        answers.columns(result.columns(), session().variables().database(), status);
        if (wantsCursor) {
            statement.open(result);
        } else {
            answers.binaryRows(result.columns(), result.rows(), session().values());
            answers.eof(status);
        }
    }

    private void fetch() throws IOException {
        MysqlPrepared statement = statement(wire.readInt());
        int many = wire.readInt();
        SqlResult rows = statement.next(many);
        answers.binaryRows(rows.head(), rows.rows(), session().values());
        answers.eof(session().status() | (rows.rows().size() < many ? LAST_ROW_SENT : CURSOR_EXISTS));
    }
}
