package io.nightjar.jobs.artifact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.formats.finding.ExplainedFinding;
import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Edge;
import io.nightjar.formats.finding.Finding.Participant;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.finding.TxnRow;
import io.nightjar.formats.finding.TxnRow.OpRow;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.EdgeEvidence;
import io.nightjar.formats.level.EdgeType;
import io.nightjar.formats.level.IsolationLevel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArtifactWriterTest {

    @TempDir
    private Path folder;

    @Test
    void everyAnomalyHasATextAndADrawing() throws IOException {
        ArtifactWriter writer = new ArtifactWriter(folder, "h-a", 10);

        writer.write(story(cycle(1)), "because");
        writer.write(story(cycle(3)), "because");
        writer.write(story(wrongRead()), "because");
        writer.finish(0);

        assertThat(files())
                .containsExactly(
                        "h-a/G0/1.svg",
                        "h-a/G0/1.txt",
                        "h-a/G0/2.svg",
                        "h-a/G0/2.txt",
                        "h-a/index.txt",
                        "h-a/internal/1.svg",
                        "h-a/internal/1.txt");
        assertThat(folder.resolve("h-a/G0/1.txt")).content().contains("rules out PL-1\n", "because\n", "Where:\n");
        assertThat(folder.resolve("h-a/G0/1.svg")).content().startsWith("<svg ").endsWith("</svg>\n");
    }

    @Test
    void theIndexNamesThemInTheOrderFound() throws IOException {
        ArtifactWriter writer = new ArtifactWriter(folder, "h-a", 10);

        writer.write(story(wrongRead()), "They contradict.");
        writer.write(story(cycle(1)), "They contradict.");
        writer.finish(0);

        assertThat(folder.resolve("h-a/index.txt"))
                .hasContent("internal/1  " + wrongRead().anomalyId() + "  rules out read-atomic  on x  T5\n" + "G0/1  "
                        + cycle(1).anomalyId() + "  rules out PL-1  on x  T1 T2\n");
    }

    @Test
    void moreThanAskedForAreCounted() throws IOException {
        ArtifactWriter writer = new ArtifactWriter(folder, "h-a", 1);

        assertThat(writer.write(story(cycle(1)), "They contradict.")).isTrue();
        assertThat(writer.write(story(cycle(3)), "They contradict.")).isFalse();
        assertThat(writer.write(story(cycle(5)), "They contradict.")).isFalse();
        writer.finish(0);

        assertThat(files()).hasSize(3);
        assertThat(folder.resolve("h-a/index.txt")).content().endsWith("\nand 2 more\n");
    }

    @Test
    void artifactsOfEarlierCheckAreRemoved() throws IOException {
        ArtifactWriter earlier = new ArtifactWriter(folder, "h-a", 10);
        earlier.write(story(cycle(1)), "They contradict.");
        earlier.write(story(cycle(3)), "They contradict.");
        earlier.write(story(wrongRead()), "They contradict.");
        earlier.finish(0);
        Files.writeString(folder.resolve("h-a/G0/notes.md"), "mine");

        ArtifactWriter writer = new ArtifactWriter(folder, "h-a", 10);
        writer.write(story(cycle(3)), "They contradict.");
        writer.finish(0);

        assertThat(files()).containsExactly("h-a/G0/1.svg", "h-a/G0/1.txt", "h-a/G0/notes.md", "h-a/index.txt");
        assertThat(folder.resolve("h-a/G0/1.txt")).content().contains("T3 < T4");
    }

    @Test
    void otherHistoriesKeepTheirFiles() throws IOException {
        ArtifactWriter other = new ArtifactWriter(folder, "h-b", 10);
        other.write(story(cycle(1)), "They contradict.");
        other.finish(0);

        new ArtifactWriter(folder, "h-a", 10).finish(0);

        assertThat(files()).contains("h-b/G0/1.txt", "h-a/index.txt");
        assertThat(folder.resolve("h-a/index.txt")).hasContent("no anomalies\n");
    }

    @Test
    void theSameFindingsAreTheSameBytes() throws IOException {
        for (String history : List.of("h-a", "h-b")) {
            ArtifactWriter writer = new ArtifactWriter(folder, history, 10);
            writer.write(story(cycle(1)), "because");
            writer.finish(0);
        }

        for (String name : List.of("index.txt", "G0/1.txt", "G0/1.svg")) {
            assertThat(folder.resolve("h-a").resolve(name))
                    .hasSameBinaryContentAs(folder.resolve("h-b").resolve(name));
        }
    }

    @Test
    void aPlaceThatCannotBeWrittenIsNamed() throws IOException {
        Path file = Files.writeString(folder.resolve("taken"), "");
        ArtifactWriter writer = new ArtifactWriter(file, "h-a", 10);

        assertThatThrownBy(() -> writer.write(story(cycle(1)), "They contradict."))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("[" + file.resolve("h-a/G0/1.txt") + "] cannot write: reason=")
                .hasMessageEndingWith("; free disk space or choose another directory");
    }

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> folder.relativize(file).toString().replace('\\', '/'))
                    .sorted()
                    .toList();
        }
    }

    private static Finding cycle(long first) {
        return new Finding(
                Anomaly.G0,
                null,
                IsolationLevel.PL_1,
                "cycle",
                "x",
                List.of(participant(first, Role.ON_CYCLE), participant(first + 1, Role.ON_CYCLE)),
                null,
                null,
                false,
                List.of(
                        new Edge(first, first + 1, EdgeType.WW, "x", "1", "2", EdgeEvidence.LIST),
                        new Edge(first + 1, first, EdgeType.WW, "y", "2", "1", EdgeEvidence.LIST)));
    }

    private static Finding wrongRead() {
        return new Finding(
                Anomaly.INTERNAL,
                null,
                IsolationLevel.READ_ATOMIC,
                "values",
                "x",
                List.of(participant(5, Role.READER)),
                null,
                null,
                false,
                List.of());
    }

    private static Participant participant(long txnId, Role role) {
        return new Participant(txnId, role, HistorySlice.NONE, HistorySlice.NONE);
    }

    private static TxnRow txn(long txnId) {
        return new TxnRow(
                txnId,
                0,
                txnId,
                "committed",
                HistorySlice.NONE,
                HistorySlice.NONE,
                null,
                "a.edn",
                txnId,
                List.of(new OpRow("append", "x", "1")));
    }

    private static ExplainedFinding story(Finding finding) {
        return ExplainedFinding.of(finding, ArtifactWriterTest::txn, participant -> -1);
    }
}
