package io.nightjar.jobs.run;

import io.nightjar.formats.history.InputError;
import io.nightjar.formats.history.InputLocation;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.jobs.UsageException;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A serial order claimed for a history.
 *
 * @param name as it was given
 * @param ids transactions from first to last; null for the order of commit timestamps
 */
public record SerialOrder(String name, long @Nullable [] ids) implements Serializable {

    private static final String BY_COMMIT = "commit_ts";
    private static final Pattern TXN_OF_WITNESS = Pattern.compile("\\{\"txn\":(-?\\d+)[,}]");

    /**
     * Parses {@code commit_ts}, or reads a file with one transaction id a line, or a file written by {@code --witness}.
     */
    public static @Nullable SerialOrder parse(@Nullable String name) throws IOException {
        if (name == null) {
            return null;
        }
        if (name.equals(BY_COMMIT)) {
            return new SerialOrder(name, null);
        }
        Path file = Path.of(name);
        if (!Files.exists(file) || Files.isDirectory(file)) {
            throw new UsageException("--order is neither commit_ts nor a file: order=" + name);
        }
        List<String> lines = Files.readAllLines(file);
        long[] ids = new long[lines.size()];
        int count = 0;
        for (int line = 0; line < lines.size(); line++) {
            String text = lines.get(line).strip();
            Matcher ofWitness = TXN_OF_WITNESS.matcher(text);
            if (text.isEmpty() || text.startsWith("#") || line == 0 && text.startsWith("{\"witness\"")) {
                continue;
            }
            try {
                ids[count++] = Long.parseLong(ofWitness.lookingAt() ? ofWitness.group(1) : text);
            } catch (NumberFormatException noId) {
                throw new MalformedHistoryException(
                        InputLocation.line(name, line + 1L),
                        InputError.of("order has something else than a transaction id")
                                .with("text=" + text)
                                .advise("give one txn_id a line"));
            }
        }
        return new SerialOrder(name, java.util.Arrays.copyOf(ids, count));
    }
}
