package io.nightjar.jobs.cluster;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;

/** What is sent along with a job: our classes and what they need beside Flink, as jars. */
final class JobJars {

    private JobJars() {}

    /** Folders of classes, which only a build or a test runs from, are packed first. */
    static List<Path> ofThisApplication() throws IOException {
        List<Path> jars = new ArrayList<>();
        for (Path entry : ApplicationClassPath.own().job()) {
            jars.add(Files.isDirectory(entry) ? pack(entry) : entry);
        }
        return jars;
    }

    private static Path pack(Path folder) throws IOException {
        Path jar = Files.createTempFile("nightjar-classes-", ".jar");
        jar.toFile().deleteOnExit();
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream packed = new JarOutputStream(out);
                Stream<Path> files = Files.walk(folder)) {
            packed.setLevel(Deflater.BEST_SPEED);
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                packed.putNextEntry(new ZipEntry(folder.relativize(file).toString()));
                Files.copy(file, packed);
                packed.closeEntry();
            }
        }
        return jar;
    }
}
