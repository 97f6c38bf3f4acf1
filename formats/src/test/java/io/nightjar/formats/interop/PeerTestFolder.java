package io.nightjar.formats.interop;

import io.nightjar.fixtures.HistoryRows;
import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.registry.Histories;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;

/** Shared fixture of the tests of foreign formats: a folder, and short forms of rows. */
abstract class PeerTestFolder {

    @TempDir
    Path folder;

    /** Returns rows without the columns that no foreign format has, and without types. */
    static List<String> rows(Path path, String format) throws IOException {
        return rows(path, format, BadRowHandler.REJECT);
    }

    static List<String> rows(Path path, String format, BadRowHandler badRows) throws IOException {
        List<String> rows = new ArrayList<>();
        try (HistorySource source = Histories.open(path, format)) {
            for (String row : HistoryRows.of(HistoryRows.slices(source, badRows))) {
                rows.add(row.replace(" ts=_.._ client=_.._", "")
                        .replace(" extra=null", "")
                        .replace(",v_,w_)", ")")
                        .replaceAll("(LONG|STRING)<([^>]*)>", "$2"));
            }
        }
        return rows;
    }

    static List<String> rows(Path path) throws IOException {
        return rows(path, null);
    }

    static String formatOf(Path path) throws IOException {
        try (HistorySource source = Histories.open(path, null)) {
            return source.format();
        }
    }

    static String impliedInitialValue(Path path) throws IOException {
        try (HistorySource source = Histories.open(path, null)) {
            return source.impliedInitialValue();
        }
    }
}
