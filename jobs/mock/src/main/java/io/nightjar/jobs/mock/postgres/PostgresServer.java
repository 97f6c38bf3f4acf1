package io.nightjar.jobs.mock.postgres;

import io.nightjar.jobs.mock.sql.SqlEngine;
import io.nightjar.jobs.mock.wire.WireServer;
import java.io.IOException;
import java.util.function.Consumer;

/** Takes clients of PostgreSQL. */
public final class PostgresServer {

    private PostgresServer() {}

    /**
     * Takes the port, and clients once it is started.
     *
     * @param port 0 for any that is free
     * @param notes told what a person should know
     * @throws IOException if the address cannot be listened on
     */
    public static WireServer open(SqlEngine engine, String host, int port, Consumer<String> notes) throws IOException {
        return new WireServer(
                "mock-postgres",
                (server, socket, id) -> new PostgresConnection(server, engine, socket, id),
                host,
                port,
                notes);
    }
}
