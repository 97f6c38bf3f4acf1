package io.nightjar.jobs.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.registry.Histories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ComponentCounterTest {

    @TempDir
    private Path folder;

    @Test
    void componentsOfSessionsThatShareNoKeyAreCounted() throws IOException {
        InspectedComponents components = inspected(1 << 20);

        assertThat(components.areCounted()).isTrue();
        assertThat(components.count()).isEqualTo(40);
        assertThat(components.largestTxns()).isEqualTo(25);
        assertThat(components.cutSessions()).isZero();
    }

    @Test
    void oversizedGraphIsNotCountedAndStatesRequiredMemory() throws IOException {
        InspectedComponents components = inspected(100_000);

        assertThat(components.areCounted()).isFalse();
        assertThat(components.neededBytes()).isGreaterThan(100_000).isLessThan(1 << 20);
    }

    private InspectedComponents inspected(long graphBytes) throws IOException {
        StringBuilder rows = new StringBuilder();
        for (int i = 0; i < 1000; i++) {
            rows.append("{\"session\":%d,\"ops\":[[\"w\",\"k%d\",%d],[\"r\",\"k%d\",%d]]}\n"
                    .formatted(i % 40, i % 40, i, i % 40, i));
        }
        Path file = Files.writeString(folder.resolve("parts.jsonl"), rows);
        try (HistorySource source = Histories.open(file, null)) {
            return new HistoryInspector(null, 1 << 24, graphBytes, 1, 0)
                    .inspect(source, count -> {})
                    .components();
        }
    }
}
