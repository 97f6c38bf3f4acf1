package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The completions of a real bash at Tab, with the script that we print. */
class ShellCompletionTest {

    @TempDir
    Path folder;

    @Test
    void commandsAreOffered() throws IOException {
        assertThat(offered("nightjar", "")).contains("check", "inspect", "sql", "completion");
        assertThat(offered("nightjar", "ch")).containsExactly("check");
        assertThat(offered("nightjar", "--ver")).contains("--version", "--verbose");
    }

    @Test
    void optionsOfTheCommandAreOffered() throws IOException {
        assertThat(offered("nightjar", "check", "--max-")).containsExactly("--max-anomalies", "--max-dead-letters");
    }

    @Test
    void levelsAreOfferedOneAfterAnother() throws IOException {
        assertThat(offered("nightjar", "check", "--level", "s")).contains("si", "ser", "sser", "snapshot-isolation");
        assertThat(offered("nightjar", "check", "--level", "si,serial")).containsExactly("si,serializable");
        assertThat(offered("nightjar", "check", "--level", "=", "PL-2")).contains("PL-2", "PL-2.99");
    }

    @Test
    void faultsAndFormatsAreOffered() throws IOException {
        assertThat(offered("nightjar", "generate", "--fault", "stale-read=2,lost-u"))
                .containsExactly("stale-read=2,lost-update=1");
        assertThat(offered("nightjar", "check", "--from", "dbcop")).contains("dbcop", "dbcop-json");
        assertThat(offered("nightjar", "completion", "z")).containsExactly("zsh");
    }

    @Test
    void allWorkloadNamesAreOffered() throws IOException {
        String refused = CommandRun.of("generate", folder.resolve("h.jsonl").toString(), "--workload", "none")
                .err();

        assertThat(offered("nightjar", "generate", "--workload", ""))
                .contains("default", "tenants", "shopping-cart")
                .containsExactlyInAnyOrder(refused.strip()
                        .replaceAll("(?s).*expected=(\\S+).*", "$1")
                        .split("\\|"));
        assertThat(offered("nightjar", "generate", "--store", "")).contains("si", "rc", "ra", "cc", "pc", "ser");
        assertThat(offered("nightjar", "generate", "--distribution", "z")).containsExactly("zipfian");
    }

    @Test
    void filesAreOfferedWhereFilesBelong() throws IOException {
        Files.writeString(folder.resolve("orders.jsonl"), "");
        Files.createDirectory(folder.resolve("orders-lake"));

        assertThat(offered("nightjar", "check", "ord")).containsExactlyInAnyOrder("orders.jsonl", "orders-lake");
        assertThat(offered("nightjar", "check", "--lake", "ord")).containsExactly("orders-lake");
        assertThat(offered("nightjar", "convert", "a.jsonl", "ord")).contains("orders.jsonl");
        assertThat(offered("nightjar", "check", "--budget", "ord")).isEmpty();
    }

    @Test
    void runsAndAnomaliesOfTheLakeAreOffered() throws IOException {
        String history = Files.writeString(folder.resolve("h.txt"), "s1 T1 [1,2]: w(x,1)\ns2 T2 [3,4]: r(x,_)\n")
                .toString();
        CommandRun run = CommandRun.of(
                "check",
                "--json",
                "--run-id",
                "monday",
                history,
                "--lake",
                folder.resolve("lake").toString());
        String id = run.out().replaceAll("(?s).*\"id\":\"(a[0-9a-f]+)\".*", "$1");

        assertThat(offered("nightjar", "explain", "lake", "--run-id", "mon")).containsExactly("monday");
        assertThat(offered("nightjar", "check", "--lake", "lake", "--run-id", ""))
                .containsExactly("monday");
        assertThat(offered("nightjar", "explain", "lake", "a")).contains(id).allMatch(offer -> offer.startsWith("a"));
    }

    /** Returns the completions for the last word, the text before the cursor. */
    private List<String> offered(String... words) throws IOException {
        Path script = Files.writeString(
                folder.resolve("_completion.bash"),
                CommandRun.of("completion", "bash").out());
        String command = "source '" + script + "'; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _nightjar 2>&1;"
                + " printf '%s\\n' \"${COMPREPLY[@]}\"";
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", command, "bash");
        builder.command().addAll(List.of(words));
        Process bash = builder.directory(folder.toFile()).start();
        String offers = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return offers.lines().filter(line -> !line.isEmpty()).toList();
    }
}
