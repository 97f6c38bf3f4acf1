package io.nightjar.jobs.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The program of a jar that prints what another checker would: a file beside the jar. */
public final class RivalStub {

    private RivalStub() {}

    public static void main(String[] args) throws IOException {
        Files.copy(Path.of(System.getProperty("java.class.path") + ".says"), System.out);
    }
}
