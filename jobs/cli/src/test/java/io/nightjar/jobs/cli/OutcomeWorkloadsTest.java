package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.RunResultJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Generated histories with operations that have outcomes, decided from values. */
class OutcomeWorkloadsTest {

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"kv", "sets", "counters", "cas", "ranges"})
    void historyHoldsAtLevelOfStore(String workload) throws IOException {
        for (String store : List.of("si", "ser")) {
            Path history = generate(workload, 1, "--transactions", "200", "--store", store, "--values", "6");

            RunResult result = check(history, store.equals("si") ? "pc,si" : "pc,si,ser");

            assertThat(Files.readString(history).contains("\"limit\"")).isEqualTo(workload.equals("ranges"));

            assertThat(verdict(result, IsolationLevel.SNAPSHOT_ISOLATION)).isEqualTo(Verdict.HOLDS);
            assertThat(verdict(result, IsolationLevel.PREFIX)).isEqualTo(Verdict.HOLDS);
            if (store.equals("ser")) {
                assertThat(verdict(result, IsolationLevel.SERIALIZABLE)).isEqualTo(Verdict.HOLDS);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"counters,lost-increment", "cas,double-cas", "kv,resurrected-row", "sets,left-over-element"})
    void plantedFaultsAreFound(String workload, String fault) throws IOException {
        List<Verdict> verdicts = new ArrayList<>();
        for (int seed = 1; seed <= 10; seed++) {
            Path history = generate(
                    workload, seed, "--transactions", "40", "--store", "ser", "--keys", "3", "--fault", fault + "=1");
            assertThat(Files.readString(Path.of(history + ".faults.jsonl")).lines())
                    .hasSize(1);
            verdicts.add(verdict(check(history, "ser"), IsolationLevel.SERIALIZABLE));
        }

        assertThat(verdicts.stream().filter(Verdict.VIOLATED::equals))
                .as("%s", verdicts)
                .hasSizeGreaterThan(5);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "s0 T1: add(s,1) r(s,[1]); s1 T2: add(s,2) r(s,[1,2])                   | element | HOLDS | HOLDS",
                "s0 T1: add(s,1) r(s,[1]) rem(s,9)=false; s1 T2: add(s,2) r(s,[1,2])    | element | HOLDS | HOLDS",
                "s0 T1: r(s,[]) add(s,1); s1 T2: r(s,[]) add(s,2)                       | set     | VIOLATED | VIOLATED",
                "s0 T1: r(s,[]) add(s,1) rem(s,9)=false; s1 T2: r(s,[]) add(s,2)        | element | HOLDS | VIOLATED",
                "s0 T1: r(s,[]) add(s,1) rem(s,9)=false; s1 T2: r(s,[]) add(s,2)        | set     | VIOLATED | VIOLATED",
                "s0 T1: r(x,_) w(y,1) add(s,1); s1 T2: r(y,_) w(x,1) add(s,2) | element | HOLDS | VIOLATED",
                "s0 T1: r(x,_) w(y,1) add(s,1); s1 T2: r(y,_) w(x,1) add(s,2) | set | VIOLATED | VIOLATED",
                "s0 T1: r(x,_) w(y,1) add(s,1); s1 T2: r(y,_) w(x,1) rem(s,1) | element | VIOLATED | VIOLATED",
                "s0 T1: r(x,_) w(y,1) rem(s,1); s1 T2: r(y,_) w(x,1) rem(s,1) | element | VIOLATED | VIOLATED",
                "s0 T1: r(x,_) w(y,1) rem(s,1); s1 T2: r(y,_) w(x,1) rem(s,2) | element | HOLDS | VIOLATED",
                "s0 T1: inc(n,1)=1; s1 T2: inc(n,1)=1                                   | element | VIOLATED | VIOLATED",
            })
    void changesOfOneSetConflictIfAsked(String rows, String conflicts, Verdict si, Verdict ser) throws IOException {
        Path history = Files.writeString(directory.resolve("h.txt"), rows.replace("; ", "\n") + "\n");

        RunResult result = check(history, "si,ser", "--conflicts", conflicts);

        assertThat(verdict(result, IsolationLevel.SNAPSHOT_ISOLATION)).isEqualTo(si);
        assertThat(verdict(result, IsolationLevel.SERIALIZABLE)).isEqualTo(ser);
        assertThat(CommandRun.of("check", history.toString(), "--conflicts", "row")
                        .code())
                .isEqualTo(64);
    }

    @ParameterizedTest
    @ValueSource(strings = {"inc(y,3) w(x,1) r(y,2)", "has(s,1)=true rem(s,2)=false w(x,1)"})
    void resultsOfUnknownTransactionAreNoEvidence(String ops) throws IOException {
        Path history = Files.writeString(directory.resolve("u.txt"), "s0 T1?: " + ops + "\ns1 T2: r(x,1)\n");

        assertThat(verdict(check(history, "si,ser"), IsolationLevel.SERIALIZABLE))
                .isEqualTo(Verdict.HOLDS);
    }

    /** A level holds if it holds with some outcome of the transactions whose outcome is unknown, else it is violated. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "s0 T1: add(s,0); s0 T2: add(s,0)=false rem(s,0)=true; s1 T3?: rem(s,0) add(s,0)   | HOLDS",
                "s0 T1?: w(x,2); s1 T2: d(x)=true r(x,_)                                           | HOLDS",
                "s0 T1?: w(x,2); s1 T2?: w(x,3); s2 T3: d(x)=true; s2 T4: d(x)=true                | HOLDS",
                "s0 T1?: w(x,2); s1 T2: d(x)=true; s1 T3: d(x)=true                                | VIOLATED",
                "s0 T1?: w(x,2); s1 T2: r(x,_); s1 T3: cas(x,2,3)=true                             | HOLDS",
                "s0 T1: w(x,1); s1 T2?: w(x,1); s2 T3: r(x,1) w(x,2); s2 T4: r(x,1)                | HOLDS",
                "s0 T1: inc(n,1); s1 T2?: inc(n,2); s2 T3: inc(n,5)=8                              | HOLDS",
                "s0 T1: inc(n,1); s1 T2?: inc(n,2); s2 T3: inc(n,5)=6                              | HOLDS",
            })
    void outcomesAreSupposed(String rows, Verdict ser) throws IOException {
        Path history = Files.writeString(directory.resolve("h.txt"), rows.replace("; ", "\n") + "\n");

        assertThat(verdict(check(history, "si,ser"), IsolationLevel.SERIALIZABLE))
                .isEqualTo(ser);
    }

    private Path generate(String workload, int seed, String... more) {
        Path history = directory.resolve(workload + seed + more.length + ".jsonl");
        List<String> arguments = new ArrayList<>(List.of("generate", history.toString(), "--workload", workload));
        arguments.addAll(List.of("--sessions", "5", "--ops", "4", "--seed", Integer.toString(seed)));
        arguments.addAll(List.of(more));
        if (!arguments.contains("--keys")) {
            arguments.addAll(List.of("--keys", "8"));
        }
        assertThat(CommandRun.of(arguments.toArray(String[]::new)).code()).isZero();
        return history;
    }

    private static RunResult check(Path history, String levels, String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "check", history.toString(), "--evidence", "values", "--level", levels, "--lake", "none", "--json"));
        arguments.addAll(List.of(more));
        return RunResultJson.read(
                CommandRun.of(arguments.toArray(String[]::new)).out().strip());
    }

    private static Verdict verdict(RunResult result, IsolationLevel level) {
        return result.levels().get(level).verdict();
    }
}
