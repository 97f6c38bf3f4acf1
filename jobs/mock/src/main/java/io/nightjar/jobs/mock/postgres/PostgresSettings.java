package io.nightjar.jobs.mock.postgres;

import io.nightjar.jobs.SqlWords;
import io.nightjar.jobs.mock.MockException;
import io.nightjar.jobs.mock.sql.SqlColumn;
import io.nightjar.jobs.mock.sql.SqlResult;
import io.nightjar.jobs.mock.sql.SqlType;
import io.nightjar.jobs.mock.wire.WireSession;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Settings of a client, and their reports to the client. */
final class PostgresSettings {

    static final String ALL = "all";

    private static final String VERSION = "15.0";
    private static final String ISOLATION = "transaction_isolation";
    private static final String READ_ONLY = "transaction_read_only";
    private static final String DEFAULT = "default_";
    private static final String NAME = "application_name";
    private static final String ZONE = "timezone";
    private static final String PATH = "search_path";
    private static final String USUAL_PATH = "\"$user\", public";

    /** Settings with defaults. */
    static final List<String> SHOWN = List.of(
            SqlWords.list("client_encoding datestyle default_transaction_isolation default_transaction_read_only "
                    + "integer_datetimes max_identifier_length max_index_keys nightjar.level nightjar.phase "
                    + "nightjar.reads search_path server_encoding server_version server_version_num "
                    + "standard_conforming_strings timezone transaction_isolation transaction_read_only"));

    /** Accepted settings without effect, as statements of a mock wait only because of --schedule or --replay. */
    private static final Set<String> TIMEOUTS =
            Set.of("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout", "transaction_timeout");

    /** Settings of the whole server, which a client's reset does not change. */
    private static final Set<String> OF_SERVER = Set.of("nightjar.level", "nightjar.phase");

    private static final Pattern LEVEL =
            Pattern.compile("\\b(read uncommitted|read committed|repeatable read|serializable)\\b");

    private static final Pattern OPTION = Pattern.compile("(?:-c\\s*|--)([\\w.]+)=((?:\\\\.|\\S)*)");

    private final WireSession client;
    private final PostgresAnswers answers;
    private final Map<String, String> settings = new HashMap<>();

    /** Settings from the client's startup message. */
    private final Map<String, String> first = new HashMap<>();

    /** Previous values of transaction-local settings, null where unset. */
    private final Map<String, String> before = new HashMap<>();

    private long tablesVersion;

    PostgresSettings(WireSession client, PostgresAnswers answers) {
        this.client = client;
        this.answers = answers;
        client.sql().settings(this::shown);
    }

    /** Applies the settings in a client's startup message. */
    void start(Map<String, String> given) throws IOException {
        settings.putAll(given);
        String zone = settings.getOrDefault(ZONE, "UTC");
        answers.status("server_version", VERSION);
        answers.status("server_encoding", "UTF8");
        answers.status("client_encoding", "UTF8");
        answers.status("DateStyle", "ISO, MDY");
        answers.status("IntervalStyle", "postgres");
        answers.status("TimeZone", zone);
        answers.status("integer_datetimes", "on");
        answers.status("standard_conforming_strings", "on");
        answers.status("is_superuser", "on");
        answers.status("session_authorization", settings.getOrDefault("user", "nightjar"));
        answers.status(NAME, settings.getOrDefault(NAME, ""));
        client.client(settings.get(NAME));
        String user = settings.getOrDefault("user", "nightjar");
        client.called(settings.getOrDefault("database", user), user);
        try {
            setTimeZone(zone);
        } catch (MockException unknown) {
            settings.put(ZONE, "UTC");
        }
        Matcher option = OPTION.matcher(settings.getOrDefault("options", ""));
        while (option.find()) {
            set(option.group(1).toLowerCase(Locale.ROOT), option.group(2).replaceAll("\\\\(.)", "$1"), false);
        }
        if (settings.containsKey(PATH)) {
            enterSchema();
        }
        first.putAll(settings);
    }

    private void setTimeZone(String zone) {
        client.ask("SET TIME ZONE '" + zone.replace("'", "''") + "'", List.of());
    }

    // ---------------------------------------------------------------- setting

    /** @param isOpen whether an explicit transaction is open */
    void set(String name, String value, boolean isOpen) throws IOException {
        switch (name) {
            case "transaction" -> {
                if (isOpen) {
                    transaction("", value);
                } else {
                    answers.notice("SET TRANSACTION can only be used in transaction blocks");
                }
            }
            case "characteristics" -> transaction(DEFAULT, value);
            case ISOLATION, READ_ONLY -> {
                if (isOpen) {
                    keep(name, value);
                }
            }
            default -> {
                if (value.equalsIgnoreCase("default")) {
                    reset(name);
                } else {
                    keep(name, value);
                }
            }
        }
    }

    /** Changes a setting until the end of the transaction. */
    void setLocally(String name, String value, boolean isOpen) throws IOException {
        if (OF_SERVER.contains(name)) {
            throw MockException.notSupported(name + " is the whole server's; it cannot be set with LOCAL");
        }
        if (!isOpen) {
            answers.notice("SET LOCAL can only be used in transaction blocks");
            return;
        }
        if (!before.containsKey(name)) {
            before.put(name, settings.get(name));
        }
        set(name, value, true);
    }

    private void keep(String name, String value) throws IOException {
        switch (name) {
            case ZONE -> setTimeZone(value);
            case NAME -> {
                client.client(value);
                answers.status(NAME, value);
            }
            case READ_ONLY -> client.readOnly(isOn(value));
            case ISOLATION, DEFAULT + ISOLATION -> answers.notice(client.noticeOfLevel());
            default -> {
                if (WireSession.isOurs(name)) {
                    client.set(name, value);
                } else if (TIMEOUTS.contains(name) && !value.matches("0\\w*")) {
                    answers.notice(
                            name + " is not kept by this server; cancel statements from the client, or end waiting"
                                    + " transactions with --patience");
                }
            }
        }
        settings.put(name, value);
        if (name.equals(PATH)) {
            enterSchema();
        } else if (name.equals(DEFAULT + READ_ONLY)) {
            client.readOnly(isOn(value));
        }
    }

    /** Applies the characteristics of the current transaction, or of all later transactions. */
    private void transaction(String which, String text) throws IOException {
        String plain = text.toLowerCase(Locale.ROOT).replaceAll("\\s+", " ");
        Matcher level = LEVEL.matcher(plain);
        if (level.find()) {
            settings.put(which + ISOLATION, level.group(1));
            answers.notice(client.noticeOfLevel());
        }
        if (plain.contains("read only") || plain.contains("read write")) {
            boolean isReadOnly = plain.contains("read only");
            settings.put(which + READ_ONLY, isReadOnly ? "on" : "off");
            client.readOnly(isReadOnly);
        }
    }

    private static boolean isOn(String value) {
        return value.toLowerCase(Locale.ROOT).matches("on|true|yes|1|t|y");
    }

    /** Resets a setting, or all settings of the client. */
    void reset(String name) throws IOException {
        if (name.equals(ALL)) {
            for (String each : List.copyOf(settings.keySet())) {
                if (!OF_SERVER.contains(each)) {
                    reset(each);
                }
            }
            return;
        }
        if (first.containsKey(name)) {
            if (!first.get(name).equals(settings.get(name))) {
                keep(name, first.get(name));
            }
            return;
        }
        if (WireSession.isOurs(name)) {
            client.set(name, "default");
        } else if (settings.containsKey(name)) {
            switch (name) {
                case ZONE -> setTimeZone("UTC");
                case NAME -> keep(NAME, "");
                case READ_ONLY, DEFAULT + READ_ONLY -> client.readOnly(false);
                default -> {
                    // removal restores the default
                }
            }
        }
        settings.remove(name);
        if (name.equals(PATH)) {
            enterSchema();
        }
    }

    /** Restores transaction-local settings. */
    void transactionEnds() throws IOException {
        settings.remove(ISOLATION);
        if (settings.remove(READ_ONLY) != null) {
            client.readOnly(isOn(settings.getOrDefault(DEFAULT + READ_ONLY, "off")));
        }
        if (!before.isEmpty()) {
            Map<String, String> back = new HashMap<>(before);
            before.clear();
            for (Map.Entry<String, String> each : back.entrySet()) {
                if (each.getValue() == null) {
                    reset(each.getKey());
                } else {
                    keep(each.getKey(), each.getValue());
                }
            }
        }
    }

    /** Updates the path, which may name schemas created since. */
    void seeSchemas() {
        if (settings.containsKey(PATH) && tablesVersion != client.tablesVersion()) {
            enterSchema();
        }
    }

    /** Creates tables in the first existing schema of the path and resolves names in all its schemas. */
    private void enterSchema() {
        tablesVersion = client.tablesVersion();
        List<String> names = new ArrayList<>();
        for (String name : settings.getOrDefault(PATH, "public").split(",")) {
            String plain = name.strip();
            boolean isQuoted = plain.length() > 1 && plain.startsWith("\"") && plain.endsWith("\"");
            String schema = isQuoted ? plain.substring(1, plain.length() - 1) : plain.toLowerCase(Locale.ROOT);
            names.add(schema.equals("$user") ? settings.getOrDefault("user", "nightjar") : schema);
        }
        if (client.sql().schemas(names)) {
            client.forgetStatements();
        }
    }

    // ---------------------------------------------------------------- showing

    static List<SqlColumn> columns(String name) {
        return (isAll(name) ? List.of("name", "setting", "description") : List.of(called(name)))
                .stream()
                        .map(column -> new SqlColumn(column, SqlType.TEXT, null, "", 0, 0))
                        .toList();
    }

    /** Returns PostgreSQL's spelling of a name, some of which have capitals. */
    private static String called(String name) {
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "time zone", ZONE -> "TimeZone";
            case "transaction isolation level" -> ISOLATION;
            case "datestyle" -> "DateStyle";
            case "intervalstyle" -> "IntervalStyle";
            default -> name.toLowerCase(Locale.ROOT);
        };
    }

    private static boolean isAll(String name) {
        return name.equalsIgnoreCase(ALL);
    }

    SqlResult show(String name) {
        List<Object[]> rows = new ArrayList<>();
        if (isAll(name)) {
            Set<String> names = new TreeSet<>(SHOWN);
            names.addAll(settings.keySet());
            names.forEach(each -> rows.add(new Object[] {each, shown(each), ""}));
        } else {
            rows.add(new Object[] {shown(name)});
        }
        return new SqlResult(columns(name), rows, rows.size());
    }

    private String shown(String name) {
        String key = name.toLowerCase(Locale.ROOT);
        return switch (key) {
            case "transaction isolation level", ISOLATION ->
                settings.getOrDefault(ISOLATION, shown(DEFAULT + ISOLATION));
            case DEFAULT + ISOLATION -> settings.getOrDefault(key, client.levelOfSql());
            case READ_ONLY -> settings.getOrDefault(READ_ONLY, shown(DEFAULT + READ_ONLY));
            case "server_version" -> VERSION;
            case "server_version_num" -> "150000";
            case "server_encoding", "client_encoding" -> "UTF8";
            case "datestyle" -> "ISO, MDY";
            case "intervalstyle" -> "postgres";
            case NAME -> settings.getOrDefault(key, "");
            case PATH -> settings.getOrDefault(key, USUAL_PATH);
            case "is_superuser", "standard_conforming_strings", "integer_datetimes" -> "on";
            case "time zone", ZONE -> settings.getOrDefault(ZONE, "UTC");
            case "max_identifier_length" -> "63";
            case "max_index_keys" -> "32";
            case DEFAULT + READ_ONLY, "in_hot_standby" -> settings.getOrDefault(key, "off");
            default -> {
                if (WireSession.isOurs(key)) {
                    yield client.shown(key);
                }
                if (!settings.containsKey(key) && TIMEOUTS.contains(key)) {
                    yield "0";
                }
                if (!settings.containsKey(key)) {
                    throw new MockException("42704", "unrecognized configuration parameter \"" + name + "\"");
                }
                yield settings.get(key);
            }
        };
    }
}
