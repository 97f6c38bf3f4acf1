package io.nightjar.jobs.watch;

import java.io.IOException;
import java.io.InputStream;

/** Reader of rows from a stream that ends: standard input or a named pipe. */
final class StreamFeed implements RowFeed {

    private final String name;
    private final StreamOpener opener;
    private final boolean mayCount;

    /** Opens a stream, which for a named pipe waits for its first writer. */
    interface StreamOpener {

        InputStream open() throws IOException;
    }

    /** @param mayCount whether the stream has all rows of the watch, so that they can be counted */
    StreamFeed(String name, StreamOpener opener, boolean mayCount) {
        this.name = name;
        this.opener = opener;
        this.mayCount = mayCount;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void run(ArrivalSink inbox) throws IOException, InterruptedException {
        LineSplitter lines = mayCount ? new LineSplitter(name, inbox, inbox.badRows()) : new LineSplitter(name, inbox);
        try (InputStream in = opener.open()) {
            while (!inbox.isClosed()) {
                if (in.available() == 0) {
                    lines.flush(); // the next read may take long
                }
                if (lines.read(in) < 0) {
                    lines.end();
                    return;
                }
            }
        }
    }
}
