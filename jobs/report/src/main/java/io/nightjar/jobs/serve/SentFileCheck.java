package io.nightjar.jobs.serve;

import com.sun.net.httpserver.HttpExchange;
import io.nightjar.formats.file.Addresses;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.registry.Histories;
import io.nightjar.jobs.RunResultJson;
import io.nightjar.jobs.command.ExitCode;
import io.nightjar.jobs.command.Failures;
import io.nightjar.jobs.lake.Lake;
import io.nightjar.jobs.local.LocalEngine;
import io.nightjar.jobs.options.LevelNames;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.ProgressListener;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** Check of a file that a client sends, into the lake: one at a time. */
final class SentFileCheck {

    /*
     * Files are stored in LAKE/.files, so that pages can read the history again. A file replaces the file of the same
     * name, as on a disk: its runs are runs of one history. A rejected file does not remain.
     *
     * Bounds. A file has at most as many bytes as the memory of checks; searches end after SEARCH.
     */

    private static final String FOLDER = ".files";
    private static final Duration SEARCH = Duration.ofMinutes(2);
    private static final int LISTED = 100;
    private static final int MAX_NAME = 100;
    private static final int PIECE = 1 << 16;

    private final Lake lake;
    private final String version;
    private final long memoryBytes;
    private final Semaphore slot = new Semaphore(1);

    SentFileCheck(Lake lake, String version, long memoryBytes) {
        this.lake = lake;
        this.version = version;
        this.memoryBytes = memoryBytes;
    }

    /** Returns whether the lake is on this machine, where files can be stored. */
    boolean isPossible() {
        return !Addresses.isRemote(lake.root());
    }

    /** Returns the maximum size of a file. */
    long maxBytes() {
        return memoryBytes;
    }

    /** Checks the body of a request; the answer is the object that {@code check --json} prints. */
    ServedAnswer check(HttpExchange exchange, @Nullable String name, @Nullable String levels) throws IOException {
        if (!slot.tryAcquire()) {
            return ServedAnswer.error(503, "another file is being checked; repeat it later");
        }
        try {
            CheckOptions options = options(levels == null ? "si,ser" : levels);
            Path folder = Files.createDirectories(lake.root().resolve(FOLDER));
            Path file = folder.resolve(plain(name));
            Path sent = folder.resolve(".sent");
            Path earlier = folder.resolve(".earlier");
            try {
                if (!receive(exchange, sent)) {
                    return ServedAnswer.error(
                            413, "file too large: maxBytes=" + memoryBytes + "; use nightjar check, or raise --memory");
                }
                boolean isReplaced = Files.exists(file);
                if (isReplaced) {
                    Files.move(file, earlier, StandardCopyOption.REPLACE_EXISTING);
                }
                Files.move(sent, file);
                return check(file, options, isReplaced ? earlier : null);
            } finally {
                Files.deleteIfExists(sent);
                Files.deleteIfExists(earlier);
            }
        } finally {
            slot.release();
        }
    }

    private ServedAnswer check(Path file, CheckOptions options, @Nullable Path earlier) throws IOException {
        try (HistorySource source = Histories.open(file, null)) {
            return ServedAnswer.json(
                    200,
                    RunResultJson.write(new LocalEngine(options, version, ProgressListener.NONE).check(source, file)));
        } catch (IOException | RuntimeException | Error failed) {
            Files.delete(file);
            if (earlier != null) {
                Files.move(earlier, file);
            }
            int code =
                    switch (Failures.codeOf(failed)) {
                        case ExitCode.REJECTED -> 422;
                        case ExitCode.USAGE -> 400;
                        case ExitCode.STORAGE -> 503;
                        default -> 500;
                    };
            return ServedAnswer.json(code, Failures.json(file.getFileName().toString(), failed));
        }
    }

    private CheckOptions options(String levels) {
        return CheckOptions.of(LevelNames.parse(levels))
                .lake(lake.root())
                .maxAnomalies(LISTED)
                .search(new CheckOptions.Search(SEARCH.toNanos(), SEARCH.toNanos(), false))
                .memoryBytes(memoryBytes)
                .build();
    }

    /** Stores the body; returns false if it is too large. */
    private boolean receive(HttpExchange exchange, Path into) throws IOException {
        try (InputStream in = exchange.getRequestBody();
                OutputStream out = Files.newOutputStream(into)) {
            byte[] piece = new byte[PIECE];
            long bytes = 0;
            for (int count = in.read(piece); count >= 0; count = in.read(piece)) {
                bytes += count;
                if (bytes > memoryBytes) {
                    return false;
                }
                out.write(piece, 0, count);
            }
            return true;
        }
    }

    /** Returns the last part of a name, as a visible file with plain characters. */
    static String plain(@Nullable String name) {
        String last = name == null ? "" : name.substring(1 + Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')));
        String plain = last.replaceAll("[^A-Za-z0-9._-]", "-").replaceAll("^[._-]+", "");
        return plain.isEmpty() ? "history" : plain.substring(Math.max(0, plain.length() - MAX_NAME));
    }
}
