package io.nightjar.jobs.cli;

import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.command.AllowedHosts;
import io.nightjar.jobs.command.ExitCode;
import io.nightjar.jobs.command.MemoryConverter;
import io.nightjar.jobs.command.StoreAddressConverter;
import io.nightjar.jobs.command.Terminal;
import io.nightjar.jobs.command.Version;
import io.nightjar.jobs.lake.Lake;
import io.nightjar.jobs.serve.LakeServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code nightjar serve}: serves the report of a lake as live pages on this machine. */
@Command(
        name = "serve",
        description = {
            "Serve the report of a lake to browsers on this machine: runs appear as they finish, every anomaly has a page,"
                    + " and a box takes SQL. On 127.0.0.1, files that a browser sends are checked into the lake.",
            "The first line of standard output is the address; Ctrl-C ends it."
        },
        footer = {
            "  nightjar serve nightjar-lake",
            "  nightjar serve nightjar-lake --port 0",
            "  nightjar serve nightjar-lake --http 0.0.0.0:8080 --allow-host build7"
        })
final class ServeCommand implements Callable<Integer> {

    private static final String LOOPBACK = "127.0.0.1";
    private static final int DEFAULT_PORT = 8418;

    @Parameters(
            arity = "0..1",
            paramLabel = "LAKE",
            converter = StoreAddressConverter.class,
            description = "Directory of the anomaly tables. Default: nightjar-lake.")
    private Path lake = SqlCommand.DEFAULT_LAKE;

    @ArgGroup
    private @Nullable Where where;

    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            converter = MemoryConverter.class,
            description =
                    "Memory limit of the process, such as 2g. A file to check may have half of it. Default: half the machine.")
    private @Nullable Long memory;

    @Mixin
    private AllowedHosts allowed;

    /** The address of the server: a port of this machine, or an address. */
    private static final class Where {

        @Option(
                names = "--port",
                paramLabel = "N",
                description = "The port on 127.0.0.1, 0 for any free one. Default: " + DEFAULT_PORT + ".")
        private @Nullable Integer port;

        @Option(
                names = "--http",
                paramLabel = "HOST:PORT",
                description =
                        "Listen on other addresses than this machine's loopback. All who can connect can read the lake.")
        private @Nullable String http;
    }

    @Override
    public Integer call() throws IOException {
        InetSocketAddress address = address();
        long heap = Runtime.getRuntime().maxMemory();
        long memoryBytes = (memory == null ? heap : Math.min(memory, heap)) / 2; // pages and queries need the rest
        try (LakeServer server =
                LakeServer.start(Lake.openExisting(lake), Version.number(), address, allowed.names(), memoryBytes)) {
            String host = address.getHostString();
            String shown = (host.contains(":") ? "[" + host + "]" : host) + ":" + server.port();
            System.out.println("listening on " + shown);
            System.out.flush();
            Terminal.printNote("open http://" + shown + "/ in a browser; Ctrl-C ends");
            awaitSignal(server);
        }
        return ExitCode.HOLDS;
    }

    /** Ends the process at a signal; running requests are cut off. */
    private static void awaitSignal(LakeServer server) {
        Runtime.getRuntime().addShutdownHook(new Thread(server::close, "serve-end"));
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private InetSocketAddress address() {
        if (where == null || where.http == null) {
            int port = where == null ? DEFAULT_PORT : where.port;
            return address(LOOPBACK, port, "--port=" + port);
        }
        int colon = where.http.lastIndexOf(':');
        String option = "--http=" + where.http;
        if (colon <= 0) {
            throw new UsageException("not an address: " + option + "; give HOST:PORT");
        }
        String host = where.http.substring(0, colon).replaceAll("^\\[|]$", "");
        try {
            return address(host, Integer.parseInt(where.http.substring(colon + 1)), option);
        } catch (NumberFormatException noNumber) {
            throw new UsageException("not an address: " + option + "; give HOST:PORT", noNumber);
        }
    }

    private static InetSocketAddress address(String host, int port, String option) {
        if (port < 0 || port > 65535) {
            throw new UsageException("not a port: " + option + "; ports are from 0 to 65535");
        }
        return new InetSocketAddress(host, port);
    }
}
