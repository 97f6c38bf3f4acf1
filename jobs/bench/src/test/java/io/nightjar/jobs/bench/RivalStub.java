package io.nightjar.jobs.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The program of a jar that prints the output of another checker: a file next to the jar. */
public final class RivalStub {

    private RivalStub() {}

    public static void main(String[] args) throws IOException {
        Files.copy(Path.of(System.getProperty("java.class.path") + ".says"), System.out);
    }
}
