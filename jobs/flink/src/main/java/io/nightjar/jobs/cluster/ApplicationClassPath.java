package io.nightjar.jobs.cluster;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.regex.Pattern;

/** Class path of this application: Flink with its libraries, the libraries of a job, and others. */
final class ApplicationClassPath {

    /** Flink, its dependencies, and a logger. */
    private static final Pattern OF_FLINK = jars(
            "flink-[a-z0-9-]+",
            "slf4j-api|slf4j-jdk14",
            "RoaringBitmap|aircompressor|async-profiler|javassist|jsr305|kryo|lz4-java|minlog|objenesis|reflectasm",
            "snakeyaml-engine|snappy-java",
            "commons-(?:cli|codec|collections|compress|io|lang3|math3|text)");

    /**
     * Libraries that formats, pipeline, datasets, stream sources and watches need; the libraries of the command line
     * are not sent.
     */
    static final List<String> JOB_LIBRARIES = List.of(
            "HdrHistogram",
            "aircompressor",
            "arrow-format",
            "arrow-memory-core",
            "arrow-vector",
            "commons-codec",
            "commons-compress",
            "commons-io",
            "commons-lang3",
            "fastutil-core",
            "flatbuffers-java",
            "jackson-core",
            "jsqlparser",
            "kafka-clients",
            "parquet-format-structures",
            "zstd-jni");

    private static final Pattern OF_JOBS = jars("nightjar-[a-z]+", String.join("|", JOB_LIBRARIES));

    private static final String NIGHTJAR_JAR = "nightjar.jar";

    private final List<Path> entries;

    private ApplicationClassPath(List<Path> entries) {
        this.entries = entries;
    }

    /** Returns the class path of this process. */
    static ApplicationClassPath ofThisProcess() {
        Set<Path> entries = new LinkedHashSet<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            if (!entry.isEmpty()) {
                add(Path.of(entry).toAbsolutePath().normalize(), entries);
            }
        }
        return new ApplicationClassPath(new ArrayList<>(entries));
    }

    /** Adds an entry and the entries named by its manifest, as the JVM does. */
    private static void add(Path entry, Set<Path> into) {
        if (!Files.exists(entry) || !into.add(entry) || Files.isDirectory(entry)) {
            return;
        }
        for (String address : classPathOf(entry).split(" ")) {
            URI uri = address.isEmpty() ? null : entry.toUri().resolve(address);
            if (uri != null && "file".equals(uri.getScheme())) {
                add(Path.of(uri).normalize(), into);
            }
        }
    }

    private static String classPathOf(Path jar) {
        try (JarFile file = new JarFile(jar.toFile())) {
            Manifest manifest = file.getManifest();
            String classPath =
                    manifest == null ? null : manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
            return classPath == null ? "" : classPath;
        } catch (IOException e) {
            throw new ClusterException("[" + jar + "] cannot read a jar of ours: reason=" + e.getMessage(), e);
        }
    }

    /** Returns the class path of a cluster process that receives everything else with its jobs. */
    List<Path> flink() {
        return entries.stream().filter(entry -> matches(OF_FLINK, entry)).toList();
    }

    /** Returns the class path of a job without Flink: jars, and folders of classes that are not packed yet. */
    List<Path> job() {
        return entries.stream().filter(ApplicationClassPath::isOfJobs).toList();
    }

    private static boolean isOfJobs(Path entry) {
        return Files.isDirectory(entry) || entry.endsWith(NIGHTJAR_JAR) || matches(OF_JOBS, entry);
    }

    private static boolean matches(Pattern names, Path entry) {
        return names.matcher(entry.getFileName().toString()).matches();
    }

    private static Pattern jars(String... names) {
        return Pattern.compile("(?:" + String.join("|", names) + ")(?:-\\d.*)?\\.jar");
    }
}
