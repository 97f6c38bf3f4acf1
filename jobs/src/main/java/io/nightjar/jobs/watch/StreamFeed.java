package io.nightjar.jobs.watch;

import java.io.IOException;
import java.io.InputStream;

/** Rows from a stream that ends, such as standard input. */
final class StreamFeed implements RowFeed {

    private final String name;
    private final InputStream in;
    private final boolean mayCount;

    /** @param mayCount whether it has all rows there are, so that they can be counted */
    StreamFeed(String name, InputStream in, boolean mayCount) {
        this.name = name;
        this.in = in;
        this.mayCount = mayCount;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void run(Inbox inbox) throws IOException, InterruptedException {
        LineFeed lines = mayCount ? new LineFeed(name, this, inbox, inbox.badRows()) : new LineFeed(name, this, inbox);
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
