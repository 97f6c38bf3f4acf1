package io.nightjar.jobs.mock;

import java.util.ArrayList;
import java.util.List;

/** What one transaction did, for the archive. */
final class ArchivedTxn {

    final long id;
    final int session;
    final long seq;
    final List<Op> ops = new ArrayList<>();
    final List<String> statements = new ArrayList<>();
    String client;
    String status;

    /** One read or write; a null text is the initial state. */
    record Op(boolean isWrite, RowObject object, String name, RowVersion version) {

        String text() {
            return version == null ? null : version.text();
        }
    }

    ArchivedTxn(long id, int session, long seq) {
        this.id = id;
        this.session = session;
        this.seq = seq;
    }
}
