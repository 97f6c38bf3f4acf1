package io.nightjar.jobs.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;
import org.junit.jupiter.api.Assumptions;

/** A database server that a test starts on loopback, in a separate folder, from binaries fetched by the build. */
public abstract class DatabaseServer implements AutoCloseable {

    private static final String UNPRIVILEGED_USER = "nobody";
    private static final long START_TIMEOUT_S = 300;

    private static final Map<String, Path> UNPACKED = new HashMap<>();

    final Path folder;
    private final int port;
    private Process process;

    DatabaseServer(String kind) throws IOException {
        this.folder = Files.createTempDirectory("nightjar-" + kind + "-");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            this.port = free.getLocalPort();
        }
    }

    public abstract String url();

    public int port() {
        return port;
    }

    abstract List<String> command();

    /** Returns a jar with binaries; skips the test if the build has not fetched it or its programs do not run here. */
    static Path jar(String name) {
        Path jar = Path.of("")
                .toAbsolutePath()
                .resolve("../../target/databases")
                .normalize()
                .resolve(name);
        boolean isLinux = System.getProperty("os.name").equals("Linux")
                && System.getProperty("os.arch").equals("amd64");
        Assumptions.assumeTrue(
                isLinux && Files.isRegularFile(jar), () -> "no binaries of this server here: " + jar.getFileName());
        return jar;
    }

    /** Extraction of binaries from their jar. */
    @FunctionalInterface
    interface Unpacking {
        void into(Path folder) throws IOException;
    }

    /** Returns the binaries of a server, unpacked once for all tests of this process. */
    static synchronized Path unpacked(String kind, Unpacking unpacking) throws IOException {
        Path there = UNPACKED.get(kind);
        if (there == null) {
            there = Files.createTempDirectory("nightjar-binaries-");
            Files.setPosixFilePermissions(there, PosixFilePermissions.fromString("rwxr-xr-x"));
            Path folder = there;
            Runtime.getRuntime().addShutdownHook(new Thread(() -> deleteAll(folder)));
            unpacking.into(there);
            UNPACKED.put(kind, there);
        }
        return there;
    }

    static void untar(InputStream compressed, Path into) throws IOException {
        try (TarArchiveInputStream tar = new TarArchiveInputStream(new XZCompressorInputStream(compressed))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                Path file = into.resolve(entry.getName()).normalize();
                assertThat(file).startsWithRaw(into);
                if (entry.isDirectory()) {
                    Files.createDirectories(file);
                } else if (entry.isSymbolicLink()) {
                    Files.createDirectories(file.getParent());
                    Files.createSymbolicLink(file, Path.of(entry.getLinkName()));
                } else {
                    Files.createDirectories(file.getParent());
                    Files.copy(tar, file);
                    boolean isProgram = (entry.getMode() & 0100) != 0;
                    Files.setPosixFilePermissions(
                            file, PosixFilePermissions.fromString(isProgram ? "rwxr-xr-x" : "rw-r--r--"));
                }
            }
        }
    }

    private static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    /** Creates a folder that the server may write to. */
    Path ownFolder(String name) throws IOException {
        Path own = Files.createDirectories(folder.resolve(name));
        Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rwx------"));
        if (isRoot()) {
            UserPrincipal unprivileged =
                    own.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(UNPRIVILEGED_USER);
            Files.setOwner(own, unprivileged);
        }
        return own;
    }

    /** Returns the command for an unprivileged user: servers refuse to run as root. */
    static List<String> unprivileged(List<String> command) {
        if (!isRoot()) {
            return command;
        }
        List<String> as =
                new ArrayList<>(List.of("setpriv", "--reuid=" + UNPRIVILEGED_USER, "--regid=65534", "--clear-groups"));
        as.addAll(command);
        return as;
    }

    /** Runs a program to its end. */
    void run(Path input, List<String> command) throws IOException, InterruptedException {
        Path log = folder.resolve("setup.log");
        ProcessBuilder builder = new ProcessBuilder(unprivileged(command))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.redirectInput(
                input == null ? ProcessBuilder.Redirect.PIPE : ProcessBuilder.Redirect.from(input.toFile()));
        builder.environment().put("LC_ALL", "C");
        Process setup = builder.start();
        assertThat(setup.waitFor(START_TIMEOUT_S, TimeUnit.SECONDS)).isTrue();
        assertThat(setup.exitValue()).as(Files.readString(log)).isZero();
    }

    /** Starts the server and waits until it answers. */
    public final void start() throws IOException, InterruptedException {
        Path log = folder.resolve("server.log");
        ProcessBuilder builder = new ProcessBuilder(unprivileged(command()))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().put("LC_ALL", "C");
        process = builder.start();
        long untilNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_TIMEOUT_S);
        SQLException reason = null;
        while (process.isAlive() && System.nanoTime() < untilNs) {
            try (Connection connection = DriverManager.getConnection(url())) {
                if (connection.isValid(5)) {
                    return;
                }
            } catch (SQLException notYet) {
                reason = notYet;
            }
            Thread.sleep(50);
        }
        kill(); // the caller cannot close it yet
        throw new AssertionError("server does not start: " + Files.readString(log), reason);
    }

    /** Returns the process and all its descendants. */
    private List<ProcessHandle> family() {
        return Stream.concat(Stream.of(process.toHandle()), process.descendants())
                .toList();
    }

    /** Kills the server without shutdown, as a machine failure would. */
    public final void kill() {
        List<ProcessHandle> all = family();
        all.forEach(ProcessHandle::destroyForcibly);
        for (ProcessHandle each : all) {
            each.onExit().join();
        }
    }

    /** Suspends (STOP) or resumes (CONT) all its processes, some of which may just have ended. */
    public final void signal(String name) throws IOException, InterruptedException {
        for (ProcessHandle each : family()) {
            int code = new ProcessBuilder("kill", "-" + name, Long.toString(each.pid()))
                    .start()
                    .waitFor();
            assertThat(code == 0 || each.pid() != process.pid())
                    .as("the server itself was told")
                    .isTrue();
        }
    }

    @Override
    public void close() throws IOException {
        if (process != null) {
            kill();
        }
        deleteAll(folder);
    }

    private static void deleteAll(Path root) {
        try (Stream<Path> files = Files.walk(root)) {
            files.sorted(Comparator.reverseOrder()).forEach(DatabaseServer::delete);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
