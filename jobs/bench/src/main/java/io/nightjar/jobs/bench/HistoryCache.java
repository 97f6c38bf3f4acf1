package io.nightjar.jobs.bench;

import io.nightjar.jobs.UsageException;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Histories made from seeds, each once; a file's name is a hash of all that it is made from. */
final class HistoryCache {

    private static final Map<String, String> EXTENSIONS = Map.ofEntries(
            Map.entry("parquet", ".parquet"),
            Map.entry("arrow", ".arrow"),
            Map.entry("jsonl", ".jsonl"),
            Map.entry("edn", ".edn"),
            Map.entry("notation", ".txt"),
            Map.entry("timekiller", ".json"),
            Map.entry("dbcop", ".bincode"));

    /** Number of different histories of a point. */
    private static final int SEEDS = 8;

    private final Path folder;
    private final List<String> nightjar;

    HistoryCache(Path folder, List<String> nightjar) {
        this.folder = folder;
        this.nightjar = nightjar;
    }

    /** Returns the files of a point, creating missing ones; of many histories some are copies. */
    List<Path> histories(Map<String, String> settings, String format) throws IOException, InterruptedException {
        int count = Integer.parseInt(settings.getOrDefault(PointSettings.HISTORIES, "1"));
        List<Path> files = new ArrayList<>(count);
        Map<String, String> one = new TreeMap<>(settings);
        long seed = Long.parseLong(settings.getOrDefault("seed", "1"));
        for (int i = 0; i < Math.min(count, SEEDS); i++) {
            one.put("seed", Long.toString(seed + i));
            files.add(history(one, format));
        }
        for (int i = SEEDS; i < count; i++) {
            Path original = files.get(i % SEEDS);
            Path copy = original.resolveSibling("copy-" + i / SEEDS + "-" + original.getFileName());
            files.add(Files.exists(copy) ? copy : Files.copy(original, copy));
        }
        return files;
    }

    private Path history(Map<String, String> settings, String format) throws IOException, InterruptedException {
        List<String> options = PointSettings.ofGenerate(settings);
        boolean isCommitted = PointSettings.isSet(settings, PointSettings.COMMITTED);
        String disorder = settings.get(PointSettings.DISORDER);
        String madeFrom = String.join(" ", options) + " committed=" + isCommitted + " format=" + format
                + (disorder == null ? "" : " disorder=" + disorder);
        Path file = folder.resolve(hash(madeFrom) + EXTENSIONS.getOrDefault(format, "." + format));
        if (Files.exists(file)) {
            return file;
        }
        Files.createDirectories(folder);
        Path work = Files.createTempDirectory(folder, ".making");
        try {
            String inOrder = disorder == null ? format : "jsonl"; // a format whose lines can be reordered
            Path made = isCommitted ? committed(work, settings, inOrder) : work.resolve("made." + inOrder);
            if (!isCommitted) {
                call("generate", made.toString(), "--to", inOrder, options);
            }
            if (disorder != null) {
                made = ArrivalOrder.disorder(made, work.resolve("arriving.jsonl"), Double.parseDouble(disorder));
                made = format.equals(inOrder) ? made : converted(made, format);
            }
            Files.move(made, file, StandardCopyOption.ATOMIC_MOVE);
            return file;
        } finally {
            remove(work);
        }
    }

    /**
     * Creates a file with the requested number of committed transactions; some of the generated transactions are
     * aborted.
     */
    private Path committed(Path work, Map<String, String> settings, String format)
            throws IOException, InterruptedException {
        long wanted = Long.parseLong(settings.getOrDefault(PointSettings.TRANSACTIONS, "100000"));
        long generated = wanted * 8 / 5 + 1000;
        Path kept = work.resolve("kept.jsonl");
        for (int attempt = 0; ; attempt++) {
            Map<String, String> more = new TreeMap<>(settings);
            more.put(PointSettings.TRANSACTIONS, Long.toString(generated));
            Path all = work.resolve("all.jsonl");
            call("generate", all.toString(), "--to", "jsonl", PointSettings.ofGenerate(more));
            if (keepCommitted(all, kept, wanted) == wanted) {
                break;
            }
            if (attempt == 3) {
                throw new UsageException("hardly anything commits: settings=" + settings);
            }
            generated *= 2;
        }
        return format.equals("jsonl") ? kept : converted(kept, format);
    }

    private Path converted(Path history, String format) throws IOException, InterruptedException {
        Path made = history.resolveSibling("made." + format);
        call("convert", history.toString(), made.toString(), List.of("--to", format));
        return made;
    }

    private static long keepCommitted(Path all, Path kept, long wanted) throws IOException {
        long count = 0;
        try (BufferedReader lines = Files.newBufferedReader(all);
                BufferedWriter out = Files.newBufferedWriter(kept)) {
            for (String line = lines.readLine(); line != null && count < wanted; line = lines.readLine()) {
                if (!line.contains("\"status\":\"aborted\"")) {
                    out.write(line);
                    out.write('\n');
                    count++;
                }
            }
        }
        return count;
    }

    private void call(String command, String file, String option, String value, List<String> more)
            throws IOException, InterruptedException {
        List<String> options = new ArrayList<>(List.of(option, value));
        options.addAll(more);
        call(command, file, null, options);
    }

    private void call(String command, String file, @Nullable String second, List<String> options)
            throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(nightjar);
        line.add(command);
        line.add(file);
        if (second != null) {
            line.add(second);
        }
        line.addAll(options);
        Process process = new ProcessBuilder(line)
                .redirectErrorStream(true)
                .redirectInput(Path.of("/dev/null").toFile())
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new UsageException("a history could not be made: " + String.join(" ", line) + ": " + output.strip());
        }
    }

    private static String hash(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, 8);
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError(impossible);
        }
    }

    /** Removes a folder with all that is in it. */
    static void remove(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> {
                try {
                    Files.delete(file);
                } catch (IOException failure) {
                    throw new UncheckedIOException(failure);
                }
            });
        }
    }
}
