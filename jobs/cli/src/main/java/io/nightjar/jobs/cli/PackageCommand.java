package io.nightjar.jobs.cli;

import io.nightjar.formats.file.AtomicFile;
import io.nightjar.jobs.ScratchFolder;
import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.command.ExitCode;
import io.nightjar.jobs.command.Version;
import io.nightjar.jobs.packaging.DebianPackage;
import io.nightjar.jobs.packaging.MachineFiles;
import io.nightjar.jobs.packaging.OciImage;
import io.nightjar.jobs.packaging.Platform;
import io.nightjar.jobs.packaging.PythonWheel;
import io.nightjar.jobs.packaging.TarArchive;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Distributions that need a JRE only. */
@Command(
        name = "package",
        description = {
            "Write distributions, which run on any machine with bash and a Java runtime of 17 or newer. The same build makes the same bytes.",
            "",
            "  nightjar-VERSION-PLATFORM.tar.gz      core: check, inspect, convert, generate, explain, report, sql and other commands",
            "  nightjar-VERSION-addon-NAME.tar.gz    addons, to be unpacked over it: bench, flink, kafka, mock, record, watch",
            "  nightjar-VERSION-full.tar.gz          full: the core and all add-ons, for all platforms",
            "  nightjar_VERSION_ARCHITECTURE.deb     deb: the core and all add-ons, as a Debian package",
            "  nightjar-VERSION-PLATFORM-oci.tar     image: the core and all add-ons, this machine's Java runtime, a shell and tar",
            "  nightjar-VERSION-py3-none-SYSTEM.whl  wheel: the core with the Python package"
        },
        footer = {
            "  nightjar package --out /data/releases",
            "  nightjar package --only core,deb --platform linux-amd64,linux-arm64",
            "  nightjar package --image"
        })
final class PackageCommand implements Callable<Integer> {

    /** Kinds of distributions, in the order in which they are written. */
    enum Kind {
        CORE,
        ADDONS,
        FULL,
        DEB,
        IMAGE,
        WHEEL
    }

    /** Writes the content of a file. */
    @FunctionalInterface
    private interface Content {
        void writeTo(OutputStream out) throws IOException;
    }

    /** The command in an image; given options are last and so have precedence. */
    private static final String IN_IMAGE =
            """
            #!/bin/sh
            # NIGHTJAR_JAVA_OPTS may set, among others, which share of the container's memory is heap.
            exec /opt/java/bin/java -XX:MaxRAMPercentage=45 -XX:-UsePerfData -Dfile.encoding=UTF-8 -Dnightjar.command=nightjar \\
                ${NIGHTJAR_JAVA_OPTS:-} -jar /opt/nightjar/app/nightjar.jar "$@"
            """;

    @Option(
            names = {"-o", "--out"},
            paramLabel = "DIR",
            defaultValue = ".",
            description = "Folder of the files. Default: the current folder.")
    private Path out;

    @Option(
            names = "--only",
            paramLabel = "KIND",
            split = ",",
            description = "Kinds to write: core, addons, full, deb, image, wheel. Default: all of them.")
    private @Nullable List<Kind> only;

    @Option(
            names = "--platform",
            paramLabel = "PLATFORM",
            split = ",",
            description = "Platforms of core, deb and wheel: linux-amd64, linux-arm64, macos-arm64, windows-amd64."
                    + " Default: this machine's.")
    private @Nullable List<String> platforms;

    @Option(names = "--image", description = "The same as --only image.")
    private boolean image;

    @Override
    public Integer call() throws IOException {
        List<Platform> named = platforms();
        Set<Kind> kinds = kinds();
        Files.createDirectories(out);
        String name = "nightjar-" + Version.number();
        String folder = name + "/";
        try (ScratchFolder scratch = ScratchFolder.create(out, ".nightjar-package-")) {
            DistributionFiles files = new DistributionFiles(scratch.path());
            if (kinds.contains(Kind.CORE)) {
                for (Platform platform : named) {
                    write(name + "-" + platform.label() + ".tar.gz", files.core(folder, platform)::writeZipped);
                }
            }
            if (kinds.contains(Kind.ADDONS)) {
                for (String addOn : files.addOns()) {
                    write(name + "-addon-" + addOn + ".tar.gz", files.addOn(folder, addOn)::writeZipped);
                }
            }
            if (kinds.contains(Kind.FULL)) {
                write(name + "-full.tar.gz", files.full(folder)::writeZipped);
            }
            if (kinds.contains(Kind.DEB)) {
                for (Platform platform : named) {
                    Optional<String> architecture = platform.debian();
                    if (architecture.isPresent()) {
                        writeDebian(files, platform, architecture.get(), scratch.path());
                    }
                }
            }
            if (kinds.contains(Kind.IMAGE)) {
                writeImage(name, files, thisMachine(), scratch.path());
            }
            if (kinds.contains(Kind.WHEEL)) {
                for (Platform platform : named) {
                    write(PythonWheel.fileName(Version.number(), platform), to -> files.writeWheel(platform, to));
                }
            }
        }
        return ExitCode.HOLDS;
    }

    private Set<Kind> kinds() {
        if (only != null) {
            EnumSet<Kind> kinds = EnumSet.copyOf(only);
            if (image) {
                kinds.add(Kind.IMAGE);
            }
            return kinds;
        }
        if (image) {
            return EnumSet.of(Kind.IMAGE);
        }
        boolean canMakeImage = thisPlatform().flatMap(Platform::debian).isPresent();
        return canMakeImage ? EnumSet.allOf(Kind.class) : EnumSet.complementOf(EnumSet.of(Kind.IMAGE));
    }

    private List<Platform> platforms() {
        if (platforms == null) {
            return List.of(thisMachine());
        }
        List<Platform> named = new ArrayList<>();
        for (String label : platforms) {
            named.add(Platform.byLabel(label)
                    .orElseThrow(() -> new UsageException("unknown platform: platform=" + label + " expected="
                            + String.join("|", Platform.labels()))));
        }
        return named;
    }

    private static Optional<Platform> thisPlatform() {
        return Platform.of(System.getProperty("os.name"), System.getProperty("os.arch"));
    }

    private static Platform thisMachine() {
        return thisPlatform()
                .orElseThrow(() -> new UsageException("DuckDB has no library for this machine: system="
                        + System.getProperty("os.name") + " processor=" + System.getProperty("os.arch")
                        + "; name another one with --platform"));
    }

    /** Writes a file as a whole or not at all, and prints its path. */
    private void write(String name, Content content) throws IOException {
        Path file = out.resolve(name);
        try (AtomicFile hidden = new AtomicFile(file)) {
            try (OutputStream to = hidden.openPlain()) {
                content.writeTo(to);
            }
            hidden.publish();
        }
        System.out.println(file);
    }

    private void writeDebian(DistributionFiles files, Platform platform, String architecture, Path scratch)
            throws IOException {
        TarArchive installed = files.installed(platform);
        write(
                "nightjar_" + Version.number() + "_" + architecture + ".deb",
                to -> DebianPackage.write(
                        DistributionFiles.fields(architecture), DistributionFiles.scripts(), installed, scratch, to));
    }

    private void writeImage(String name, DistributionFiles files, Platform platform, Path scratch) throws IOException {
        TarArchive ours = new TarArchive();
        files.addApplication("opt/nightjar/app/", platform, ours);
        ours.addScript("usr/local/bin/nightjar", IN_IMAGE)
                .addFolderForAll("tmp")
                .add("etc/passwd", "nightjar:x:9999:9999:nightjar:/tmp:/bin/sh\n");
        Path folder = scratch.resolve("image");
        OciImage.begin(folder)
                .addLayer(MachineFiles.of(Path.of(System.getProperty("java.home"))))
                .addLayer(ours)
                .finish(
                        Version.number(),
                        platform.debian().orElseThrow(),
                        List.of(
                                "LC_ALL=C.UTF-8",
                                "HOME=/tmp",
                                "JAVA_HOME=/opt/java",
                                "PATH=/usr/local/bin:/opt/java/bin:/usr/bin:/bin"),
                        List.of("/usr/local/bin/nightjar"),
                        List.of("--help"));
        write(name + "-" + platform.label() + "-oci.tar", new TarArchive().addAll("", folder, file -> true)::writeTar);
    }
}
