package io.nightjar.jobs.mock.postgres;

import io.nightjar.jobs.SqlWords;
import io.nightjar.jobs.SqlWords.Flavor;
import io.nightjar.jobs.mock.MockException;
import io.nightjar.jobs.mock.wire.StatementWords;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Detector of statement parts that PostgreSQL supports and this server does not. */
final class UnsupportedSyntax {

    private static final Set<String> NOT_UNDERSTOOD = SqlWords.set("42601 42883 42703 42704 42P01 42000");

    private static final Set<String> THINGS =
            SqlWords.set("aggregate cast collation conversion event extension foreign function language materialized "
                    + "operator policy procedure publication routine rule server statistics subscription text trigger "
                    + "type unlogged");

    private static final String[] OPERATORS = SqlWords.list("->> -> #>> #> @> <@ @@ ?| ?& && |/ ^");

    /** System columns of PostgreSQL's tables. */
    private static final Pattern SYSTEM_COLUMN =
            Pattern.compile("column \"(?:\\w+\\.)*(xmin|xmax|cmin|cmax|tableoid)\"");

    private static final Pattern NO_FUNCTION = Pattern.compile("function (\\S+) does not exist");

    /** PostgreSQL functions, by name prefix. */
    private static final Pattern KNOWN_FUNCTION = Pattern.compile(
            "pg_.*|jsonb?_.*|to_jsonb?|row_to_json|array_.*|unnest|string_to_array|string_to_table|to_ts.*|plainto_tsquery"
                    + "|phraseto_tsquery|ts_.*|setweight|regexp_.*|generate_.*|xml.*|xpath.*|overlay|point|box|circle|line|lseg"
                    + "|path|polygon|inet.*|host|netmask|network|cidr|make_.*|format|num.*|int.*range|ts.*range|daterange"
                    + "|similarity|crypt|digest|uuid_.*|txid_.*|cardinality|percentile_.*|mode|width_bucket|age|justify_.*"
                    + "|encode|decode|convert_.*|quote_.*|parse_ident|set_bit|get_bit|set_byte|get_byte|has_.*|col_description"
                    + "|obj_description|every|bool_and|bool_or|split_part|starts_with|initcap|clock_timestamp"
                    + "|statement_timestamp|timeofday|isfinite|lo_.*|loread|lowrite");

    /** Types whose values are the numbers of functions and operators. */
    private static final String[] OF_FUNCTIONS = {"regproc", "regprocedure", "regoper", "regoperator"};

    /** An error about a missing catalog table that exists in PostgreSQL. */
    private static final Pattern NO_SYSTEM_TABLE = Pattern.compile("relation \"(?:\\w+\\.)*(pg_\\w+)\" does not exist");

    private static final String[] GROUPINGS = {"rollup", "cube"};

    private UnsupportedSyntax() {}

    /** Returns the failure of a statement, or a failure that names the unsupported part. */
    static MockException of(MockException failure, String text) {
        if (!NOT_UNDERSTOOD.contains(failure.sqlState())) {
            return failure;
        }
        Matcher table = NO_SYSTEM_TABLE.matcher(String.valueOf(failure.getMessage()));
        if (failure.sqlState().equals("42P01")) {
            return table.matches() ? MockException.unsupported("system table " + table.group(1)) : failure;
        }
        Matcher system = SYSTEM_COLUMN.matcher(String.valueOf(failure.getMessage()));
        if (failure.sqlState().equals("42703")) {
            return system.find() ? MockException.unsupported("system column " + system.group(1)) : failure;
        }
        List<StatementWords> statements = StatementWords.split(text, Flavor.POSTGRES);
        String feature = statements.isEmpty() ? null : feature(statements.get(0), text);
        if (feature == null) {
            Matcher unknown = NO_FUNCTION.matcher(String.valueOf(failure.getMessage()));
            feature = unknown.find() && KNOWN_FUNCTION.matcher(unknown.group(1)).matches()
                    ? "function " + unknown.group(1)
                    : null;
        }
        return feature == null ? failure : MockException.unsupported(feature);
    }

    /** Rejects the queries that drivers send before they create a large object. */
    static void checkLargeObjects(String statement) {
        if (statement.contains("'lo_open'")) {
            throw MockException.unsupported(
                    "a large object (@Lob, setBlob, setClob: columns of text or bytea instead)");
        }
    }

    /** Rejects lookups of functions and operators by name. */
    static void checkLookups(StatementWords words) {
        for (int position = 1; position < words.size(); position++) {
            int type = words.has(position + 1, "pg_catalog", ".") ? position + 3 : position + 1;
            if (words.has(position, "::") && words.hasAny(type, OF_FUNCTIONS)) {
                throw MockException.unsupported("a lookup of a function or operator (" + words.text(type) + ")");
            }
        }
    }

    private static @Nullable String feature(StatementWords words, String text) {
        if (words.hasAny(0, "create", "alter", "drop")) {
            String made = ofDefinition(words);
            if (made != null) {
                return made;
            }
        }
        for (int position = 0; position < words.size(); position++) {
            String feature = at(words, position);
            if (feature != null) {
                return feature;
            }
        }
        String outside = text.replaceAll("'(?:[^']|'')*'", "''");
        for (String operator : OPERATORS) {
            if (outside.contains(operator)) {
                return "operator " + operator;
            }
        }
        return null;
    }

    private static @Nullable String at(StatementWords words, int position) {
        if (words.has(position, "full", "join") || words.has(position, "full", "outer", "join")) {
            return "FULL JOIN";
        }
        if (words.has(position, "::", "interval") || words.has(position, "as", "interval", ")")) {
            return "a cast to interval (write n * interval '1 day')";
        }
        if (words.has(position, "lateral")) {
            return "LATERAL";
        }
        if (words.has(position, "grouping", "sets")) {
            return "GROUPING SETS";
        }
        if (words.has(position - 1, "by") && words.hasAny(position, GROUPINGS)) {
            return words.text(position).toUpperCase(Locale.ROOT);
        }
        if (words.has(position, "tablesample")) {
            return "TABLESAMPLE";
        }
        if (words.has(position, "similar", "to")) {
            return "SIMILAR TO";
        }
        if (words.has(position, "with", "recursive") && words.has(position + 3, "as")) {
            return "WITH RECURSIVE without the names of its columns";
        }
        if (words.has(position, "with", "ordinality")) {
            return "WITH ORDINALITY";
        }
        if (position > 0 && words.has(position, "[") && !words.has(position - 1, "array")) {
            return words.has(position + 1, "]") ? "an array as a type" : "an element of an array";
        }
        return null;
    }

    private static @Nullable String ofDefinition(StatementWords words) {
        String act = words.text(0).toUpperCase(Locale.ROOT);
        int position = words.has(1, "or", "replace") ? 3 : words.has(1, "constraint") ? 2 : 1;
        if (position < words.size() && THINGS.contains(words.text(position))) {
            return act + " " + words.text(position).toUpperCase(Locale.ROOT);
        }
        if (words.hasAny(1, "temp", "temporary") && words.has(2, "view")) {
            return act + " TEMPORARY VIEW";
        }
        int table = words.topLevel("partition", 2);
        if (table >= 0) {
            return "PARTITION";
        }
        if (words.topLevel("inherits", 2) >= 0) {
            return "INHERITS";
        }
        int index = words.topLevel("index", 1);
        if (act.equals("CREATE") && index > 0) {
            return ofIndex(words, index);
        }
        return words.topLevel("exclude", 2) >= 0 ? "EXCLUDE" : null;
    }

    private static @Nullable String ofIndex(StatementWords words, int index) {
        int using = words.topLevel("using", index);
        if (using >= 0 && !words.has(using + 1, "btree")) {
            return "an index USING " + words.name(using + 1);
        }
        if (words.topLevel("where", index) >= 0) {
            return "an index of a part of the rows";
        }
        int open = words.firstOpen(index);
        return open >= 0 && words.firstOpen(open + 1) >= 0 ? "an index of an expression" : null;
    }
}
