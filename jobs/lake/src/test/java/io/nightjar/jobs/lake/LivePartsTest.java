package io.nightjar.jobs.lake;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.parquet.ParquetTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The parts that a running watch publishes are one file per table after its end. */
class LivePartsTest {

    private static final Instant WHEN = Instant.parse("2026-11-23T00:00:01.234567Z");

    @TempDir
    private Path lake;

    @Test
    void partsBecomeOneWithAllTheirRows() throws Exception {
        try (RunWriter run = Lake.open(lake).begin("r1", "h-1")) {
            for (long seq = 1; seq <= 7; seq++) {
                run.add(LakeFixtures.verdictChange(run.ids(), seq, WHEN, seq % 2 == 0));
                run.publishLive(parts -> String.join("\n", parts));
            }
            assertThat(parts()).hasSize(7);
            assertThat(Files.readAllLines(lake.resolve("_runs/r1/live.json"))).hasSize(7);
            run.add(LakeFixtures.verdictChange(run.ids(), 8, WHEN, true));
            run.commit(LakeFixtures.result("r1", 0), LakeFixtures.facts(WHEN));
        }

        assertThat(parts()).hasSize(1);
        assertThat(rows(parts().get(0)))
                .containsExactly(
                        "1 null false",
                        "2 null true",
                        "3 null false",
                        "4 null true",
                        "5 null false",
                        "6 null true",
                        "7 null false",
                        "8 null true");
    }

    private List<Path> parts() throws IOException {
        try (Stream<Path> files = Files.walk(lake.resolve("verdict_changes"))) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }

    private static List<String> rows(Path part) throws IOException {
        List<String> rows = new ArrayList<>();
        try (ParquetTable table = ParquetTable.open(part)) {
            int seq = table.columns().indexOf("change_seq");
            int observed = table.columns().indexOf("observed_value");
            int stands = table.columns().indexOf("stands");
            int at = table.columns().indexOf("changed_at");
            while (table.advance()) {
                assertThat(table.number(at)).isEqualTo(WHEN.getEpochSecond() * 1_000_000 + 234_567);
                String value = table.isNull(observed) ? null : table.text(observed);
                rows.add(table.number(seq) + " " + value + " " + table.text(stands));
            }
        }
        return rows;
    }
}
