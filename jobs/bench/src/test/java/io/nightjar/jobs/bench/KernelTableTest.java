package io.nightjar.jobs.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KernelTableTest {

    @TempDir
    Path folder;

    @Test
    void anErrorIsAShareOfItsScore() throws IOException {
        Files.writeString(
                folder.resolve("kernels.json"),
                """
                [{"benchmark":"io.a.B.sortThings","params":{"n":"10"},
                  "primaryMetric":{"score":66.2,"scoreError":974.9,"scoreUnit":"ms/op"},
                  "secondaryMetrics":{"gc.alloc.rate.norm":{"score":12.5}}},
                 {"benchmark":"io.a.B.findThings",
                  "primaryMetric":{"score":2.0,"scoreError":"NaN","scoreUnit":"ms/op"},"secondaryMetrics":{}}]
                """);

        assertThat(KernelTable.rows(KernelTable.filesIn(folder)))
                .containsExactly(
                        List.of("kernel", "on", "score", "error", "bytes allocated"),
                        List.of("`findThings`", "", "2.000 ms/op", "", ""),
                        List.of("`sortThings`", "n 10", "66.20 ms/op", "± 1473 %", "12.50"));
    }
}
