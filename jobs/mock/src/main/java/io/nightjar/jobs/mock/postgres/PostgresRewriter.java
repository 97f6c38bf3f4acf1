package io.nightjar.jobs.mock.postgres;

import io.nightjar.jobs.SqlWords;
import io.nightjar.jobs.SqlWords.Kind;
import io.nightjar.jobs.SqlWords.Word;
import io.nightjar.jobs.mock.MockException;
import io.nightjar.jobs.mock.sql.PostgresFunctions;
import io.nightjar.jobs.mock.wire.StatementWords;
import io.nightjar.jobs.mock.wire.WireSession;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Rewriter of PostgreSQL's literals, types and parameters for H2. */
final class PostgresRewriter {

    /** H2 type by PostgreSQL type name. */
    private static final Map<String, String> TYPES = Map.ofEntries(
            Map.entry("timestamptz", "timestamp with time zone"),
            Map.entry("timetz", "time with time zone"),
            Map.entry("text", "varchar"),
            Map.entry("json", "varchar"),
            Map.entry("jsonb", "varchar"),
            Map.entry("int2", "smallint"),
            Map.entry("int4", "integer"),
            Map.entry("int8", "bigint"),
            Map.entry("float4", "real"),
            Map.entry("float8", "double precision"),
            Map.entry("bool", "boolean"),
            Map.entry("bpchar", "char"),
            Map.entry("citext", "varchar_ignorecase"),
            Map.entry("serial4", "serial"),
            Map.entry("serial8", "bigserial"),
            Map.entry("regclass", "varchar"),
            Map.entry("name", "varchar"));

    private static final Pattern INTERVAL = Pattern.compile(
            "'\\s*(-?\\d+(?:\\.\\d+)?)\\s+(year|month|day|hour|minute|second)s?\\s*'", Pattern.CASE_INSENSITIVE);

    private static final String[] UNITS = SqlWords.list("year month day hour minute second");

    private static final Set<String> PLAIN_ORDERS = Set.of("C", "POSIX", "ucs_basic", "default");

    private static final Pattern HEX = Pattern.compile("'\\\\x(\\p{XDigit}{2})*'");

    private static final String[] OF_SEQUENCES = {"nextval", "currval", "setval"};

    private static final String SERIES = "generate_series";

    /** Words that may follow a table without an alias. */
    private static final String[] WORDS_AFTER_TABLES = SqlWords.list(
            "where group having order limit offset fetch for union except intersect join cross inner left "
                    + "right full natural on using window returning");

    private final StatementWords words;

    PostgresRewriter(StatementWords words) {
        this.words = words;
    }

    /** Returns words rewritten for H2. */
    String plain(int from, int to) {
        StringBuilder sql = new StringBuilder();
        Map<Integer, String> names = new HashMap<>();
        Map<Integer, String> columns = columnsOfSeries(from, to);
        for (int position = from; position < to; position++) {
            boolean isApart = position > from && words.isApart(position);
            if (words.has(position, "pg_catalog", ".") && words.has(position + 3, "(")) {
                position += 2; // functions are found by their unqualified names
            }
            if (words.has(position, "collate") && position + 1 < to && isPlainOrder(words.get(position + 1))) {
                position++;
                continue;
            }
            if (words.has(position, "limit", "all")) {
                position++;
                continue;
            }
            Word word = words.get(position);
            if (word.kind() == Kind.STRING && words.has(position + 1, "::", "interval")) {
                sql.append(isApart ? " " : "").append("interval ").append(interval(position));
                position += 2;
                continue;
            }
            if (words.has(position, "(", "select")
                    && (words.has(position - 1, "from")
                            || words.has(position - 1, "join")
                            || words.has(position - 1, "as"))) {
                names.putAll(ColumnNames.ofCalls(words.all(), position + 2));
            }
            sql.append(names.containsKey(position) ? " AS \"" + names.get(position) + "\"" : "");
            sql.append(isApart ? " " : "");
            switch (word.kind()) {
                case PARAMETER -> sql.append(parameter(position));
                case STRING ->
                    sql.append(
                            words.has(position - 1, "interval")
                                    ? interval(position)
                                    : isBytes(position)
                                            ? bytes(word)
                                            : isArray(position)
                                                    ? array(word)
                                                    : isSequence(position)
                                                            ? folded(string(word.text()))
                                                            : string(word.text()));
                case NAME -> sql.append(isType(position) ? typeNamed(word) : words.written(position, position + 1));
                default -> sql.append(words.written(position, position + 1));
            }
            if (word.is("version") && words.has(position + 1, "(", ")")) {
                sql.setLength(sql.length() - word.text().length());
                sql.append("'PostgreSQL 15.0 (Nightjar mock)'");
                position += 2;
            }
            if (word.is("lastval") && words.has(position + 1, "(", ")")) {
                sql.setLength(sql.length() - word.text().length());
                sql.append(PostgresFunctions.LASTVAL);
            }
            if (word.is("set_config") && words.has(position + 1, "(")) {
                sql.setLength(sql.length() - word.text().length());
                sql.append(PostgresFunctions.SET_CONFIG);
            }
            sql.append(columns.getOrDefault(position, ""));
            boolean isCall = words.has(position + 1, "(", ")");
            boolean isUser = !isCall && (word.is("current_user") || word.is("session_user"));
            boolean isDatabase = isCall ? word.is("current_database") : word.is("current_catalog");
            if ((isUser || isDatabase) && !words.has(position - 1, ".")) {
                sql.setLength(sql.length() - word.text().length());
                sql.append(isUser ? WireSession.USER : WireSession.DATABASE);
                position += isCall ? 2 : 0;
            }
            if (word.isName() && isType(position) && words.has(position + 1, "[", "]")) {
                sql.append(" array");
                position += 2;
            }
        }
        return sql.toString();
    }

    /** Returns the text to insert after words so that the column of a generate_series is named like the series. */
    private Map<Integer, String> columnsOfSeries(int from, int to) {
        Map<Integer, String> columns = new HashMap<>();
        for (int position = from + 1; position < to; position++) {
            boolean isTable = words.hasAny(position - 1, "from", "join", ",") && words.has(position, SERIES, "(");
            if (isTable) {
                int end = words.endOfGroup(position + 1);
                int alias = words.has(end, "as") ? end + 1 : end;
                boolean isNamed = alias < to && words.isName(alias) && !words.hasAny(alias, WORDS_AFTER_TABLES);
                if (!isNamed) {
                    columns.put(end - 1, " AS " + SERIES + "(" + SERIES + ")");
                } else if (!words.has(alias + 1, "(")) {
                    columns.put(alias, "(\"" + words.text(alias) + "\")");
                }
            }
        }
        return columns;
    }

    /** Returns whether a collation is the order of code points, as in H2. */
    private static boolean isPlainOrder(Word collation) {
        return collation.isName() && PLAIN_ORDERS.contains(collation.text());
    }

    /** Returns whether the context declares a literal as bytes. */
    private boolean isBytes(int position) {
        boolean isCast = words.has(position + 1, "::", "bytea") || words.has(position + 1, "as", "bytea");
        return isCast && HEX.matcher(words.text(position)).matches();
    }

    /** Returns whether the context makes a literal an array: {@code '{1,2}'::int[]}, {@code = ANY ('{1,2}')}. */
    private boolean isArray(int position) {
        boolean isCast = words.has(position + 1, "::") && words.has(position + 3, "[", "]");
        boolean isAmong = words.has(position - 1, "(") && words.hasAny(position - 2, "any", "all", "some");
        return (isCast || isAmong) && words.text(position).startsWith("'{");
    }

    /** Returns whether the context makes a literal the name of a sequence. */
    private boolean isSequence(int position) {
        return words.has(position - 1, "(") && words.hasAny(position - 2, OF_SEQUENCES);
    }

    /** Returns a name in a literal as H2 resolves it: in lower case, except for quoted parts. */
    private static String folded(String literal) {
        return literal.contains("\"") ? literal : literal.toLowerCase(Locale.ROOT);
    }

    private static String array(Word word) {
        String text = word.text().substring(1, word.text().length() - 1).replace("''", "'");
        try {
            List<String> elements = new ArrayList<>();
            for (Object element : PostgresValues.ofArray(text, PostgresType.TEXT)) {
                elements.add(element == null ? "NULL" : quoted(element.toString()));
            }
            return "ARRAY[" + String.join(", ", elements) + "]";
        } catch (NumberFormatException | IndexOutOfBoundsException malformed) {
            throw new MockException("22P02", "malformed array literal: \"" + text + '"');
        }
    }

    private static String bytes(Word word) {
        return "X'" + word.text().substring(3);
    }

    /** Rewrites {@code '3 days'} to {@code '3' DAY}, as H2's literals have one unit each. */
    private String interval(int position) {
        String text = words.text(position);
        Matcher matcher = INTERVAL.matcher(text);
        if (!matcher.matches() && !words.hasAny(position + 1, UNITS)) {
            throw MockException.notSupported(
                    "interval " + text + " is not supported by this server: one unit at a time (interval '1 day')");
        }
        return matcher.matches() ? "'" + matcher.group(1) + "' " + matcher.group(2) : text;
    }

    /**
     * Returns a parameter, with a cast where H2 cannot infer the type: days added to a date, a factor of an interval.
     */
    private String parameter(int position) {
        String plain = '?' + words.text(position).substring(1);
        if (PostgresParameters.isOfDays(words, position)) {
            return "cast(" + plain + " as integer)";
        }
        return PostgresParameters.isFactor(words, position) ? "cast(" + plain + " as numeric)" : plain;
    }

    private static String typeNamed(Word word) {
        return TYPES.getOrDefault(word.text(), word.text());
    }

    /** Returns whether a word names a type: after ::, in CAST, or after the name of a new column. */
    private boolean isType(int position) {
        if (position == 0) {
            return false;
        }
        Word before = words.get(position - 1);
        if (before.is("::") || before.is("as") && isInCast(position)) {
            return true;
        }
        boolean makesColumns = words.has(0, "create") || words.has(0, "alter");
        return makesColumns
                && TYPES.containsKey(words.text(position))
                && before.isName()
                && (before.is("type") || words.hasAny(position - 2, "(", ",", "column", "add", "exists"));
    }

    private boolean isInCast(int position) {
        int depth = 0;
        for (int i = position - 1; i >= 1; i--) {
            depth += words.has(i, ")") ? 1 : words.has(i, "(") ? -1 : 0;
            if (depth < 0) {
                return words.has(i - 1, "cast");
            }
        }
        return false;
    }

    private static String string(String literal) {
        if (literal.startsWith("'")) {
            return literal;
        }
        if (literal.startsWith("$")) {
            int tag = literal.indexOf('$', 1) + 1;
            return quoted(literal.substring(tag, literal.length() - tag));
        }
        StringBuilder plain = new StringBuilder();
        for (int i = 2; i < literal.length() - 1; i++) {
            char letter = literal.charAt(i);
            if (letter == '\'') {
                i++;
                plain.append('\'');
            } else if (letter == '\\') {
                char escaped = literal.charAt(++i);
                plain.append(
                        switch (escaped) {
                            case 'n' -> '\n';
                            case 't' -> '\t';
                            case 'r' -> '\r';
                            case 'b' -> '\b';
                            case 'f' -> '\f';
                            default -> escaped;
                        });
            } else {
                plain.append(letter);
            }
        }
        return quoted(plain.toString());
    }

    private static String quoted(String plain) {
        return "'" + plain.replace("'", "''") + "'";
    }
}
