package io.nightjar.datasets.inject;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FaultFileTest {

    private static final PlantedFault STALE = new PlantedFault(
            Fault.STALE_READ,
            List.of(17L, 9L),
            "12",
            List.of(new PlantedFault.Change(17, 3, "op", "[\"r\",12,5]", "[\"r\",12,null]")),
            List.of(new ExpectedAnomaly(Anomaly.EXT, IsolationLevel.SNAPSHOT_ISOLATION, List.of(17L), "12")));
    private static final PlantedFault REVERSED = new PlantedFault(
            Fault.START_AFTER_COMMIT,
            List.of(4L),
            null,
            List.of(new PlantedFault.Change(4, PlantedFault.Change.WHOLE_TXN, "start_ts", "40", "65")),
            List.of(new ExpectedAnomaly(
                    Anomaly.TIMESTAMP_ORDER, IsolationLevel.SNAPSHOT_ISOLATION, List.of(4L), null)));

    @Test
    void standsBesideTheHistory() {
        assertThat(FaultFile.beside(Path.of("out", "h.parquet"))).isEqualTo(Path.of("out", "h.parquet.faults.jsonl"));
    }

    @Test
    void holdsOneObjectALine(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("h.faults.jsonl");

        FaultFile.write(file, List.of(STALE, REVERSED));

        assertThat(Files.readAllLines(file))
                .containsExactly(
                        "{\"fault\":\"stale-read\",\"transactions\":[17,9],\"key\":\"12\","
                                + "\"changes\":[{\"transaction\":17,\"op\":3,\"field\":\"op\","
                                + "\"from\":[\"r\",12,5],\"to\":[\"r\",12,null]}],"
                                + "\"expected\":[{\"type\":\"EXT\",\"level\":\"snapshot-isolation\","
                                + "\"transactions\":[17],\"key\":\"12\"}]}",
                        "{\"fault\":\"start-after-commit\",\"transactions\":[4],\"key\":null,"
                                + "\"changes\":[{\"transaction\":4,\"field\":\"start_ts\",\"from\":40,\"to\":65}],"
                                + "\"expected\":[{\"type\":\"TIMESTAMP-ORDER\",\"level\":\"snapshot-isolation\","
                                + "\"transactions\":[4],\"key\":null}]}");
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).containsExactly(file);
        }
    }
}
