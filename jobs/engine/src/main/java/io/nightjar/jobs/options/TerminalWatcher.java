package io.nightjar.jobs.options;

import io.nightjar.jobs.command.Progress;
import io.nightjar.jobs.command.Terminal;
import io.nightjar.jobs.run.ProgressListener;

/** Shows progress and notes of an engine on the terminal. */
public final class TerminalWatcher implements ProgressListener {

    @Override
    public Task begin(String what, long total) {
        return begin(what, "", total);
    }

    @Override
    public Task begin(String what, String unit, long total) {
        Progress progress = Progress.start(what, unit, total);
        return new Task() {
            @Override
            public void advance(long amount) {
                progress.advance(amount);
            }

            @Override
            public void close() {
                progress.close();
            }
        };
    }

    @Override
    public void printNote(String line) {
        Terminal.printNote(line);
    }
}
