package io.nightjar.jobs.flink;

import io.nightjar.formats.history.BadRows;
import io.nightjar.pipeline.primitive.ByteFeed;
import io.nightjar.pipeline.primitive.ByteSink;
import java.util.ArrayList;
import java.util.List;

/** Bad rows of one split, and what made its reading end, told to the station that decides what they mean. */
final class BadRowsMessage implements BadRows {

    /** Thrown to end the reading of a split in which more rows are bad than any history may have. */
    static final class EnoughException extends RuntimeException {

        private static final long serialVersionUID = 1;

        EnoughException() {
            super(null, null, false, false);
        }
    }

    private final long most;
    private final List<BadRow> rows = new ArrayList<>();

    /** The reason why the history is rejected, with its place; null if the split was read. */
    String rejection;

    /** @param most how many bad rows a history may have */
    BadRowsMessage(long most) {
        this.most = most;
    }

    private record BadRow(String file, long row, String reason, String rawText) {}

    @Override
    public void add(String file, long row, String reason, String rawText) {
        rows.add(new BadRow(file, row, reason, rawText));
        if (rows.size() > most) {
            throw new EnoughException();
        }
    }

    int size() {
        return rows.size();
    }

    boolean isEmpty() {
        return rows.isEmpty() && rejection == null;
    }

    /** Tells somebody of all the rows. */
    void tell(BadRows to) {
        for (BadRow row : rows) {
            to.add(row.file, row.row, row.reason, row.rawText);
        }
    }

    ByteSink encode() {
        ByteSink to = new ByteSink(256);
        Texts.put(rejection, to);
        to.putVarint(rows.size());
        for (BadRow row : rows) {
            Texts.put(row.file, to);
            to.putSigned(row.row);
            Texts.put(row.reason, to);
            Texts.put(row.rawText, to);
        }
        return to;
    }

    static BadRowsMessage decode(ByteFeed from) {
        BadRowsMessage message = new BadRowsMessage(Long.MAX_VALUE);
        message.rejection = Texts.get(from);
        int count = from.getCount();
        for (int i = 0; i < count; i++) {
            message.rows.add(new BadRow(Texts.get(from), from.getSigned(), Texts.get(from), Texts.get(from)));
        }
        return message;
    }
}
