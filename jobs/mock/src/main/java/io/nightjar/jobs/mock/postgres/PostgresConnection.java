package io.nightjar.jobs.mock.postgres;

import io.nightjar.jobs.mock.MockException;
import io.nightjar.jobs.mock.sql.SqlEngine;
import io.nightjar.jobs.mock.sql.SqlResult;
import io.nightjar.jobs.mock.wire.WireClient;
import io.nightjar.jobs.mock.wire.WireServer;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Connection of one client: reads its messages and answers them; after a failure it skips all messages up to the next
 * Sync.
 */
public final class PostgresConnection extends WireClient {

    private static final int PROTOCOL_3 = 3 << 16;
    private static final int CANCEL = 80877102;
    private static final int SSL = 80877103;
    private static final int GSS = 80877104;
    private static final SecureRandom SECRETS = new SecureRandom();

    private final SqlEngine engine;
    private final int secret = SECRETS.nextInt();

    @SuppressWarnings("NullAway.Init") // set when the conversation starts
    private PostgresWire wire;

    @SuppressWarnings("NullAway.Init") // set when the conversation starts
    private PostgresAnswers answers;

    /** Null until the startup has succeeded. */
    private volatile @Nullable PostgresSession session;

    private boolean passesOver;

    private final Map<String, Prepared> prepared = new HashMap<>();
    private final Map<String, PostgresPortal> portals = new HashMap<>();

    private record Prepared(PostgresStatement statement, int[] types) {}

    public PostgresConnection(WireServer server, SqlEngine engine, Socket socket, int id) {
        super(server, socket, id);
        this.engine = engine;
    }

    @Override
    public void cancel(int givenSecret) {
        PostgresSession now = session;
        if (givenSecret == secret && now != null) {
            now.cancel();
        }
    }

    @Override
    protected void talk(Socket with) throws IOException {
        wire = new PostgresWire(with);
        answers = new PostgresAnswers(wire);
        if (start()) {
            for (int type = wire.readMessage(); type != 0 && type != 'X'; type = wire.readMessage()) {
                take((char) type);
            }
        }
    }

    @Override
    protected void end() {
        if (session != null) {
            session.close();
        }
    }

    // ---------------------------------------------------------------- start

    /** Returns the session, which messages require. */
    private PostgresSession session() {
        return Objects.requireNonNull(session);
    }

    private boolean start() throws IOException {
        boolean wantedSafety = false;
        while (true) {
            try {
                wire.readStartup();
            } catch (EOFException gone) {
                if (wantedSafety || wire.beganWithTls()) {
                    server().printNote("a client insists on TLS, which this server does not have: set sslmode=disable"
                            + " (and gssencmode=disable)");
                }
                throw gone;
            }
            int code = wire.readInt();
            switch (code) {
                case SSL, GSS -> {
                    wantedSafety = true;
                    wire.writeRaw('N');
                }
                case CANCEL -> {
                    cancelOther(wire.readInt(), wire.readInt());
                    return false;
                }
                case PROTOCOL_3 -> {
                    return begin();
                }
                default -> {
                    boolean isNewer = code >>> 16 == 3;
                    if (isNewer) {
                        wire.begin('v').putInt(PROTOCOL_3).putInt(0).end();
                        return begin();
                    }
                    answers.error(
                            new MockException("08P01", "unsupported protocol: version=" + (code >>> 16)), "FATAL");
                    wire.flush();
                    return false;
                }
            }
        }
    }

    private void cancelOther(int other, int givenSecret) {
        WireClient client = server().client(other);
        if (client != null) {
            client.cancel(givenSecret);
        }
    }

    /** Reads the startup messages; returns false if they are invalid. */
    private boolean begin() throws IOException {
        Map<String, String> settings = new HashMap<>();
        while (wire.hasMore()) {
            String name = wire.readString();
            if (name.isEmpty()) {
                break;
            }
            settings.put(name.toLowerCase(Locale.ROOT), wire.readString());
        }
        session = new PostgresSession(engine, answers, this::deallocate);
        wire.begin('R').putInt(0).end();
        try {
            session().start(settings);
        } catch (MockException wrong) {
            answers.error(wrong, "FATAL");
            wire.flush();
            return false;
        }
        wire.begin('K').putInt(id()).putInt(secret).end();
        ready();
        return true;
    }

    private void deallocate(String name) {
        if ("all".equals(name)) {
            prepared.clear();
        } else {
            prepared.remove(name);
        }
    }

    private void ready() throws IOException {
        wire.begin('Z').putByte(session().state()).end();
        wire.flush();
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
                case 'F' -> throw MockException.notSupported("function calls are not supported");
                default -> throw new MockException("08P01", "unknown message: type=" + type);
            }
        } catch (RuntimeException | AssertionError thrown) {
            fail(toMockException(thrown));
            if (type == 'Q' || type == 'F' || type == 'S') {
                passesOver = false;
                ready();
            } else {
                passesOver = true;
            }
        }
    }

    private void fail(MockException failed) throws IOException {
        session().fail();
        answers.error(failed, "ERROR");
        wire.flush(); // a client may wait for this response before it sends Sync
    }

    private void query(String text) throws IOException {
        List<PostgresStatement> statements = PostgresDialect.statements(text, session());
        if (statements.isEmpty()) {
            wire.begin('I').end();
        }
        for (int i = 0; i < statements.size(); i++) {
            PostgresPortal portal = PostgresPortal.ofText(statements.get(i));
            session().run(portal);
            if (i == statements.size() - 1) {
                session().commitImplicit();
            }
            SqlResult result = portal.result();
            if (result != null && result.columns() != null) {
                answers.describe(portal, result.columns());
                answers.rows(portal, result, 0, result.rows().size());
            }
            answers.complete(portal, result == null ? 0 : result.count());
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
        PostgresStatement statement = single(text);
        session().parsed(statement);
        prepared.put(name, new Prepared(statement, types));
        wire.begin('1').end();
    }

    private PostgresStatement single(String text) {
        List<PostgresStatement> statements = PostgresDialect.statements(text, session());
        if (statements.size() > 1) {
            throw MockException.syntaxError("cannot insert multiple commands into a prepared statement");
        }
        return statements.isEmpty() ? PostgresStatement.of(PostgresStatement.Action.NOTHING, "") : statements.get(0);
    }

    private Prepared prepared(String name) {
        Prepared statement = prepared.get(name);
        if (statement == null) {
            throw new MockException("26000", "prepared statement \"" + name + "\" does not exist");
        }
        return statement;
    }

    private PostgresPortal portal(String name) {
        PostgresPortal portal = portals.get(name);
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
        portals.put(portalName, new PostgresPortal(statement.statement(), parameters, readFormats()));
        wire.begin('2').end();
    }

    private int typeOf(Prepared statement, int parameter) {
        int[] types = PostgresParameters.types(statement.statement(), statement.types(), session());
        return parameter >= types.length ? 0 : types[parameter];
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
            describeParameters(statement);
            answers.describe(
                    PostgresPortal.ofText(statement.statement()), session().columns(statement.statement()));
        } else {
            PostgresPortal portal = portal(name);
            answers.describe(portal, session().columns(portal.statement()));
        }
    }

    private void describeParameters(Prepared statement) throws IOException {
        int[] types = PostgresParameters.types(statement.statement(), statement.types(), session());
        wire.begin('t').putShort(types.length);
        for (int type : types) {
            wire.putInt(type);
        }
        wire.end();
    }

    private void execute() throws IOException {
        PostgresPortal portal = portal(wire.readString());
        int maxRows = wire.readInt();
        if (portal.result() == null) {
            session().run(portal);
        }
        SqlResult result = portal.result();
        if (result == null || result.columns() == null) {
            answers.complete(portal, result == null ? 0 : result.count());
            return;
        }
        int from = portal.next();
        int to = maxRows == 0 ? result.rows().size() : Math.min(result.rows().size(), from + maxRows);
        answers.rows(portal, result, from, to);
        portal.next(to);
        if (to < result.rows().size()) {
            wire.begin('s').end();
        } else {
            answers.complete(portal, to - from);
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
            session().commitImplicit();
        }
        passesOver = false;
        if (session().isIdle()) {
            portals.clear();
        }
        ready();
    }
}
