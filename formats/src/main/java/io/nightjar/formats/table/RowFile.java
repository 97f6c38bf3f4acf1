package io.nightjar.formats.table;

import io.nightjar.formats.file.InputFile;
import io.nightjar.formats.history.InputLocation;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.text.BadRowException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One file of a table, which may be in folders such as {@code day=1} that add columns. */
final class RowFile {

    private static final String PARQUET = "PAR1";

    final Path path;
    private final Map<ColumnRole, String> given;
    private final List<String> partitionNames = new ArrayList<>();
    private final List<String> partitionValues = new ArrayList<>();

    /** @param root folder below which names of folders are columns */
    RowFile(Path path, @Nullable Path root, Map<ColumnRole, String> given) {
        this.path = path;
        this.given = given;
        if (root != null && path.startsWith(root)) {
            for (Path folder : root.relativize(path)) {
                int equals = folder.toString().indexOf('=');
                if (equals > 0 && !folder.equals(path.getFileName())) {
                    partitionNames.add(folder.toString().substring(0, equals));
                    partitionValues.add(folder.toString().substring(equals + 1));
                }
            }
        }
    }

    /** Opens the rows, after the required columns were checked. */
    TableRows open() throws IOException {
        try {
            TableRows rows = openRows();
            return partitionNames.isEmpty() ? rows : new PartitionedRows(rows, partitionNames, partitionValues);
        } catch (BadRowException notOne) {
            throw new MalformedHistoryException(InputLocation.file(path.toString()), notOne.fault(), notOne);
        }
    }

    private TableRows openRows() throws IOException {
        InputFile.check(path);
        byte[] raw = InputFile.head(path, PARQUET.length());
        if (new String(raw, StandardCharsets.US_ASCII).equals(PARQUET)) {
            return new ParquetTableRows(path, this::isColumn, this::isTime);
        }
        byte[] head = InputFile.decompressedHead(path, 1 << 10);
        return isJson(head) ? new JsonTableRows(path, this::isColumn) : new CsvRows(path);
    }

    private boolean isColumn(String name) {
        return given.containsValue(name) || ColumnRole.named(name) != null;
    }

    private boolean isTime(String name) {
        ColumnRole role = ColumnRole.named(name);
        for (Map.Entry<ColumnRole, String> entry : given.entrySet()) {
            role = entry.getValue().equals(name) ? entry.getKey() : role;
        }
        return role == ColumnRole.START
                || role == ColumnRole.COMMIT
                || role == ColumnRole.INVOKE
                || role == ColumnRole.COMPLETE;
    }

    private static boolean isJson(byte[] head) {
        int at = head.length >= 3 && head[0] == (byte) 0xef ? 3 : 0;
        while (at < head.length && (head[at] == ' ' || head[at] == '\n' || head[at] == '\r' || head[at] == '\t')) {
            at++;
        }
        return at < head.length && (head[at] == '{' || head[at] == '[');
    }

    /** Returns whether rows are lines of text, and messages use that word. */
    boolean rowsAreLines() throws IOException {
        try (TableRows rows = openRows()) {
            return rows instanceof CsvRows || rows instanceof JsonTableRows json && json.rowsAreLines();
        } catch (BadRowException | MalformedHistoryException malformed) {
            return true; // and will be reported when it is read
        }
    }
}
