package io.nightjar.datasets.random;

import io.nightjar.formats.finding.Evidence;
import io.nightjar.formats.finding.TxnRow;
import io.nightjar.formats.history.BadRows;
import io.nightjar.formats.history.Column;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.source.Histories;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Rows of a history as text, so that two ways to read it can be compared. */
public final class NotationRows {

    private NotationRows() {}

    /** Reads a file with the notation's own reader. */
    public static List<String> read(Path file) {
        List<HistorySlice> slices = new ArrayList<>();
        try (SliceReader reader = Histories.open(file, "notation").open(0, Column.all(), BadRows.REJECT)) {
            for (HistorySlice slice = reader.next(); slice != null; slice = reader.next()) {
                slices.add(slice);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        return of(slices);
    }

    public static List<String> of(List<HistorySlice> slices) {
        List<String> rows = new ArrayList<>();
        for (HistorySlice slice : slices) {
            for (int txn = 0; txn < slice.txnCount; txn++) {
                Evidence evidence = new Evidence(slice.txnId[txn]);
                evidence.observe(slice);
                TxnRow row = evidence.row(slice.txnId[txn]);
                rows.add(row.sessionId() + "/" + row.sessionSeq() + " " + row.txnId() + " " + row.status() + " "
                        + row.startTs() + " " + row.commitTs() + " " + slice.keyType + " " + slice.valueType + " "
                        + row.opsText());
            }
        }
        return rows;
    }
}
