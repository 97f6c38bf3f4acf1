package io.nightjar.jobs.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The conditions of a measurement: the machine, the JVM, the commit, and the load. */
public final class MachineFacts {

    private MachineFacts() {}

    /** @param home folder of the sources or the distribution, or null */
    static Map<String, Object> describe(@Nullable Path home, Map<String, String> commands) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("kind", "machine");
        facts.put("started_at", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
        facts.put("cpu", line("/proc/cpuinfo", "model name"));
        facts.put("cores", Runtime.getRuntime().availableProcessors());
        facts.put("memory", line("/proc/meminfo", "MemTotal"));
        facts.put(
                "kernel",
                System.getProperty("os.name") + " "
                        + System.getProperty("os.version").split("-")[0]);
        facts.put("jvm", System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
        facts.put("java_opts", System.getenv().getOrDefault("NIGHTJAR_JAVA_OPTS", ""));
        facts.put("commit", commit(home));
        facts.put("load", load());
        facts.put("commands", withoutFolder(home, commands));
        return facts;
    }

    /** Returns commands as they are typed in the folder of this build: results are published, its path is not. */
    private static Map<String, String> withoutFolder(@Nullable Path home, Map<String, String> commands) {
        if (home == null) {
            return commands;
        }
        Map<String, String> typed = new LinkedHashMap<>();
        commands.forEach((name, command) -> typed.put(name, command.replace(home + "/", "./")));
        return typed;
    }

    /**
     * Returns the commit of a checkout, with a mark where files differ from it; {@code unknown} outside of a checkout.
     */
    public static String commit(@Nullable Path home) {
        if (home == null) {
            return "unknown";
        }
        String id = git(home, "rev-parse", "--short=9", "HEAD");
        if (id.isEmpty()) {
            return "unknown";
        }
        return git(home, "status", "--porcelain", "-uno").isEmpty() ? id : id + "+changes";
    }

    private static String git(Path home, String... words) {
        try {
            ProcessBuilder builder = new ProcessBuilder("git", "-C", home.toString());
            builder.command().addAll(List.of(words));
            Process process = builder.redirectErrorStream(true)
                    .redirectInput(Path.of("/dev/null").toFile())
                    .start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return process.waitFor() == 0 ? output : "";
        } catch (IOException noGit) {
            return "";
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return "";
        }
    }

    /** Returns words before a command that keep it on the first cores that this process may use. */
    static List<String> onCores(int count) {
        List<String> numbers = new ArrayList<>();
        for (String range : line("/proc/self/status", "Cpus_allowed_list").split(",")) {
            String[] ends = range.split("-");
            if (ends[0].matches("[0-9]{1,6}")) {
                int last = Integer.parseInt(ends[ends.length - 1]);
                for (int core = Integer.parseInt(ends[0]); core <= last && numbers.size() < count; core++) {
                    numbers.add(Integer.toString(core));
                }
            }
        }
        return numbers.isEmpty() ? List.of() : List.of("taskset", "--cpu-list", String.join(",", numbers));
    }

    /**
     * Returns the number of processes that want to run, over the last minute; NaN where the kernel does not report it.
     */
    static double load() {
        try {
            return Double.parseDouble(Files.readString(Path.of("/proc/loadavg")).split(" ")[0]);
        } catch (IOException | NumberFormatException unknown) {
            return Double.NaN;
        }
    }

    private static String line(String file, String name) {
        try {
            for (String line : Files.readAllLines(Path.of(file))) {
                if (line.startsWith(name)) {
                    return line.substring(line.indexOf(':') + 1).strip();
                }
            }
        } catch (IOException noProc) {
            return "unknown";
        }
        return "unknown";
    }
}
