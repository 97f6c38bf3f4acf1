package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.finding.ExplainedFinding;
import io.nightjar.formats.finding.TxnRow.OpRow;
import io.nightjar.jobs.lake.Lake;
import io.nightjar.jobs.lake.OpsText;
import io.nightjar.jobs.sql.AnomalyLookup;
import io.nightjar.jobs.sql.SqlSession;
import io.nightjar.jobs.sql.StoredAnomaly;
import io.nightjar.jobs.sql.StoredStory;
import io.nightjar.pipeline.explain.FindingSentences;
import io.nightjar.pipeline.explain.PictureMaker;
import io.nightjar.pipeline.explain.SvgDrawing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An anomaly is presented and drawn from the tables as it was when it was found. */
class StoredStoryTest {

    /**
     * Wrong reads of all kinds, cycles through registers, lists and predicates, reads that no order explains, and
     * times.
     */
    private static final List<String> HISTORIES = List.of(
            "s1 T1: w(x,1) w(x,2); s2 T2: r(x,1); s1 T3!: w(y,1); s2 T4: r(y,1) r(z,9); s3 T5: r(q,5) w(q,5)",
            "s1 T1: r(x,_) w(x,1); s2 T2: r(x,_) w(x,2); s3 T3: r(x,_) w(x,3); s4 T4: r(x,1) w(y,1)",
            "s1 T1: r(x,_) w(y,1); s2 T2: r(y,_) w(x,1)",
            "s1 T1: append(l,1) append(m,1); s2 T2: append(l,2) r(m,[]); s3 T3: r(l,[1,2]) r(m,[1]); s4 T4: r(l,[2,1])",
            "s1 T1: r(x,_) w(y,1) w(a,1) r(b,_) w(c,1) r(d,_) w(e,1) r(f,_) w(g,1) r(h,_) w(i,1) r(j,_) w(k,1);"
                    + " s2 T2: r(y,_) w(x,1) r(a,1)",
            "s1 T1 [1,4]: w(x,1); s2 T2 [2,6]: w(x,2); s3 T3 [7,9]: r(x,1); s3 T4 [5,8]: r(x,2) r(x,1)",
            "s0 T1 [1,2]: w(t/1,'{\"c1\":5}')@1; s1 T2 [3,5]: p[t](\"c1 >= ?\",[0],1) r(t/1,'{\"c1\":5}')@1"
                    + " w(t/2,'{\"c1\":7}')@1; s2 T3 [4,6]: p[t](\"c1 >= 0\",[],1) r(t/1,'{\"c1\":5}')@1"
                    + " w(t/3,'{\"c1\":8}')@1",
            "s0 T1 [1,2]: w(t/1,'{\"c1\":5}')@1 w(t/2,'{\"c1\":9}')@1; s1 T2 [3,4]: d(t/2)@2;"
                    + " s2 T3 [5,5]: p[t](\"c1 < ?\",[10],2) r(t/1,'{\"c1\":5}')@1 r(t/2,'{\"c1\":9}')@1;"
                    + " s2 T4 [6,6]: p[t](\"count(*) WHERE c1 < 10\",[],0)=\"2\"");

    @TempDir
    private Path folder;

    @Test
    void aStoryReadBackIsTheStoryThatWasFound() throws IOException {
        Path lake = folder.resolve("lake");
        int found = 0;
        for (int i = 0; i < HISTORIES.size(); i++) {
            Path history = folder.resolve("h" + i + ".txt");
            Files.writeString(history, HISTORIES.get(i).replace("; ", "\n") + "\n");
            Path drawings = folder.resolve("drawings" + i);
            CommandRun.check(
                    history, lake, "--level", "all", "--max-anomalies", "100", "--artifacts", drawings.toString());
            found += compare(lake, drawings);
        }
        assertThat(found).isGreaterThan(17);
    }

    private static int compare(Path lake, Path drawings) throws IOException {
        List<String> lines = new ArrayList<>();
        Path ofHistory;
        try (Stream<Path> folders = Files.list(drawings)) {
            ofHistory = folders.findFirst().orElseThrow();
        }
        lines.addAll(Files.readAllLines(ofHistory.resolve("index.txt")));
        try (SqlSession session = SqlSession.open(Lake.open(lake))) {
            for (String line : lines) {
                String[] words = line.split("  ");
                session.restrictTo((Set<String>) null);
                StoredAnomaly stored = new AnomalyLookup(session).read(words[1]);
                ExplainedFinding story = StoredStory.of(stored).orElseThrow();

                assertThat(FindingSentences.explain(story.finding(), story::txn))
                        .isEqualTo(stored.row().explanation());
                assertThat(stored.explanation()).isEqualTo(stored.row().explanation());
                assertThat(story.finding().anomalyId()).isEqualTo(stored.id());
                assertThat(story.finding().fingerprint()).isEqualTo(stored.row().fingerprint());
                assertThat(SvgDrawing.draw(PictureMaker.picture(story)))
                        .as(line)
                        .isEqualTo(Files.readString(ofHistory.resolve(words[0] + ".svg")));
            }
        }
        return lines.size();
    }

    @Test
    void theTextOfOperationsIsTakenApart() {
        String text = "…+2 w(x,1) p[t](a > 1 and b(2, 3)) r(a,b,7) r(l,[1,…+9,3]) d(x) p(c = 1) r(z,_) …+4";

        assertThat(OpsText.parse(text, List.of()).rows(List.of("a,b", "x")))
                .containsExactly(
                        OpRow.leftOut(2),
                        new OpRow("w", "x", "1"),
                        new OpRow("p", "t", "a > 1 and b(2, 3)"),
                        new OpRow("r", "a,b", "7"),
                        new OpRow("r", "l", "[1,…+9,3]"),
                        new OpRow("d", "x", null),
                        new OpRow("p", "", "c = 1"),
                        new OpRow("r", "z", null),
                        OpRow.leftOut(4));
    }
}
