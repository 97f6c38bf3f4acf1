package io.nightjar.jobs.cli;

import io.nightjar.jobs.command.Progress;

import io.nightjar.jobs.command.Terminal;

import io.nightjar.jobs.input.GivenHistory;
import java.io.IOException;
import java.nio.file.Path;

/** Finds the histories that commands are given, and tells how far a pipe is read. */
final class Inputs {

    private Inputs() {}

    /** Finds a history; one that comes through a pipe is read to its end. */
    static GivenHistory find(Path named) throws IOException {
        if (!GivenHistory.isPipe(named)) {
            return GivenHistory.find(named, bytes -> {});
        }
        if (GivenHistory.isStandardInput(named) && Terminal.stdinIsTerminal()) {
            Terminal.note("reading from the terminal; Ctrl-D ends it");
        }
        try (Progress progress = Progress.start("receiving " + GivenHistory.nameOf(named), "bytes", -1)) {
            return GivenHistory.find(named, progress::advance);
        }
    }
}
