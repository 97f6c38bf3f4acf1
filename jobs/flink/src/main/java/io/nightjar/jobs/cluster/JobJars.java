package io.nightjar.jobs.cluster;

import io.nightjar.jobs.ScratchFolder;
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

/** Jars sent with a job: our classes and their libraries other than Flink. */
final class JobJars {

    private JobJars() {}

    /** Returns the jars. Folders of classes, which only a build or a test runs from, are packed into jars. */
    static List<Path> ofThisApplication() throws IOException {
        List<Path> jars = new ArrayList<>();
        ScratchFolder packed = null;
        for (Path entry : ApplicationClassPath.ofThisProcess().job()) {
            if (!Files.isDirectory(entry)) {
                jars.add(entry);
                continue;
            }
            if (packed == null) { // deleted when the process ends
                packed = ScratchFolder.create(Path.of(System.getProperty("java.io.tmpdir")), "nightjar-classes-");
            }
            jars.add(pack(entry, packed.path().resolve(jars.size() + ".jar")));
        }
        return jars;
    }

    private static Path pack(Path folder, Path jar) throws IOException {
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
