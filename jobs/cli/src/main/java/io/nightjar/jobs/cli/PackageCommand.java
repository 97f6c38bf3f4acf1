package io.nightjar.jobs.cli;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.file.AtomicFile;
import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.command.ExitCode;
import io.nightjar.jobs.command.Version;
import io.nightjar.jobs.packaging.MachineFiles;
import io.nightjar.jobs.packaging.OciImage;
import io.nightjar.jobs.packaging.TarArchive;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A distribution that needs a JRE only. */
@Command(
        name = "package",
        description = {
            "Write nightjar-VERSION.tar.gz, which runs on any machine with a Java runtime of 17 or newer and bash: launcher, jars,"
                    + " completions, manual pages and the driver that records applications. The same build makes the same bytes.",
            "With --image also an image as an OCI layout, without any daemon: from scratch, with this machine's Java runtime, a shell and tar."
        },
        footer = {"  nightjar package", "  nightjar package --out /data/releases", "  nightjar package --image"})
final class PackageCommand implements Callable<Integer> {

    /** The command in an image; given options are last and so have precedence. */
    private static final String IN_IMAGE =
            """
            #!/bin/sh
            # NIGHTJAR_JAVA_OPTS says, among others, which share of the container's memory is heap.
            exec /opt/java/bin/java -XX:MaxRAMPercentage=45 -XX:-UsePerfData -Dfile.encoding=UTF-8 -Dnightjar.command=nightjar \\
                ${NIGHTJAR_JAVA_OPTS:-} -jar /opt/nightjar/app/nightjar.jar "$@"
            """;

    /** Path of the driver that records applications, in a distribution and in the launcher's build. */
    private static final String DRIVER = "app/driver/nightjar-jdbc.jar";

    @Option(
            names = {"-o", "--out"},
            paramLabel = "DIR",
            defaultValue = ".",
            description = "Where it goes. Default: the current folder.")
    private Path out;

    @Option(names = "--image", description = "Also write nightjar-VERSION-oci, a folder that is an image.")
    private boolean image;

    @Override
    public Integer call() throws IOException {
        Files.createDirectories(out);
        Path app = app();
        String name = "nightjar-" + Version.number();
        Path archive = out.resolve(name + ".tar.gz");
        TarArchive files = distribution(name + "/", app);
        try (AtomicFile hidden = new AtomicFile(archive)) {
            try (OutputStream to = hidden.openPlain()) {
                OciImage.writeZipped(files, to);
            }
            hidden.publish();
        }
        System.out.println(archive);
        if (image) {
            System.out.println(writeImage(name, app));
        }
        return ExitCode.HOLDS;
    }

    /** Returns the folder of the jars that this process runs from. */
    private static Path app() {
        try {
            Path jar = Path.of(PackageCommand.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            if (Files.isRegularFile(jar) && Files.isDirectory(jar.resolveSibling("lib"))) {
                return requireNonNull(jar.getParent());
            }
        } catch (URISyntaxException noPath) {
            throw new UsageException("not run from a jar: " + noPath.getMessage(), noPath);
        }
        throw new UsageException("not run from a build: no jars to package; call it by the launcher");
    }

    /**
     * Returns the folder of the launcher: the parent of the application in a distribution, and the root of a checkout.
     */
    private static Path home(Path app) {
        for (Path home = app.getParent(); home != null; home = home.getParent()) {
            if (Files.isRegularFile(home.resolve("nightjar")) && Files.isRegularFile(home.resolve("LICENSE"))) {
                return home;
            }
        }
        throw new UsageException("the launcher is not found: app=" + app);
    }

    static TarArchive distribution(String prefix, Path app) throws IOException {
        Path home = home(app);
        CommandLine commandLine = Commands.commandLine(new Root(), Commands.names());
        TarArchive files = new TarArchive();
        files.add(prefix + "nightjar", home.resolve("nightjar"));
        files.add(prefix + "LICENSE", home.resolve("LICENSE"));
        files.add(
                prefix + "README",
                """
                ./nightjar --help        says what there is; a Java runtime of 17 or newer and bash are needed
                ./nightjar --prepare     once, for faster starts: makes archives of classes for this machine's JVM
                completions/             for bash, zsh and fish
                man/                     MANPATH=$PWD/man: man nightjar-check
                app/driver/              nightjar-jdbc.jar goes on the class path of an application, to record what it does
                """);
        addJars(prefix + "app/", app, files);
        files.add(prefix + DRIVER, driver(app));
        String bash = new ShellCompletion(commandLine).bash();
        files.add(prefix + "completions/nightjar.bash", bash);
        files.add(prefix + "completions/_nightjar", bash);
        files.add(prefix + "completions/nightjar.fish", CompletionCommand.fish(commandLine));
        for (Map.Entry<String, String> page : ManPages.all().entrySet()) {
            files.add(prefix + "man/man1/" + page.getKey(), page.getValue());
        }
        return files;
    }

    /**
     * Returns the driver that records applications: none of our classes is on its class path, so it is a separate file.
     */
    private static Path driver(Path app) {
        Path jar = app.resolveSibling(DRIVER);
        if (!Files.isRegularFile(jar)) {
            throw new UsageException(
                    "the driver is not found: path=" + jar + "; remove what was built, and the next call builds again");
        }
        return jar;
    }

    private static void addJars(String prefix, Path app, TarArchive files) throws IOException {
        files.add(prefix + "nightjar.jar", app.resolve("nightjar.jar"));
        try (Stream<Path> jars = Files.list(app.resolve("lib"))) {
            for (Path jar :
                    jars.filter(each -> each.toString().endsWith(".jar")).toList()) {
                files.add(prefix + "lib/" + jar.getFileName(), jar);
            }
        }
    }

    private Path writeImage(String name, Path app) throws IOException {
        Path folder = out.resolve(name + "-oci");
        if (Files.exists(folder)) {
            removeOld(folder);
        }
        TarArchive ours = new TarArchive();
        addJars("opt/nightjar/app/", app, ours);
        ours.addScript("usr/local/bin/nightjar", IN_IMAGE)
                .addFolderForAll("tmp")
                .add("etc/passwd", "nightjar:x:9999:9999:nightjar:/tmp:/bin/sh\n");
        OciImage.begin(folder)
                .addLayer(MachineFiles.of(Path.of(System.getProperty("java.home"))))
                .addLayer(ours)
                .finish(
                        Version.number(),
                        System.getProperty("os.arch").equals("aarch64") ? "arm64" : "amd64",
                        List.of(
                                "LC_ALL=C.UTF-8",
                                "HOME=/tmp",
                                "JAVA_HOME=/opt/java",
                                "PATH=/usr/local/bin:/opt/java/bin:/usr/bin:/bin"),
                        List.of("/usr/local/bin/nightjar"),
                        List.of("--help"));
        return folder;
    }

    /** Removes the files of an image that was written before; other files stay. */
    private static void removeOld(Path folder) throws IOException {
        if (!Files.isRegularFile(folder.resolve("oci-layout"))) {
            throw new UsageException("something else is there: path=" + folder + "; move it away");
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
