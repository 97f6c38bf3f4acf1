package io.nightjar.jobs.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.fixtures.RandomSlices;
import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistoryWriter;
import io.nightjar.formats.history.SliceReader;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PackedRowsTest {

    @TempDir
    Path folder;

    @Test
    void fileThatWasCutIsRefused() throws IOException {
        Path file = folder.resolve("part-00001.rows");
        try (HistoryWriter out = PackedRows.create(file)) {
            for (HistorySlice slice : RandomSlices.any(1).bare().slices(100)) {
                out.write(slice);
            }
            out.finish();
        }
        byte[] whole = Files.readAllBytes(file);
        int endOfFirstSlice = Integer.BYTES + ByteBuffer.wrap(whole).getInt();
        RowArchive.Part part = new RowArchive.Part(1, file, whole.length, Long.MAX_VALUE);

        assertThat(txns(part)).isEqualTo(100);
        for (int cut : List.of(0, 3, endOfFirstSlice, whole.length / 2, whole.length - 1)) {
            Files.write(file, Arrays.copyOf(whole, cut));
            assertThatThrownBy(() -> txns(part)).as("cut at %d", cut).isInstanceOf(EOFException.class);
        }
    }

    private static int txns(RowArchive.Part part) throws IOException {
        int count = 0;
        try (PackedRows rows = new PackedRows(List.of(part), "rows");
                SliceReader in = rows.open(0, EnumSet.allOf(ColumnGroup.class), BadRowHandler.REJECT)) {
            for (HistorySlice slice = in.next(); slice != null; slice = in.next()) {
                count += slice.txnCount;
            }
        }
        return count;
    }
}
