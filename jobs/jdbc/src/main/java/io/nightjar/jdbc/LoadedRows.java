package io.nightjar.jdbc;

import io.nightjar.jdbc.RecordedTable.RowImage;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Rows from before the recording that are read from tables, in a separate file until the loader of the archive has them. */
final class LoadedRows implements AutoCloseable {

    private static final int BUFFER = 1 << 16;

    private final JdbcArchive archive;
    private final Path path;
    private final StringBuilder text = new StringBuilder(); // not written yet
    private @Nullable RandomAccessFile file; // null without rows
    private long markedBytes;

    /** @param path of the file, which does not exist yet */
    LoadedRows(JdbcArchive archive, Path path) {
        this.archive = archive;
        this.path = path;
    }

    /** Adds a row; returns the id of the loader. */
    long add(RowImage row) {
        ColumnJson.putText(row.key(), text.append(",[\"w\","));
        text.append(',').append(row.text()).append(']');
        if (text.length() >= BUFFER) {
            flush();
        }
        return archive.loaderTxn();
    }

    private void flush() {
        if (text.length() == 0) {
            return;
        }
        try {
            RandomAccessFile to = file == null ? new RandomAccessFile(path.toFile(), "rw") : file;
            file = to;
            to.write(text.toString().getBytes(StandardCharsets.UTF_8));
        } catch (IOException full) {
            fail(full);
        }
        text.setLength(0);
    }

    private void fail(IOException failure) {
        archive.fail("cannot write: " + failure.getMessage());
    }

    /** Marks the rows so far as rows of whole tables. */
    void mark() {
        flush();
        try {
            markedBytes = file == null ? 0 : file.getFilePointer();
        } catch (IOException lost) {
            fail(lost);
        }
    }

    /** Removes the rows after the mark. */
    void reset() {
        text.setLength(0);
        try {
            if (file != null) {
                file.setLength(markedBytes);
                file.seek(markedBytes);
            }
        } catch (IOException lost) {
            fail(lost);
        }
    }

    /** Gives the archive's loader the rows up to the mark. */
    @Override
    public void close() {
        reset();
        try (RandomAccessFile rows = file) {
            if (rows != null && markedBytes > 0) {
                rows.seek(0);
                archive.addToLoader(rows);
            }
        } catch (IOException full) {
            fail(full);
        }
        try {
            Files.deleteIfExists(path);
        } catch (IOException stillThere) {
            fail(stillThere);
        }
    }
}
