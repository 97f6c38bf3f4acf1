package io.nightjar.jobs.shrink;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.HistoryRows;
import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.registry.Histories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExplainedPartTest {

    @TempDir
    private Path folder;

    @Test
    void readsOfValuesNotWrittenInPartAreOmitted() throws IOException {
        HistorySlice part = slice(
                """
                s1 T1: w(x,1) r(y,7) r(x,1)
                s2 T2: r(x,1) r(x,2) r(z,_) w(y,3)
                """);

        assertThat(HistoryRows.of(List.of(HistoryShrinker.explained(part))))
                .isEqualTo(
                        HistoryRows.of(
                                List.of(
                                        slice(
                                                """
                                s1 T1: w(x,1) r(x,1)
                                s2 T2: r(x,1) r(z,_) w(y,3)
                                """))));
    }

    private HistorySlice slice(String notation) throws IOException {
        Path file = Files.writeString(folder.resolve("part.txt"), notation);
        try (HistorySource source = Histories.open(file, null)) {
            return HistoryRows.slices(source, BadRowHandler.REJECT).get(0);
        }
    }
}
