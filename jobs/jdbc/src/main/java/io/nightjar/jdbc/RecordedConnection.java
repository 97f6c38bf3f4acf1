package io.nightjar.jdbc;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** A connection whose statements and transactions are recorded. */
final class RecordedConnection extends ProxyCalls {

    private final Connection connection;
    private final SessionRecorder log;
    private boolean isClosed;

    RecordedConnection(Connection connection, SessionRecorder log) {
        super(connection);
        this.connection = connection;
        this.log = log;
    }

    @Override
    @Nullable
    Object call(Method method, Object[] args) throws Throwable {
        switch (method.getName()) {
            case "createStatement":
                Statement plain = (Statement) through(method, args);
                return new RecordedStatement(log, plain, null, proxy(Connection.class)).proxy(Statement.class);
            case "prepareStatement":
                PreparedText prepared = new PreparedText(log, method, args);
                return new RecordedStatement(log, prepared.prepare(), prepared, proxy(Connection.class))
                        .proxy(PreparedStatement.class);
            case "prepareCall":
                PreparedText call = new PreparedText(log, method, args);
                return new RecordedStatement(log, call.prepare(), call, proxy(Connection.class))
                        .proxy(CallableStatement.class);
            case "commit":
                log.commit(connection::commit);
                return null;
            case "rollback":
                rollback(args);
                return null;
            case "setSavepoint":
                Object savepoint = through(method, args);
                log.savepoint(savepoint);
                return savepoint;
            case "setAutoCommit":
                setAutoCommit((boolean) args[0]);
                return null;
            case "setTransactionIsolation":
                through(method, args);
                log.isolationChanged((int) args[0]);
                return null;
            case "setSchema", "setCatalog":
                through(method, args);
                log.hasMoved();
                return null;
            case "getMetaData":
                return withThisConnection((DatabaseMetaData) through(method, args));
            case "close", "abort":
                close(method, args);
                return null;
            default:
                return through(method, args);
        }
    }

    private void rollback(Object[] args) throws SQLException {
        if (args.length == 0) {
            log.rollback(connection::rollback);
            return;
        }
        Savepoint savepoint = (Savepoint) args[0];
        connection.rollback(savepoint);
        log.backTo(savepoint);
    }

    private void setAutoCommit(boolean itself) throws SQLException {
        if (itself && !connection.getAutoCommit()) {
            log.commit(() -> connection.setAutoCommit(true));
        } else {
            connection.setAutoCommit(itself);
        }
    }

    private DatabaseMetaData withThisConnection(DatabaseMetaData about) {
        return (DatabaseMetaData) Proxy.newProxyInstance(
                RecordedConnection.class.getClassLoader(),
                new Class<?>[] {DatabaseMetaData.class},
                (self, method, args) ->
                        method.getName().equals("getConnection") ? proxy(Connection.class) : on(about, method, args));
    }

    private void close(Method method, Object[] args) throws Throwable {
        if (isClosed) {
            through(method, args);
            return;
        }
        isClosed = true;
        try {
            log.close();
        } finally {
            log.archive().closed();
            through(method, args);
        }
    }

    @Override
    Object unwrapped(Method method, Object[] args) throws Throwable {
        log.goesAround((Class<?>) args[0]);
        return through(method, args);
    }
}
