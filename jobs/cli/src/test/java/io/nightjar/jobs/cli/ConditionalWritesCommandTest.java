package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.JsonTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compare-and-set operations and insertions if absent through the commands. */
class ConditionalWritesCommandTest {

    private static final String DOUBLE_SUCCESS = "s1 T1: ins(x,1)=true; s2 T2: cas(x,1,2)=true; s3 T3: cas(x,1,3)=true";

    @TempDir
    private Path folder;

    /** Rows, levels, and the result for each of them. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                DOUBLE_SUCCESS + "                                              | si,ser | violated violated",
                "s1 T1: w(x,1); s2 T2: cas(x,1,2)=true; s3 T3: cas(x,1,3)=false | si,ser | holds holds",
                "s1 T1: w(x,1) w(y,1); s2 T2: r(y,1) cas(x,1,3)=false           | pc,ser | violated violated",
                "s1 T1: w(x,1) cas(x,1,2)=false                                 | rc,ser | violated violated",
                "s1 T1: w(x,1) cas(x,2,2)=false ins(x,3)=false                  | rc,ser | holds holds",
                "s1 T1: ins(x,1)=false                                          | rc,ser | undecided violated",
                // the outcome of the transaction that would explain it is unknown
                "s1 T1: w(x,1); s2 T2?: cas(x,1,2); s1 T3: cas(x,1,3)=false     | rc,ser | holds holds",
                "s1 T1: w(x,1); s2 T2?: cas(x,1,2); s1 T3: cas(x,1,3)=false r(x,2) | rc,ser | holds holds",
                // updates and deletions that took effect or found nothing
                "s1 T1: w(x,1); s2 T2: d(x)=true; s3 T3: d(x)=true r(x,_)       | si,ser | violated violated",
                "s1 T1: w(x,1); s2 T2: d(x)=true r(x,_); s3 T3: w(x,2)=false ins(x,3)=true | si,ser | holds holds",
                "s1 T1: w(x,1); s1 T2: d(x)=true; s1 T3: r(x,1)                 | rc,ra | holds violated",
                "s1 T1: w(x,1)=true                                             | rc,ser | undecided violated",
                "s1 T1: w(x,1) d(x)=true w(x,2)=true                            | rc,ser | undecided violated",
                "s1 T1: w(x,1) d(x)=true r(x,1)                                 | rc,ser | violated violated",
                "s1 T1: w(x,1) d(x)=true r(x,_) w(x,2)=false ins(x,3)=true      | rc,ser | holds holds",
                // elements of sets that are removed or tested
                "s1 T1: add(s,1); s2 T2: rem(s,1)=true; s3 T3: rem(s,1)=true     | si,ser | violated violated",
                "s1 T1: add(s,1) add(s,2); s2 T2: rem(s,1); s3 T3: r(s,[2]) has(s,1)=false | si,ser | holds holds",
                "s1 T1: add(s,1); s1 T2: rem(s,1); s1 T3: r(s,[1])              | pc,ser | violated violated",
                "s1 T1: add(s,1) rem(s,2)=false; s2 T2: r(s,[1,3])              | si,ser | violated violated",
                "s1 T1: add(s,1) rem(s,1) has(s,1)=true                         | si,ser | violated violated",
                "s1 T1: add(s,1) r(s,[]); s1 T2: rem(s,1)                       | si,ser | violated violated",
                "s1 T1: has(s,1)=false add(s,1); s2 T2: has(s,2)=false add(s,2) | si,ser | holds holds",
                "s1 T1: r(s,[]) add(s,1); s2 T2: r(s,[]) add(s,2); s3 T3: rem(s,3)=false | si,ser | holds violated",
                "s1 T1?: add(s,1); s2 T2: has(s,2)=false; s2 T3: r(s,[1])         | ser | holds",
                "s1 T1 [1,2]: add(s,1); s2 T2 [3,4]: rem(s,1)=true; s3 T3 [5,6]: r(s,[]) | si,ser | holds holds",
                // timestamps
                "s1 T1 [1,2]: ins(x,1)=true; s2 T2 [3,4]: cas(x,1,2)=true       | si,ser | holds holds",
                "s1 T1 [1,2]: ins(x,1)=true; s2 T2 [3,4]: cas(x,3,2)=true       | si,ser | violated violated",
                "s1 T1 [1,2]: w(x,1); s2 T2 [3,4]: cas(x,1,2)=false             | si,cser | holds undecided",
                "s1 T1 [1,2]: w(x,1); s1 T2 [3,4]: cas(x,1,2)=false             | si,ser,rc | holds violated violated",
                "s1 T1 [1,2]: w(x,1); s2 T2 [3,4]: r(x,_) cas(x,3,2)=false      | si,ser | holds holds",
                "s1 T1 [1,5]: w(x,1) w(y,1); s2 T2 [3,4]: cas(x,1,2)=false w(y,2) | si,ser | violated holds",
                // among rows of tables
                "s1 T1: p[t]('TRUE',[],0) cas(t/2,1,2)=false                     | ser    | undecided",
            })
    void conditionalWritesAreDecided(String rows, String levels, String verdicts) throws IOException {
        for (String engine : new String[] {"local", "flink"}) {
            if (engine.equals("flink") && rows.contains("p[t]")) {
                continue; // tables are checked locally
            }
            CommandRun run =
                    CommandRun.check(write(rows), folder.resolve(engine), "--level", levels, "--engine", engine);

            Map<String, Map<String, Object>> found = JsonTree.at(JsonTree.object(run.out()), "levels");
            assertThat(found.values().stream()
                            .map(level -> String.valueOf(level.get("verdict")))
                            .collect(Collectors.joining(" ")))
                    .as("%s %s", engine, run.out())
                    .isEqualTo(verdicts);
        }
    }

    @Test
    void explanationNamesConditionsThatDidNotHold() throws IOException {
        CommandRun run =
                CommandRun.of("check", write("s1 T1: ins(x,1)=false").toString(), "--level", "ser", "--lake", "none");

        assertThat(run.out())
                .contains("No version explains a condition of this transaction.")
                .contains("s1 T1: present(x)\n");
    }

    @Test
    void inspectionCountsConditionalWrites() throws IOException {
        CommandRun run = CommandRun.of("inspect", write(DOUBLE_SUCCESS).toString());

        assertThat(run.code()).as("%s", run).isZero();
        assertThat(run.out()).contains("operations                  3   2 cas (66.7 %), 1 ins (33.3 %)");
    }

    @Test
    void shrunkenHistoryKeepsConditionalWrites() throws IOException {
        Path lake = folder.resolve("lake");
        CommandRun check = CommandRun.check(write(DOUBLE_SUCCESS + "; s4 T4: w(y,1)"), lake, "--level", "si");
        Map<String, Object> anomaly = JsonTree.<java.util.List<Map<String, Object>>>at(
                        JsonTree.object(check.out()), "anomalies")
                .get(0);
        Path small = folder.resolve("small.txt");

        CommandRun run =
                CommandRun.of("shrink", lake.toString(), anomaly.get("id").toString(), "-o", small.toString());

        assertThat(run.code()).as("%s", run).isZero();
        assertThat(small)
                .content()
                .contains("cas(x,1,2)=true", "cas(x,1,3)=true")
                .doesNotContain("T4");
    }

    @Test
    void watchSkipsConditionalWrites() throws IOException {
        Path lines = folder.resolve("lines.jsonl");
        assertThat(CommandRun.of("convert", write("s1 T1 [1,2]: ins(x,1)=true").toString(), lines.toString())
                        .code())
                .isZero();

        CommandRun run = CommandRun.of("watch", lines.toString(), "--until-end", "--lake", "none");

        assertThat(run.code()).as("%s", run).isNotZero();
        assertThat(run.out() + run.err()).contains("conditional writes are not checked as they arrive");
    }

    private Path write(String rows) throws IOException {
        return Files.writeString(folder.resolve("history.txt"), rows.replace("; ", "\n") + "\n");
    }
}
