package io.nightjar.jobs.mock.postgres;

import io.nightjar.jobs.mock.sql.SqlEngine;
import io.nightjar.jobs.mock.wire.WireServer;
import java.io.IOException;
import java.util.function.Consumer;

/** Factory of servers for clients of PostgreSQL. */
public final class PostgresServer {

    private PostgresServer() {}

    /**
     * Binds the port; the server accepts clients once it is started.
     *
     * @param port 0 for any free port
     * @param notes consumer of notices for the user
     * @throws IOException if the server cannot listen on the address
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
