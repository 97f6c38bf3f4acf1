package io.nightjar.jobs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Another process that has a scratch folder with a file, and lives until it is killed. */
final class ScratchFolderProbe {

    private ScratchFolderProbe() {}

    public static void main(String[] args) throws IOException {
        Path path = ScratchFolder.create(Path.of(args[0]), args[1]).path();
        Files.createDirectory(path.resolve("deep"));
        Files.writeString(path.resolve("deep").resolve("file"), "spilled");
        System.out.println(path);
        System.in.read();
    }
}
