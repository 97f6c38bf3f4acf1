package io.nightjar.jobs.mock.mysql;

import io.nightjar.jobs.SqlWords;
import io.nightjar.jobs.mock.MockException;
import io.nightjar.jobs.mock.sql.MysqlFunctions;
import io.nightjar.jobs.mock.wire.StatementWords;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Rewriter of MySQL function calls for H2. */
final class MysqlCalls {

    /** H2 name by MySQL name of an equivalent function. */
    private static final Map<String, String> FUNCTIONS = Map.ofEntries(
            Map.entry("if", "casewhen"),
            Map.entry("length", "octet_length"),
            Map.entry("uuid", "random_uuid"),
            Map.entry("mid", "substring"),
            Map.entry("substr", "substring"),
            Map.entry("lcase", "lower"),
            Map.entry("ucase", "upper"),
            Map.entry("pow", "power"),
            Map.entry("ceiling", "ceil"),
            Map.entry("dayofmonth", "day"),
            Map.entry("character_length", "char_length"),
            Map.entry("std", "stddev_pop"),
            Map.entry("stddev", "stddev_pop"),
            Map.entry("variance", "var_pop"));

    /** Functions that return text, which is compared without regard to case. */
    private static final Set<String> OF_TEXT =
            SqlWords.set("upper ucase lower lcase substring substr mid left right trim ltrim rtrim concat concat_ws "
                    + "replace lpad rpad repeat reverse insert space quote group_concat cast convert date_format "
                    + "dayname monthname md5");

    private static final Set<String> NOW = Set.of("now", "current_timestamp", "sysdate", "localtime", "localtimestamp");

    /** Unsupported MySQL functions, by name prefix. */
    private static final Pattern MISSING = Pattern.compile(
            "addtime|subtime|timediff|period_(?:add|diff)|get_format|convert_tz|sleep|benchmark|is_used_lock"
                    + "|master_pos_wait|source_pos_wait|name_const|load_file|json_.*"
                    + "|aes_.*|des_.*|encode|decode|encrypt|password|old_password|compress|uncompress.*|random_bytes|uuid_.*"
                    + "|uuid_short|inet6_.*|is_ipv[46].*|is_uuid|bin_to_uuid|uuid_to_bin|export_set|make_set|match|against"
                    + "|st_.*|mbr.*|point|polygon|linestring|multi.*|geom.*|extractvalue|updatexml|charset|collation|coercibility"
                    + "|weight_string|format_bytes|format_pico_time|ps_.*|bit_(?:and|or|xor)|validate_password_strength"
                    + "|lateral|statement_digest.*|roles_graphml|current_role|gtid_.*|wait_for_.*|to_seconds"
                    + "|week|weekofyear|yearweek|weekday|to_days|from_days|makedate|maketime|sec_to_time|time_to_sec"
                    + "|time_format|str_to_date|microsecond|field|find_in_set|elt|format|substring_index|hex|strcmp"
                    + "|sha[12]?|crc32|conv|bin|oct|unhex|bit_count|to_base64|from_base64|inet_.*");

    private final StatementWords words;
    private final MysqlVariables variables;
    private final MysqlRewriter spelling;
    private boolean isFleeting;

    MysqlCalls(StatementWords words, MysqlVariables variables, MysqlRewriter spelling) {
        this.words = words;
        this.variables = variables;
        this.spelling = spelling;
    }

    /** Returns whether the rewritten text may differ the next time. */
    boolean isFleeting() {
        return isFleeting;
    }

    static boolean isNow(String name) {
        return NOW.contains(name);
    }

    /** Appends the call at a position, or its beginning, and returns the position after the consumed words. */
    int append(StringBuilder sql, int position, String name) {
        int close = words.endOfGroup(position + 1);
        if (OF_TEXT.contains(name) && isText(name, position, close) && !variables.regardsCase(words, position, close)) {
            StringBuilder call = new StringBuilder();
            int endOfCall = appendCall(call, position, name);
            sql.append("cast(" + call + spelling.plain(endOfCall, close) + MysqlRewriter.AS_TEXT);
            return close;
        }
        return appendCall(sql, position, name);
    }

    /** Returns whether CAST or CONVERT converts to a text type. */
    private boolean isText(String name, int position, int close) {
        if (!name.equals("cast") && !name.equals("convert")) {
            return true;
        }
        for (int at = position + 2; at < close - 1; at = words.endOfGroup(at)) {
            if (words.hasAny(at, "as", ",", "using")) {
                return words.has(at, "using") || words.hasAny(at + 1, "char", "nchar");
            }
        }
        return false;
    }

    private int appendCall(StringBuilder sql, int position, String name) {
        int close = words.endOfGroup(position + 1);
        boolean isEmpty = close == position + 3;
        String constant = isEmpty ? variables.call(name) : null;
        if (constant != null) {
            isFleeting = true;
            sql.append(constant);
            return close;
        }
        String whole = whole(name, position + 2, close - 1);
        if (whole != null) {
            sql.append(whole);
            return close;
        }
        sql.append(FUNCTIONS.getOrDefault(name, words.written(position, position + 1)));
        return position + 1;
    }

    /** Returns the call with its rewritten arguments; null if the arguments need no special treatment. */
    private @Nullable String whole(String name, int from, int to) {
        String arguments = spelling.plain(from, to);
        if (NOW.contains(name)) {
            return "localtimestamp(" + (from == to ? "0" : arguments) + ")";
        }
        if (MysqlFunctions.has(name)) {
            return ours(name, from, to, arguments);
        }
        switch (name) {
            case "curdate", "current_date" -> {
                return "current_date";
            }
            case "curtime", "current_time" -> {
                return "localtime(" + (from == to ? "0" : arguments) + ")";
            }
            case "isnull" -> {
                return "((" + arguments + ") is null)";
            }
            case "time" -> {
                return "cast(cast(" + arguments + " as timestamp) as time(0))";
            }
            case "timestamp" -> {
                return one(name, from, to, "cast(", " as timestamp(0))");
            }
            case "utc_date", "utc_time", "utc_timestamp" -> {
                String type = name.substring(4);
                return "cast(current_timestamp at time zone 'UTC' as " + type + (type.equals("date") ? ")" : "(0))");
            }
            case "ord" -> {
                return "ascii(" + arguments + ")";
            }
            case "char" -> {
                return one(name, from, to, "char(", ")");
            }
            case "datediff" -> {
                return dateDiff(from, to);
            }
            case "date_add", "date_sub", "adddate", "subdate" -> {
                return dateAdd(name, from, to);
            }
            case "concat" -> {
                return "(" + joined(from, to) + ")";
            }
            case "convert" -> {
                return converted(from, to);
            }
            case "group_concat" -> {
                return groupConcat(from, to);
            }
            case "locate", "instr" -> {
                return located(name, from, to);
            }
            case "log2" -> {
                return "log(2, " + arguments + ")";
            }
            default -> {
                if (MISSING.matcher(name).matches()) {
                    throw MockException.unsupported("function " + name.toUpperCase(Locale.ROOT));
                }
                return null;
            }
        }
    }

    private String ours(String name, int from, int to, String arguments) {
        String call = MysqlRewriter.PUBLIC + "." + MysqlFunctions.PREFIX + name + "(";
        if (name.equals("timestampdiff")) {
            return call + MysqlRewriter.quoted(words.name(from)) + spelling.plain(from + 1, to) + ")";
        }
        return call + arguments + ")";
    }

    /** Returns a search for a text in another, without regard to case. */
    private @Nullable String located(String name, int from, int to) {
        if (variables.regardsCase(words, from, to)) {
            return null;
        }
        StringBuilder call = new StringBuilder(name).append('(');
        List<int[]> items = words.items(from, to);
        for (int i = 0; i < items.size(); i++) {
            String argument = spelling.plain(items.get(i)[0], items.get(i)[1]);
            call.append(i == 0 ? "" : ", ").append(i < 2 ? "lower(" + argument + ")" : argument);
        }
        return call.append(')').toString();
    }

    private String one(String name, int from, int to, String start, String end) {
        if (words.items(from, to).size() != 1) {
            throw MockException.unsupported("this form of " + name.toUpperCase(Locale.ROOT));
        }
        return start + spelling.plain(from, to) + end;
    }

    /** Returns CONVERT to another character set, which has no effect here; null for CONVERT to a type. */
    private @Nullable String converted(int from, int to) {
        if (!words.has(to - 2, "using")) {
            return null;
        }
        if (!words.text(to - 1).startsWith("utf8")) {
            throw MockException.unsupported("CONVERT USING " + words.text(to - 1));
        }
        return "(" + spelling.plain(from, to - 2) + ")";
    }

    /** Returns the concatenation of texts, NULL if any of them is NULL. */
    private String joined(int from, int to) {
        StringBuilder joined = new StringBuilder();
        for (int[] item : words.items(from, to)) {
            joined.append(joined.length() == 0 ? "" : " || ");
            joined.append("cast(").append(spelling.plain(item[0], item[1])).append(" as varchar)");
        }
        return joined.toString();
    }

    private String groupConcat(int from, int to) {
        int first = words.has(from, "distinct") ? from + 1 : from;
        int end = first;
        while (end < to && !words.hasAny(end, "order", "separator")) {
            end = words.endOfGroup(end);
        }
        String what = words.items(first, end).size() == 1 ? spelling.plain(first, end) : joined(first, end);
        return "group_concat(" + (first > from ? "distinct " : "") + what + " " + spelling.plain(end, to) + ")";
    }

    private List<int[]> two(String name, int from, int to) {
        List<int[]> items = words.items(from, to);
        if (items.size() != 2) {
            throw MockException.unsupported("this form of " + name.toUpperCase(Locale.ROOT));
        }
        return items;
    }

    private String dateDiff(int from, int to) {
        List<int[]> days = two("DATEDIFF", from, to);
        return "datediff(day, cast(" + spelling.plain(days.get(1)[0], days.get(1)[1]) + " as date), cast("
                + spelling.plain(days.get(0)[0], days.get(0)[1]) + " as date))";
    }

    /** Rewrites {@code DATE_ADD(day, INTERVAL n UNIT)}. */
    private String dateAdd(String name, int from, int to) {
        List<int[]> items = two(name, from, to);
        String date = spelling.plain(items.get(0)[0], items.get(0)[1]);
        int many = items.get(1)[0];
        boolean isLess = name.endsWith("sub") || name.startsWith("sub");
        if (words.has(many, "interval")) {
            return "dateadd(" + words.name(to - 1) + ", " + (isLess ? "-(" : "(") + spelling.plain(many + 1, to - 1)
                    + "), " + date + ")";
        }
        if (name.startsWith("date")) {
            throw MockException.unsupported("this form of " + name.toUpperCase(Locale.ROOT));
        }
        return "dateadd(day, " + (isLess ? "-(" : "(") + spelling.plain(many, to) + "), " + date + ")";
    }
}
