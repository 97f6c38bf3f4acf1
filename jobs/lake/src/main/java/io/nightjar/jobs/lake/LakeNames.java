package io.nightjar.jobs.lake;

import io.nightjar.jobs.UsageException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Run ids and history ids. Both become folder names of the form {@code name=value}, and both begin with a letter,
 * because readers guess the type of such a value and would take digits for a number or a date.
 */
public final class LakeNames {

    private static final Pattern RUN_ID = Pattern.compile("[A-Za-z][A-Za-z0-9._-]{0,99}");
    private static final Pattern UNSAFE = Pattern.compile("[^A-Za-z0-9]+");
    private static final Pattern SCHEME = Pattern.compile("[a-z][a-z0-9+.-]+://.*");
    private static final Pattern EXTENSIONS =
            Pattern.compile("(\\.(parquet|arrow|jsonl|json|txt|edn|gz|zst|log|bincode|hist))+$");
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final int NAME_LENGTH = 40;

    private static final SecureRandom RANDOM = new SecureRandom();

    private LakeNames() {}

    /** Returns a new run id: the time, and four random digits. */
    public static String newRunId(Instant startedAt) {
        return "r" + STAMP.format(startedAt) + "-" + HexFormat.of().toHexDigits((short) RANDOM.nextInt());
    }

    /** Returns a name for the histories that a single command checks together: like a run's, with another letter. */
    public static String newBatchId() {
        return "b" + newRunId(Instant.now()).substring(1);
    }

    /** Refuses run ids that cannot be a folder's name everywhere. */
    public static String checkRunId(String runId) {
        if (!RUN_ID.matcher(runId).matches() || runId.endsWith(".")) {
            throw new UsageException("not a run id: run-id=" + runId
                    + "; it begins with a letter and holds up to 100 letters, digits, dots, dashes and underscores");
        }
        return runId;
    }

    /**
     * Returns the history id of an address: a letter, the name, a short hash of the whole address. It does not depend
     * on the working directory.
     */
    public static String historyId(String address) {
        String whole = absolute(address);
        int end = whole.length();
        while (end > 1 && (whole.charAt(end - 1) == '/' || whole.charAt(end - 1) == '\\')) {
            end--;
        }
        whole = whole.substring(0, end);
        String name = whole.substring(Math.max(whole.lastIndexOf('/'), whole.lastIndexOf('\\')) + 1);
        name = EXTENSIONS.matcher(name).replaceFirst("");
        name = UNSAFE.matcher(name).replaceAll("-").replaceAll("^-|-$", "");
        name = name.substring(0, Math.min(name.length(), NAME_LENGTH));
        return "h-" + (name.isEmpty() ? "" : name + "-") + shortHash(whole);
    }

    private static String absolute(String address) {
        if (SCHEME.matcher(address).matches()) {
            try {
                return new URI(address.replace(" ", "%20")).normalize().toString();
            } catch (URISyntaxException key) { // keys may have any characters
                return address;
            }
        }
        return Path.of(address).toAbsolutePath().normalize().toString();
    }

    private static String shortHash(String text) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)), 0, 4);
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError("bug: every JDK has SHA-256", impossible);
        }
    }
}
