package io.nightjar.jdbc;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A parsed connection address of the recording driver.
 *
 * @param target the address of the database itself
 * @param properties for its driver
 * @param archive the folder of the recording
 * @param maxRows maximum number of initial rows; a table with more is not recorded
 * @param tables tables to record, in lower case; all if empty
 */
record RecordingAddress(String target, Properties properties, Path archive, long maxRows, Set<String> tables) {

    static final String PREFIX = "jdbc:nightjar:";

    private static final String OURS = "nightjar.";
    private static final String ARCHIVE = "archive";
    private static final String ROWS = "rows";
    private static final String TABLES = "tables";
    private static final long DEFAULT_ROWS = 100_000;
    private static final Pattern SETTING = Pattern.compile("([?&;])nightjar\\.(\\w+)=([^&;]*)");
    private static final Pattern PRIVATE_DATABASE =
            Pattern.compile("jdbc:sqlite:(:memory:)?(\\?.*)?|jdbc:h2:mem:(;.*)?|jdbc:duckdb:(:memory:)?(\\?.*)?");

    /**
     * Parses an address; missing settings are taken from the given properties, the system properties, and the
     * environment.
     */
    static RecordingAddress of(String url, Properties given) throws SQLException {
        Properties settings = new Properties();
        Properties others = new Properties();
        for (String name : given.stringPropertyNames()) {
            boolean isOurs = name.startsWith(OURS);
            (isOurs ? settings : others)
                    .setProperty(isOurs ? name.substring(OURS.length()) : name, given.getProperty(name));
        }
        String target = "jdbc:" + withoutSettings(url.substring(PREFIX.length()), settings);
        if (PRIVATE_DATABASE.matcher(target).matches()) {
            throw refused("each connection to this address opens a separate database: url=" + target.split("[?;]", 2)[0]
                    + "; name it, such as jdbc:h2:mem:test");
        }
        String archive = setting(settings, ARCHIVE);
        if (archive == null || archive.isBlank()) {
            throw refused(
                    "the folder of the recording is missing; add nightjar.archive=FOLDER to the address or the"
                            + " properties of the connection, or start with -Dnightjar.archive=FOLDER or NIGHTJAR_ARCHIVE=FOLDER");
        }
        return new RecordingAddress(
                target, others, folder(archive), rows(setting(settings, ROWS)), tables(setting(settings, TABLES)));
    }

    private static Set<String> tables(@Nullable String names) {
        Set<String> tables = new TreeSet<>();
        for (String name : names == null ? new String[0] : names.split(",")) {
            tables.add(name.strip().toLowerCase(Locale.ROOT));
        }
        tables.remove("");
        return tables;
    }

    /** Returns the rest of an address without the settings of the recording, which are stored. */
    private static String withoutSettings(String rest, Properties settings) {
        String left = rest;
        for (Matcher found = SETTING.matcher(left); found.find(); found = SETTING.matcher(left)) {
            settings.setProperty(found.group(2), URLDecoder.decode(found.group(3), StandardCharsets.UTF_8));
            String suffix = left.substring(found.end());
            boolean staysOpen = found.group(1).equals("?") && suffix.startsWith("&");
            left = left.substring(0, found.start()) + (staysOpen ? "?" + suffix.substring(1) : suffix);
        }
        return left;
    }

    private static String setting(Properties settings, String name) {
        String value = settings.getProperty(name);
        value = value == null ? System.getProperty(OURS + name) : value;
        return value == null ? System.getenv((OURS + name).replace('.', '_').toUpperCase(Locale.ROOT)) : value;
    }

    private static Path folder(String name) {
        String process = Long.toString(ProcessHandle.current().pid());
        return Path.of(name.replace("{pid}", process).replace("{time}", STARTED))
                .toAbsolutePath()
                .normalize();
    }

    private static final String STARTED =
            LocalDateTime.now().format(DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT));

    private static long rows(@Nullable String text) throws SQLException {
        try {
            return text == null ? DEFAULT_ROWS : Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw refused("not a number: nightjar.rows=" + text);
        }
    }

    static SQLException refused(String why) {
        return new SQLException("[jdbc:nightjar] " + why, "08001");
    }
}
