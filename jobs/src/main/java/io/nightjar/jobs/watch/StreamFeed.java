package io.nightjar.jobs.watch;

import java.io.IOException;
import java.io.InputStream;

/** Rows from a stream that ends, such as standard input. */
final class StreamFeed implements RowFeed {

    private final String name;
    private final InputStream in;

    StreamFeed(String name, InputStream in) {
        this.name = name;
        this.in = in;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void run(Inbox inbox) throws IOException, InterruptedException {
        LineFeed lines = new LineFeed(name, this, inbox);
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
