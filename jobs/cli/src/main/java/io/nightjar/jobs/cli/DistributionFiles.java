package io.nightjar.jobs.cli;

import static java.util.Objects.requireNonNull;

import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.command.Version;
import io.nightjar.jobs.packaging.DuckDbJar;
import io.nightjar.jobs.packaging.Libraries;
import io.nightjar.jobs.packaging.Platform;
import io.nightjar.jobs.packaging.PythonWheel;
import io.nightjar.jobs.packaging.TarArchive;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** The files of each kind of distribution, from the jars of this process. */
final class DistributionFiles {

    /** Path of the driver that records applications, in a distribution and in the launcher's build. */
    private static final String DRIVER = "app/driver/nightjar-jdbc.jar";

    /** Home of an installed package, whose command is a link to the launcher. */
    private static final String INSTALLED = "usr/lib/nightjar/";

    private static final String DEFINITIONS = "docs/anomalies.md"; // reports name its sections

    /** Folder of the Python package below the home: in a distribution, and in a checkout. */
    private static final List<String> PYTHON = List.of("python/nightjar/", "jobs/python/nightjar/");

    private static final String INSTALLED_PYTHON = "usr/lib/python3/dist-packages/nightjar/";

    private static final String README =
            """
            ./nightjar --help        lists the commands; a Java runtime of 17 or newer and bash are needed
            ./nightjar --prepare     once, for faster starts: makes archives of classes for this machine's JVM
            completions/             for bash, zsh and fish
            docs/anomalies.md        definitions of all anomalies
            man/                     MANPATH=$PWD/man: man nightjar-check
            python/                  PYTHONPATH=$PWD/python: import nightjar
            app/driver/              nightjar-jdbc.jar, for the class path of an application, records its transactions
            app/lib/                 an add-on is unpacked over this folder and brings further jars
            """;

    /** Makes the archives of classes; an installation without them works as well. */
    private static final String AFTER_INSTALLATION =
            """
            #!/bin/sh
            set -e
            if [ "$1" = configure ]; then
                /usr/lib/nightjar/nightjar --prepare || true
            fi
            """;

    /** Removes the files that {@code --prepare} has written. */
    private static final String BEFORE_REMOVAL =
            """
            #!/bin/sh
            set -e
            cd /usr/lib/nightjar
            rm -rf app/classes app/java rehearsal rehearsal.log /usr/lib/python3/dist-packages/nightjar/__pycache__
            """;

    private final Path app;
    private final Path home;
    private final Path scratch;
    private final Libraries libraries;

    /** @param scratch a folder for jars that are made here */
    DistributionFiles(Path scratch) throws IOException {
        this.app = app();
        this.home = home(app);
        this.scratch = scratch;
        this.libraries = Libraries.in(app.resolve("lib"));
    }

    /** Returns the folder of the jars that this process runs from. */
    private static Path app() {
        try {
            Path jar = Path.of(DistributionFiles.class
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

    Set<String> addOns() {
        return libraries.addOns().keySet();
    }

    /** Returns the commands that need no add-on, with DuckDB's library for one platform. */
    TarArchive core(String prefix, Platform platform) throws IOException {
        TarArchive files = common(prefix, command -> Commands.addOnOf(command) == null);
        addJars(prefix, libraries.core(), platform, files);
        return files;
    }

    /** Returns the jars and manual pages of an add-on. */
    TarArchive addOn(String prefix, String addOn) throws IOException {
        TarArchive files = new TarArchive();
        addLibraries(prefix + "app/", requireNonNull(libraries.addOns().get(addOn)), null, files);
        manPages(command -> addOn.equals(Commands.addOnOf(command)))
                .forEach((page, text) -> files.add(prefix + "man/man1/" + page, text));
        return files;
    }

    /** Returns the core and all add-ons, for all platforms. */
    TarArchive full(String prefix) throws IOException {
        TarArchive files = common(prefix, command -> true);
        addJars(prefix, libraries.all(), null, files);
        return files;
    }

    /** Returns the installed files of a package: the core and all add-ons for one platform. */
    TarArchive installed(Platform platform) throws IOException {
        TarArchive files = new TarArchive()
                .add("./" + INSTALLED + "nightjar", home.resolve("nightjar"))
                .addLink("./usr/bin/nightjar", "../lib/nightjar/nightjar")
                .add("./" + INSTALLED + DEFINITIONS, home.resolve(DEFINITIONS))
                .add("./usr/share/doc/nightjar/copyright", home.resolve("LICENSE"));
        python().forEach((name, bytes) -> files.add("./" + INSTALLED_PYTHON + name, bytes));
        addJars("./" + INSTALLED, libraries.all(), platform, files);
        CommandLine commandLine = Commands.commandLine(new Root(), Commands.names());
        String bash = new ShellCompletion(commandLine).bash();
        files.add("./usr/share/bash-completion/completions/nightjar", bash);
        files.add("./usr/share/zsh/vendor-completions/_nightjar", bash);
        files.add("./usr/share/fish/vendor_completions.d/nightjar.fish", CompletionCommand.fish(commandLine));
        for (Map.Entry<String, String> page : ManPages.all().entrySet()) {
            files.addZipped("./usr/share/man/man1/" + page.getKey() + ".gz", page.getValue());
        }
        return files;
    }

    /** Returns the fields of the control file of {@link #installed}, in their order. */
    static Map<String, String> fields(String architecture) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("Package", "nightjar");
        fields.put("Version", Version.number());
        fields.put("Architecture", architecture);
        fields.put("Maintainer", "The Nightjar authors <authors@nightjar.io>");
        fields.put("Depends", "libstdc++6, openjdk-17-jre-headless | java17-runtime-headless");
        fields.put("Section", "database");
        fields.put("Priority", "optional");
        fields.put("Homepage", "https://nightjar.io");
        fields.put(
                "Description",
                """
                checks transaction histories for isolation anomalies
                 Nightjar checks archived transaction histories of a database. It returns a
                 verdict for every isolation level, and tables of anomalies with their
                 evidence.""");
        return fields;
    }

    static Map<String, String> scripts() {
        return Map.of("postinst", AFTER_INSTALLATION, "prerm", BEFORE_REMOVAL);
    }

    /** Adds all jars of the application for one platform. */
    void addApplication(String prefix, Platform platform, TarArchive files) throws IOException {
        files.add(prefix + "nightjar.jar", app.resolve("nightjar.jar"));
        addLibraries(prefix, libraries.all(), platform, files);
    }

    /** Writes the Python package with the core, which it runs, as a wheel. */
    void writeWheel(Platform platform, OutputStream to) throws IOException {
        TarArchive files = core("nightjar/home/", platform)
                .add(PythonWheel.infoFolder(Version.number()) + "LICENSE", home.resolve("LICENSE"));
        python().forEach((name, bytes) -> files.add("nightjar/" + name, bytes));
        PythonWheel.write(Version.number(), platform, files, to);
    }

    /** Returns the modules of the Python package by name. */
    private SortedMap<String, byte[]> python() throws IOException {
        for (String folder : PYTHON) {
            if (Files.isDirectory(home.resolve(folder))) {
                SortedMap<String, byte[]> modules = new TreeMap<>();
                try (DirectoryStream<Path> files = Files.newDirectoryStream(home.resolve(folder), "*.py")) {
                    for (Path file : files) {
                        modules.put(file.getFileName().toString(), Files.readAllBytes(file));
                    }
                }
                return modules;
            }
        }
        throw new UsageException(
                "the Python package is not found: home=" + home + "; package from an archive or a checkout");
    }

    private TarArchive common(String prefix, Predicate<String> isCommandIncluded) throws IOException {
        CommandLine commandLine = Commands.commandLine(new Root(), Commands.names());
        String bash = new ShellCompletion(commandLine).bash();
        TarArchive files = new TarArchive()
                .add(prefix + "nightjar", home.resolve("nightjar"))
                .add(prefix + "LICENSE", home.resolve("LICENSE"))
                .add(prefix + "README", README)
                .add(prefix + DEFINITIONS, home.resolve(DEFINITIONS))
                .add(prefix + "completions/nightjar.bash", bash)
                .add(prefix + "completions/_nightjar", bash)
                .add(prefix + "completions/nightjar.fish", CompletionCommand.fish(commandLine));
        manPages(isCommandIncluded).forEach((page, text) -> files.add(prefix + "man/man1/" + page, text));
        python().forEach((name, bytes) -> files.add(prefix + PYTHON.get(0) + name, bytes));
        return files;
    }

    /** Returns manual pages by the names of their files. */
    private static Map<String, String> manPages(Predicate<String> isCommandIncluded) {
        Map<String, String> pages = ManPages.all();
        pages.keySet().removeIf(page -> !isCommandIncluded.test(page.split("[-.]")[1]));
        return pages;
    }

    private void addJars(String prefix, List<Path> jars, @Nullable Platform platform, TarArchive files)
            throws IOException {
        files.add(prefix + "app/nightjar.jar", app.resolve("nightjar.jar"));
        files.add(prefix + DRIVER, driver());
        addLibraries(prefix + "app/", jars, platform, files);
    }

    /** @param platform null for all platforms */
    private void addLibraries(String prefix, List<Path> jars, @Nullable Platform platform, TarArchive files)
            throws IOException {
        for (Path jar : jars) {
            boolean isReduced = platform != null && DuckDbJar.is(jar);
            files.add(prefix + "lib/" + jar.getFileName(), isReduced ? reduced(jar, requireNonNull(platform)) : jar);
        }
    }

    private Path reduced(Path jar, Platform platform) throws IOException {
        Path made = scratch.resolve(platform.label() + ".jar");
        if (!Files.exists(made)) {
            DuckDbJar.copyFor(platform, jar, made);
        }
        return made;
    }

    /**
     * Returns the driver that records applications: none of our classes is on its class path, so it is a separate file.
     */
    private Path driver() {
        Path jar = app.resolveSibling(DRIVER);
        if (!Files.isRegularFile(jar)) {
            throw new UsageException(
                    "the driver is not found: path=" + jar + "; remove the build, and the next call builds again");
        }
        return jar;
    }
}
