package io.nightjar.jobs.packaging;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The files of this machine in an image: its Java runtime, a few programs, and the libraries that they link to. */
public final class MachineFiles {

    private static final Pattern PATH = Pattern.compile("(/\\S+\\.so\\S*) \\(0x");

    /** Libraries for windows, sounds and cards, which bring half a desktop along. */
    private static final List<String> DESKTOP =
            List.of("awt splashscreen jsound fontmanager freetype lcms mlib_image javajpeg atk- pcsc".split(" "));

    /** Files that our own native libraries link to, independently of the runtime. */
    private static final List<String> ALSO =
            List.of("libstdc++.so.6", "libgcc_s.so.1", "libm.so.6", "librt.so.1", "libpthread.so.0", "libdl.so.2");

    /**
     * Programs that manifests and people call in a container: to start, to wait, to inspect, and to copy files in and
     * out.
     */
    private static final List<String> PROGRAMS = List.of("sh", "cat", "cp", "ls", "mkdir", "mv", "rm", "sleep", "tar");

    private MachineFiles() {}

    /**
     * Returns the runtime as /opt/java, the programs in /bin, and the libraries where both expect them.
     *
     * @param javaHome of a JDK or JRE
     */
    public static TarArchive of(Path javaHome) throws IOException {
        TarArchive files = new TarArchive();
        files.addAll("opt/java/", javaHome, MachineFiles::isOfRuntime);
        TreeSet<String> libraries = new TreeSet<>();
        for (String name : PROGRAMS) {
            Path program = Path.of("/bin", name).toRealPath();
            files.add("bin/" + name, program);
            libraries.addAll(linkedBy(program));
        }
        try (Stream<Path> all = Files.walk(javaHome)) {
            for (Path each : all.filter(Files::isRegularFile).toList()) {
                String name = each.getFileName().toString();
                boolean isLinked = name.endsWith(".so")
                        || each.equals(javaHome.resolve("bin").resolve("java"));
                if (isLinked && isOfRuntime(javaHome.relativize(each))) {
                    libraries.addAll(linkedBy(each));
                }
            }
        }
        TreeSet<String> more = new TreeSet<>();
        for (String library : libraries) {
            Path folder = requireNonNull(Path.of(library).getParent());
            for (String also : ALSO) {
                Path file = folder.resolve(also);
                if (Files.exists(file)) {
                    more.add(file.toString());
                }
            }
        }
        libraries.addAll(more);
        for (String library : libraries) {
            if (!library.startsWith(javaHome.toString())) {
                files.add(library.substring(1), Path.of(library).toRealPath());
            }
        }
        return files;
    }

    /** Excludes sources, files that only builds need, and windows. */
    private static boolean isOfRuntime(Path below) {
        String first = below.getName(0).toString();
        String path = below.toString();
        return !List.of("jmods", "include", "man", "demo", "legal", "docs").contains(first)
                && (!first.equals("bin") || path.equals("bin/java"))
                && !path.endsWith("src.zip")
                && !path.endsWith("ct.sym")
                && DESKTOP.stream().noneMatch(path::contains);
    }

    private static List<String> linkedBy(Path file) throws IOException {
        Process ldd = new ProcessBuilder("ldd", file.toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(ldd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        Matcher matcher = PATH.matcher(output);
        return matcher.results().map(found -> found.group(1)).toList();
    }
}
