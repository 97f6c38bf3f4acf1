package io.nightjar.jobs.flink;

import io.nightjar.formats.history.BadRows;
import io.nightjar.pipeline.primitive.ByteFeed;
import io.nightjar.pipeline.primitive.ByteSink;
import io.nightjar.pipeline.primitive.TextFeed;
import io.nightjar.pipeline.primitive.TextSink;
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
        TextSink texts = new TextSink(to);
        texts.put(rejection);
        to.putVarint(rows.size());
        for (BadRow row : rows) {
            texts.put(row.file);
            to.putSigned(row.row);
            texts.put(row.reason);
            texts.put(row.rawText);
        }
        return to;
    }

    static BadRowsMessage decode(ByteFeed from) {
        BadRowsMessage message = new BadRowsMessage(Long.MAX_VALUE);
        TextFeed texts = new TextFeed(from);
        message.rejection = texts.get();
        int count = from.getCount();
        for (int i = 0; i < count; i++) {
            message.rows.add(new BadRow(texts.get(), from.getSigned(), texts.get(), texts.get()));
        }
        return message;
    }
}
