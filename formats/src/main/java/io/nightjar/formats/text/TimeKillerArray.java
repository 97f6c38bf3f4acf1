package io.nightjar.formats.text;

import io.nightjar.formats.file.CorruptDataException;
import io.nightjar.formats.file.InputFile;
import io.nightjar.formats.history.InputError;
import io.nightjar.formats.history.InputLocation;
import io.nightjar.formats.history.MalformedHistoryException;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;

/** Iterator over the elements of one file that is a JSON array; adds the location to errors. */
final class TimeKillerArray implements Closeable {

    private final String file;
    private final InputStream in;
    private final JsonCursor cursor = new JsonCursor();
    private long row;
    private boolean isDone;

    TimeKillerArray(Path path) throws IOException {
        InputFile.check(path);
        this.file = path.toString();
        this.in = InputFile.openText(path);
        cursor.overStream(in);
    }

    /** Returns the cursor, which is at the element after a successful {@link #advance}. */
    JsonCursor cursor() {
        return cursor;
    }

    /** Returns the element, counted from 1. */
    long row() {
        return row;
    }

    /** Advances to the next element, which the caller must read completely; returns false after the last. */
    boolean advance() throws IOException {
        if (isDone) {
            return false;
        }
        try {
            cursor.forgetMark();
            boolean hasMore = row == 0 ? begin() : cursor.takeComma(']');
            if (hasMore) {
                cursor.peek();
                cursor.mark();
                row++;
                return true;
            }
            if (!cursor.isAtEnd()) {
                throw cursor.unexpected("nothing more after the array");
            }
            isDone = true;
            return false;
        } catch (BadRowException notJson) {
            throw malformed(notJson.fault());
        } catch (CorruptDataException damaged) {
            throw malformed(damaged.fault());
        }
    }

    /** Skips the element by reading it again; returns its text. */
    String passOver(int maxLength) throws IOException {
        cursor.rewind();
        long start = cursor.offset();
        try {
            cursor.skipValue();
        } catch (BadRowException notJson) {
            throw malformed(notJson.fault());
        } catch (CorruptDataException damaged) {
            throw malformed(damaged.fault());
        }
        return cursor.copy(start, maxLength);
    }

    MalformedHistoryException malformed(InputError fault) {
        return new MalformedHistoryException(InputLocation.row(file, row), fault);
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    private boolean begin() throws IOException {
        cursor.expect('[', "'[', since TimeKiller's JSON is one array of transactions");
        return !cursor.take(']');
    }
}
