package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.jobs.record.PostgresServer;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Passwords and TLS at a server that wants them. */
@Tag("slow")
class RecordingSecretsITCase {

    private static final String SECRET = "geheim-4711";

    @TempDir
    private Path directory;

    @Test
    void passwordIsRequestedOnTerminalWithoutEcho() throws Exception {
        Path script = Path.of("/usr/bin/script");
        Assumptions.assumeTrue(Files.isExecutable(script), "no program here that makes a terminal: script");
        try (PostgresServer server = PostgresServer.started("17.5.0")) {
            requirePassword(server);
            Path out = directory.resolve("h.jsonl");
            String command = String.join(
                    " ",
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Dnightjar.terminals=012", // as the launcher sets it
                    "-cp",
                    System.getProperty("java.class.path"),
                    Main.class.getName(),
                    "record",
                    out.toString(),
                    "--jdbc",
                    "'" + server.url() + "'",
                    "--transactions",
                    "50");
            Process terminal = new ProcessBuilder(script.toString(), "-qec", command, "/dev/null")
                    .redirectErrorStream(true)
                    .start();
            StringBuilder shown = new StringBuilder();
            readUntil(terminal, shown, "password: ");
            try (OutputStream keyboard = terminal.getOutputStream()) {
                keyboard.write((SECRET + "\n").getBytes(StandardCharsets.UTF_8));
                keyboard.flush();
                readUntil(terminal, shown, "transactions=50");
            }

            assertThat(terminal.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(terminal.exitValue()).as(shown.toString()).isZero();
            assertThat(shown.toString()).doesNotContain(SECRET);
            assertThat(out).content().hasLineCount(50).doesNotContain(SECRET);
        }
    }

    @Test
    void addressPasswordIsInNoFileAndNoMessage() throws Exception {
        try (PostgresServer server = PostgresServer.started("15.13.0")) {
            requirePassword(server);
            String right = server.url() + "&password=" + SECRET;

            CommandRun good = record("parts", right);
            assertThat(good.code()).as(good.err()).isZero();
            CommandRun bad = record("bad", server.url() + "&password=not-" + SECRET);
            assertThat(bad.code()).isEqualTo(75);
            assertThat(bad.err()).contains("cannot connect: reason=28P01").contains("password=***");
            CommandRun none = record("none", server.url());
            assertThat(none.code()).isEqualTo(75);
            CommandRun checked = CommandRun.check(directory.resolve("parts"), directory.resolve("lake"));
            assertThat(checked.code()).isLessThanOrEqualTo(2);

            Path archive = directory.resolve("application");
            String wrapped = right.replace("jdbc:", "jdbc:nightjar:") + "&nightjar.archive=" + archive;
            try (Connection application = DriverManager.getConnection(wrapped);
                    Statement statement = application.createStatement()) {
                statement.execute("CREATE TABLE t (id INTEGER PRIMARY KEY)");
                statement.executeUpdate("INSERT INTO t VALUES (1)");
                statement.execute("ALTER USER postgres PASSWORD '" + SECRET + "'");
            }
            for (CommandRun each : List.of(good, bad, none, checked)) {
                assertThat(each.out() + each.err()).doesNotContain(SECRET);
            }
        }
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
                        .as("%s", file)
                        .doesNotContain(SECRET);
            }
        }
    }

    @Test
    void driverPropertiesConfigureTls() throws Exception {
        try (PostgresServer server = PostgresServer.started("17.5.0")) {
            Path certificate = turnTlsOn(server);
            String localhost = server.url().replace("127.0.0.1", "localhost");

            assertThat(record("a.jsonl", localhost + "&sslmode=verify-full&sslrootcert=" + certificate)
                            .code())
                    .isZero();
            CommandRun unknown = record("b.jsonl", localhost + "&sslmode=verify-full");
            assertThat(unknown.code()).isEqualTo(75);
            assertThat(unknown.err()).contains("cannot connect: reason=");
        }
    }

    // ---------------------------------------------------------------- tools

    private static void readUntil(Process terminal, StringBuilder shown, String text) throws IOException {
        while (shown.indexOf(text) < 0) {
            int letter = terminal.getInputStream().read();
            if (letter < 0) {
                throw new AssertionError("ended without \"" + text + "\": " + shown);
            }
            shown.append((char) letter);
        }
    }

    private CommandRun record(String out, String url) {
        return CommandRun.of("record", "" + directory.resolve(out), "--jdbc", url, "--transactions", "50");
    }

    private static void requirePassword(PostgresServer server) throws SQLException {
        try (Connection connection = DriverManager.getConnection(server.url());
                Statement statement = connection.createStatement()) {
            statement.execute("ALTER USER postgres PASSWORD '" + SECRET + "'");
            statement.execute("COPY (SELECT 'host all all 127.0.0.1/32 scram-sha-256') TO '"
                    + setting(statement, "hba_file") + "'");
            statement.execute("SELECT pg_reload_conf()");
        }
        boolean isWanted = false;
        while (!isWanted) {
            try (Connection stillTrusted = DriverManager.getConnection(server.url())) {
                isWanted = stillTrusted.isClosed();
            } catch (SQLException wanted) {
                isWanted = true;
            }
        }
    }

    /** Makes a certificate for localhost, and returns where it is. */
    private Path turnTlsOn(PostgresServer server) throws Exception {
        Path store = directory.resolve("keys.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "server",
                        "-keyalg",
                        "RSA",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=dns:localhost",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        SECRET,
                        "-keystore",
                        store.toString())
                .start();
        assertThat(keytool.waitFor()).isZero();
        KeyStore keys = KeyStore.getInstance(store.toFile(), SECRET.toCharArray());
        String key =
                pem("PRIVATE KEY", keys.getKey("server", SECRET.toCharArray()).getEncoded());
        String certificate = pem("CERTIFICATE", keys.getCertificate("server").getEncoded());
        try (Connection connection = DriverManager.getConnection(server.url());
                Statement statement = connection.createStatement()) {
            Path data = Path.of(setting(statement, "data_directory"));
            write(statement, key, data.resolve("server.key"));
            write(statement, certificate, data.resolve("server.crt"));
            Files.setPosixFilePermissions(data.resolve("server.key"), PosixFilePermissions.fromString("rw-------"));
            statement.execute("ALTER SYSTEM SET ssl = on");
            statement.execute("SELECT pg_reload_conf()");
            while (!setting(statement, "ssl").equals("on")) {
                Thread.sleep(20);
            }
        }
        return Files.writeString(directory.resolve("root.crt"), certificate);
    }

    private static String setting(Statement statement, String name) throws SQLException {
        try (ResultSet row = statement.executeQuery("SHOW " + name)) {
            row.next();
            return row.getString(1);
        }
    }

    /** Writes a file as the user that runs the server. */
    private static void write(Statement statement, String text, Path file) throws SQLException {
        String lines = "'" + String.join("'), ('", text.strip().split("\n")) + "'";
        statement.execute("COPY (VALUES (" + lines + ")) TO '" + file + "'");
    }

    private static String pem(String what, byte[] encoded) {
        String text = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(encoded);
        return "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n";
    }
}
