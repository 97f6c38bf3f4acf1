package io.nightjar.formats.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.history.BadRows;
import io.nightjar.formats.history.Column;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.HistoryWriter;
import io.nightjar.formats.history.ListRef;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.history.TxnStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Histories as one line of text for each transaction, with every column, so that two can be compared. */
public final class HistoryRows {

    private HistoryRows() {}

    public static List<String> of(List<HistorySlice> slices) {
        List<String> rows = new ArrayList<>();
        for (HistorySlice slice : slices) {
            for (int txn = 0; txn < slice.txnCount; txn++) {
                rows.add(row(slice, txn));
            }
        }
        return rows;
    }

    public static List<String> of(HistorySource source) throws IOException {
        return of(slices(source, BadRows.REJECT));
    }

    /** Opens what is at a path, recognised by itself, and reads all of it. */
    public static List<String> at(Path path) throws IOException {
        try (HistorySource source = Histories.open(path, null)) {
            return of(source);
        }
    }

    public static List<HistorySlice> slices(HistorySource source, BadRows badRows) throws IOException {
        List<HistorySlice> slices = new ArrayList<>();
        for (int split = 0; split < source.splits().size(); split++) {
            try (SliceReader reader = source.open(split, Column.all(), badRows)) {
                for (HistorySlice slice = reader.next(); slice != null; slice = reader.next()) {
                    slices.add(slice);
                }
            }
        }
        return slices;
    }

    public static void write(HistoryWriter writer, List<HistorySlice> slices) throws IOException {
        try (writer) {
            for (HistorySlice slice : slices) {
                writer.write(slice);
            }
            writer.finish();
        }
    }

    /** Fails with the first row that differs. */
    public static void assertSame(String what, List<String> actual, List<String> expected) {
        for (int i = 0; i < Math.min(actual.size(), expected.size()); i++) {
            assertThat(actual.get(i)).as("%s row=%d", what, i + 1).isEqualTo(expected.get(i));
        }
        assertThat(actual.size()).as("%s rows", what).isEqualTo(expected.size());
    }

    private static String row(HistorySlice slice, int txn) {
        StringBuilder row = new StringBuilder();
        row.append("txn=").append(slice.txnId[txn]);
        row.append(" session=").append(slice.sessionId[txn]);
        row.append(" seq=").append(slice.sessionSeq[txn]);
        row.append(' ').append(TxnStatus.name(slice.status[txn]));
        row.append(" ts=").append(number(slice.startTs, txn)).append("..").append(number(slice.commitTs, txn));
        row.append(" client=").append(number(slice.invokeNs, txn)).append("..").append(number(slice.completeNs, txn));
        for (int op = slice.firstOpOf[txn]; op < slice.firstOpOf[txn + 1]; op++) {
            row.append(' ').append(op(slice, op));
        }
        return row.append(" extra=")
                .append(slice.extra == null ? null : slice.extra[txn])
                .toString();
    }

    private static String op(HistorySlice slice, int op) {
        byte kind = slice.kind[op];
        String value =
                switch (kind) {
                    case OpKind.READ_NOTHING -> "nothing";
                    case OpKind.READ_LIST -> list(slice, slice.value[op]);
                    default -> slice.valueType + "<" + slice.valueText(slice.value[op]) + ">";
                };
        return "%s(%s<%s>,%s,v%s,w%s)"
                .formatted(
                        OpKind.name(kind),
                        slice.keyType,
                        slice.keyText(op),
                        value,
                        number(slice.version, op),
                        number(slice.writerTxn, op));
    }

    private static String list(HistorySlice slice, long ref) {
        StringBuilder list = new StringBuilder("[");
        for (int i = 0; i < ListRef.length(ref); i++) {
            list.append('<')
                    .append(slice.valueText(slice.lists.element(ListRef.list(ref), i)))
                    .append('>');
        }
        return list.append(']').toString();
    }

    private static String number(long[] column, int index) {
        return column == null || column[index] == HistorySlice.NONE ? "_" : Long.toString(column[index]);
    }
}
