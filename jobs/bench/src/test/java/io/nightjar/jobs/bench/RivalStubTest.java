package io.nightjar.jobs.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nightjar.jobs.bench.BenchResult.Status;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bundled adapters run stubs that print the output of their checkers, each as a process in a plan. */
class RivalStubTest {

    private static final PlanReader ALONG = new PlanReader(
            Path.of(System.getProperty("basedir", "."), "..", "..", "bench").normalize());

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "timekiller | si | 'Satisfy SESSION\nSatisfy SI' | 'Satisfy SESSION\nDo NOT satisfy SI'",
                "elle | ser | 'h.edn \t true' | 'h.edn \t false'",
                "awdit | cc | 'Done parsing: 3ms\nConsistent.' | 'Inconsistent.'",
                "plume | cc | 'Construction: 1ms\n{}' | '{AbortedRead=2}'",
                "polysi | si | '[[[[ ACCEPT ]]]]' | '[[[[ REJECT ]]]]'",
                "veristrong | ser | 'accept: true' | 'accept: false'",
                "cobra | ser | 'x [[[[ ACCEPT ]]]]' | 'x [[[[ REJECT ]]]]'",
                "dbcop | ser | 'hist-00000 done' | 'hist-00000 failed - minimum level failed Causal'",
                "viper | si | 'logs/a: True' | 'logs/a: False'",
            })
    void adaptersRunAndAreUnderstood(String name, String level, String holds, String violated) throws Exception {
        CheckerAdapter adapter = ALONG.rival(name);
        assumeTrue(isHere(adapter.command().get(0)), () -> "not here: " + adapter.command());
        Map<String, String> environment = installed(adapter);

        says(holds);
        assertThat(run(adapter, level, environment, "a").status()).isEqualTo(Status.OK);
        says(violated);
        BenchResult wrong = run(adapter, level, environment, "b");
        assertThat(wrong.status()).isEqualTo(Status.WRONG);
        assertThat(wrong.verdict()).isEqualTo("violated");
        says("Exception in thread main");
        BenchResult failed = run(adapter, level, environment, "c");
        assertThat(failed.status()).isEqualTo(Status.FAILED);
        assertThat(failed.message()).contains("Exception in thread main");
    }

    private BenchResult run(CheckerAdapter adapter, String level, Map<String, String> environment, String out)
            throws Exception {
        Path plan = folder.resolve("plan.yaml");
        Files.writeString(
                plan,
                "title: A plan\nruns: 1\nsettings: {transactions: 10}\nseries:\n  - {name: theirs, rival: "
                        + adapter.name() + ", settings: {level: " + level + "}}\n");
        new BenchRun(
                        ALONG.plan(plan.toString()),
                        folder.resolve(out),
                        folder.resolve("cache"),
                        Map.of("nightjar", StubChecker.in(folder).command()),
                        Map.of(adapter.name(), adapter),
                        environment,
                        "c1",
                        answer -> {})
                .run(1, 1, null);
        return new ResultsFile(folder.resolve(out)).runs().get(0);
    }

    /**
     * Returns variables as their user would set them: a jar if the command runs one, else a separate program or script.
     */
    private Map<String, String> installed(CheckerAdapter adapter) throws IOException {
        Map<String, String> environment = new LinkedHashMap<>();
        String first = adapter.command().get(0);
        for (String variable : adapter.needs()) {
            Path stub = folder.resolve("rival-" + variable);
            if (variable.endsWith("_JAR")) {
                writeJar(stub);
            } else {
                Files.writeString(
                        stub,
                        first.equals("python3")
                                ? "print(open('" + folder.resolve("says") + "').read())\n"
                                : "#!/usr/bin/env bash\ncat '" + folder.resolve("says") + "'\n");
                assertThat(stub.toFile().setExecutable(true)).isTrue();
            }
            environment.put(variable, stub.toString());
        }
        return environment;
    }

    private void says(String text) throws IOException {
        Files.writeString(folder.resolve("says"), text + "\n");
        try (Stream<Path> files = Files.list(folder)) {
            for (Path jar :
                    files.filter(file -> file.toString().endsWith("_JAR")).toList()) {
                Files.writeString(Path.of(jar + ".says"), text + "\n");
            }
        }
    }

    private static void writeJar(Path file) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, RivalStub.class.getName());
        String entry = RivalStub.class.getName().replace('.', '/') + ".class";
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(file), manifest);
                InputStream in =
                        Objects.requireNonNull(RivalStub.class.getClassLoader().getResourceAsStream(entry))) {
            jar.putNextEntry(new JarEntry(entry));
            in.transferTo(jar);
        }
    }

    private static boolean isHere(String program) {
        if (program.startsWith("{")) {
            return true;
        }
        for (String location : System.getenv("PATH").split(":")) {
            if (Files.isExecutable(Path.of(location, program))) {
                return true;
            }
        }
        return false;
    }
}
