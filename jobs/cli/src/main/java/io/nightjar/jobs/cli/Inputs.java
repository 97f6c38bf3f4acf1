package io.nightjar.jobs.cli;

import io.nightjar.jobs.command.Progress;
import io.nightjar.jobs.command.Terminal;
import io.nightjar.jobs.input.HistoryArgument;
import java.io.IOException;
import java.nio.file.Path;

/** Finds the histories that are arguments of commands, and reports the progress of reading a pipe. */
final class Inputs {

    private Inputs() {}

    /** Finds a history; reads a pipe to its end. */
    static HistoryArgument find(Path named) throws IOException {
        if (!HistoryArgument.isPipe(named)) {
            return HistoryArgument.find(named, bytes -> {});
        }
        if (HistoryArgument.isStandardInput(named) && Terminal.stdinIsTerminal()) {
            Terminal.printNote("reading from the terminal; Ctrl-D ends it");
        }
        try (Progress progress = Progress.start("receiving " + HistoryArgument.nameOf(named), "bytes", -1)) {
            return HistoryArgument.find(named, progress::advance);
        }
    }
}
