package io.nightjar.jobs.mock.mysql;

import io.nightjar.jobs.mock.MockException;
import io.nightjar.jobs.mock.wire.StatementWords;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Rewriter of MySQL statements that create and alter tables for H2. */
final class MysqlDdlRewriter {

    /*
     * Types keep MySQL's semantics: text compares without regard to case, unsigned integers use a type that is large
     * enough, and times have no fractions. Index names are unique within a MySQL table but within the whole schema in
     * H2, so the table's name is prefixed.
     */

    /** Separator of table name and index name, which makes the index name unique among all. */
    static final String INDEX_OF = "$";

    private static final Map<String, String> TYPES = Map.ofEntries(
            Map.entry("bool", "tinyint"),
            Map.entry("boolean", "tinyint"),
            Map.entry("tinyint", "tinyint"),
            Map.entry("smallint", "smallint"),
            Map.entry("mediumint", "int"),
            Map.entry("int", "int"),
            Map.entry("integer", "int"),
            Map.entry("bigint", "bigint"),
            Map.entry("serial", "bigint not null auto_increment unique"),
            Map.entry("float", "real"),
            Map.entry("double", "double precision"),
            Map.entry("real", "double precision"),
            Map.entry("year", "smallint"),
            Map.entry("date", "date"),
            Map.entry("tinytext", "varchar_ignorecase"),
            Map.entry("text", "varchar_ignorecase"),
            Map.entry("mediumtext", "varchar_ignorecase"),
            Map.entry("longtext", "varchar_ignorecase"),
            Map.entry("tinyblob", "varbinary"),
            Map.entry("blob", "varbinary"),
            Map.entry("mediumblob", "varbinary"),
            Map.entry("longblob", "varbinary"),
            Map.entry("json", "varchar"));

    private static final Map<String, String> WITH_LENGTH = Map.of(
            "char", "varchar_ignorecase",
            "nchar", "varchar_ignorecase",
            "varchar", "varchar_ignorecase",
            "nvarchar", "varchar_ignorecase",
            "binary", "varbinary",
            "varbinary", "varbinary",
            "decimal", "numeric",
            "dec", "numeric",
            "numeric", "numeric",
            "fixed", "numeric");

    private static final Map<String, String> WIDER =
            Map.of("tinyint", "smallint", "smallint", "int", "int", "bigint", "bigint", "numeric(20, 0)");

    private static final Set<String> TIMES = Set.of("datetime", "timestamp", "time");

    private final StatementWords words;
    private final MysqlRewriter spelling;

    MysqlDdlRewriter(StatementWords words, MysqlRewriter spelling) {
        this.words = words;
        this.spelling = spelling;
    }

    // ---------------------------------------------------------------- statements

    /** Rewrites CREATE TABLE; storage options after the definitions have no effect. */
    String create() {
        int table = words.topLevel("table", 1) + 1;
        int name = words.has(table, "if", "not", "exists") ? table + 3 : table;
        int open = words.endOfName(name);
        if (words.has(open, "like") || !words.has(open, "(") || words.has(open + 1, "like")) {
            throw MockException.unsupported(
                    words.has(open, "like") ? "CREATE TABLE … LIKE" : "CREATE TABLE without columns");
        }
        int close = words.endOfGroup(open) - 1;
        String columnName = words.name(open - 1);
        List<String> definitions = new ArrayList<>();
        for (int[] item : words.items(open + 1, close)) {
            String definition = definition(columnName, item[0], item[1]);
            if (definition != null) {
                definitions.add(definition);
            }
        }
        int increment = words.topLevel("auto_increment", close);
        String after = increment < 0
                ? ""
                : " auto_increment = "
                        + words.get(
                                        words.size() > increment + 1 && words.has(increment + 1, "=")
                                                ? increment + 2
                                                : increment + 1)
                                .text();
        if (words.topLevel("select", close) >= 0) {
            throw MockException.unsupported("CREATE TABLE … SELECT with columns");
        }
        String start = words.has(1, "temporary")
                ? "create local temporary " + spelling.plain(2, open)
                : spelling.plain(0, open);
        return start + "(" + String.join(", ", definitions) + ")" + after;
    }

    /** Rewrites ALTER TABLE, with one statement per change. */
    String alter() {
        int name = words.has(2, "if", "exists") ? 4 : 2;
        int act = words.endOfName(name);
        List<String> changes = new ArrayList<>();
        for (int[] item : words.items(act, words.size())) {
            changes.add(change(name, act, item[0], item[1]));
        }
        return String.join("; ", changes);
    }

    /**
     * Rewrites one change of an ALTER TABLE.
     *
     * @param name position of the table's name
     * @param nameEnd position after the name
     */
    private String change(int name, int nameEnd, int act, int end) {
        String table = words.name(nameEnd - 1);
        String start = spelling.plain(0, nameEnd) + " ";
        int what = words.has(act + 1, "column") ? act + 2 : act + 1;
        if (words.has(act, "add") && isIndex(what)) {
            return indexOf(table, spelling.plain(name, nameEnd), what, end);
        }
        if (words.has(act, "add")) {
            return start + "add " + definition(table, what, end);
        }
        if (words.has(act, "drop") && words.hasAny(act + 1, "index", "key")) {
            return "drop index " + indexName(table, words.name(act + 2));
        }
        if (words.has(act, "drop", "foreign", "key")) {
            return start + "drop constraint " + spelling.plain(act + 3, end);
        }
        if (words.has(act, "modify")) {
            return start + "alter column " + column(what, end);
        }
        if (words.has(act, "change")) {
            String rename = words.name(what).equals(words.name(what + 1))
                    ? ""
                    : start + "alter column " + spelling.plain(what, what + 1) + " rename to "
                            + spelling.plain(what + 1, what + 2) + "; ";
            return rename + start + "alter column " + column(what + 1, end);
        }
        if (words.hasAny(act, "engine", "default", "auto_increment", "comment", "convert", "row_format", "charset")) {
            throw MockException.unsupported("ALTER TABLE … " + words.text(act).toUpperCase(Locale.ROOT));
        }
        return start + spelling.plain(act, end);
    }

    /** Rewrites CREATE INDEX. */
    String createIndex() {
        int name = words.topLevel("index", 1) + 1;
        int on = words.topLevel("on", name);
        if (on < 0) {
            throw MockException.syntaxError("syntax error at end of input, ON is missing");
        }
        int open = words.endOfName(on + 1);
        String unique = words.has(1, "unique") ? "unique " : "";
        return "create " + unique + "index " + indexName(words.name(open - 1), words.name(name)) + " on "
                + spelling.plain(on + 1, open) + columns(open);
    }

    /** Rewrites DROP INDEX. */
    String dropIndex() {
        int on = words.topLevel("on", 2);
        if (on < 0) {
            throw MockException.syntaxError("syntax error at end of input, ON is missing");
        }
        return "drop index " + indexName(words.name(words.endOfName(on + 1) - 1), words.name(2));
    }

    private static String indexName(String table, String name) {
        return '"' + table + INDEX_OF + name + '"';
    }

    // ---------------------------------------------------------------- definitions

    private boolean isIndex(int position) {
        return words.hasAny(position, "key", "index") || words.has(position, "unique");
    }

    /** Rewrites a column or constraint; null if it has no effect here. */
    private @Nullable String definition(String table, int from, int to) {
        if (words.hasAny(from, "fulltext", "spatial")) {
            return null;
        }
        if (isIndex(from)) {
            boolean isUnique = words.has(from, "unique");
            int name = isUnique && words.hasAny(from + 1, "key", "index") ? from + 2 : from + 1;
            int open = nextOpen(name, to);
            boolean isNamed = open > name && words.isName(name) && !words.has(name, "using");
            String indexName = isNamed ? words.name(name) : words.name(open + 1);
            return (isUnique ? "constraint " : "index ")
                    + indexName(table, indexName)
                    + (isUnique ? " unique" : "")
                    + columns(open);
        }
        if (words.has(from, "primary", "key")) {
            return "primary key" + columns(nextOpen(from, to));
        }
        if (words.has(from, "foreign", "key")) {
            int open = nextOpen(from, to);
            return "foreign key" + columns(open) + " " + spelling.plain(words.endOfGroup(open), to);
        }
        if (words.has(from, "constraint")) {
            boolean isNamed = !words.hasAny(from + 1, "primary", "unique", "foreign", "check");
            int what = isNamed ? from + 2 : from + 1;
            String rest = words.has(what, "check") ? spelling.plain(what, to) : definition(table, what, to);
            boolean isPlain = isNamed && !words.has(what, "unique") && !words.has(what, "primary");
            return isPlain ? "constraint " + spelling.plain(from + 1, what) + " " + rest : rest;
        }
        if (words.has(from, "check")) {
            return spelling.plain(from, to);
        }
        return column(from, to);
    }

    private String indexOf(String table, String written, int from, int to) {
        boolean isUnique = words.has(from, "unique");
        int name = isUnique && words.hasAny(from + 1, "key", "index") ? from + 2 : from + 1;
        int open = nextOpen(name, to);
        String indexName = open > name ? words.name(name) : words.name(open + 1);
        return "create " + (isUnique ? "unique " : "") + "index " + indexName(table, indexName) + " on " + written
                + columns(open);
    }

    private int nextOpen(int from, int to) {
        int open = words.firstOpen(from);
        if (open < 0 || open >= to) {
            throw MockException.syntaxError("syntax error: columns are missing in parentheses");
        }
        return open;
    }

    /** Returns columns in parentheses, without prefix lengths. */
    private String columns(int open) {
        StringBuilder columns = new StringBuilder("(");
        int close = words.endOfGroup(open) - 1;
        for (int position = open + 1; position < close; position = words.endOfGroup(position)) {
            if (!words.has(position, "(")) {
                columns.append(words.has(position, ",") ? ", " : spelling.plain(position, position + 1));
                columns.append(words.hasAny(position + 1, "asc", "desc") ? " " : "");
            }
        }
        return columns.append(')').toString();
    }

    private String column(int from, int to) {
        StringBuilder column = new StringBuilder(spelling.plain(from, from + 1));
        int type = from + 1;
        int after = type < to && words.has(type + 1, "(") ? words.endOfGroup(type + 1) : type + 1;
        after = words.has(type, "double", "precision") ? type + 2 : after;
        boolean isUnsigned = false;
        boolean hasCase = false;
        StringBuilder attributes = new StringBuilder();
        for (int position = after; position < to; ) {
            if (words.hasAny(position, "unsigned", "signed", "zerofill")) {
                isUnsigned |= !words.has(position, "signed");
                position++;
            } else if (words.has(position, "character", "set")
                    || words.hasAny(position, "charset", "collate", "binary")) {
                int name = words.has(position, "character") ? position + 2 : position + 1;
                hasCase |= words.has(position, "binary") || words.text(name).endsWith("bin");
                position = words.has(position, "binary") ? position + 1 : name + 1;
            } else if (words.hasAny(position, "first", "visible", "virtual", "stored")) {
                position++;
            } else if (words.has(position, "on", "update") && words.hasAny(position + 2, "current_timestamp", "now")) {
                position = words.has(position + 3, "(") ? words.endOfGroup(position + 3) : position + 3;
                attributes.append(" on update localtimestamp(0)");
            } else if (words.has(position, "key") && !words.hasAny(position - 1, "primary", "unique")) {
                attributes.append(" primary key");
                position++;
            } else if (words.has(position, "unique", "key")) {
                attributes.append(" unique");
                position += 2;
            } else {
                int next = words.endOfGroup(position);
                while (next < to && !isSpecial(next)) {
                    next = words.endOfGroup(next);
                }
                attributes.append(' ').append(spelling.plain(position, next));
                position = next;
            }
        }
        return column.append(' ')
                .append(type(type, after, isUnsigned, hasCase))
                .append(attributes)
                .toString();
    }

    /** Returns whether the next words need special treatment for H2. */
    private boolean isSpecial(int position) {
        return words.hasAny(
                        position, "unsigned", "signed", "zerofill", "charset", "collate", "binary", "first", "visible")
                || words.hasAny(position, "virtual", "stored", "character", "on", "unique")
                || words.has(position, "key") && !words.has(position - 1, "primary");
    }

    private String type(int position, int after, boolean isUnsigned, boolean hasCase) {
        String name = words.name(position);
        String arguments = words.has(position + 1, "(") ? words.written(position + 1, after) : "";
        if (name.equals("enum")) {
            return "enum" + spelling.plain(position + 1, after);
        }
        if (name.equals("bit")) {
            if (!arguments.isEmpty() && !arguments.equals("(1)")) {
                throw MockException.unsupported("BIT of several bits");
            }
            return "boolean";
        }
        if (TIMES.contains(name)) {
            return (name.equals("time") ? "time" : "timestamp") + (arguments.isEmpty() ? "(0)" : arguments);
        }
        String known = TYPES.get(name);
        if (known != null) {
            return isUnsigned ? WIDER.getOrDefault(known, known) : cased(known, hasCase);
        }
        String sized = WITH_LENGTH.get(name);
        if (sized == null) {
            throw MockException.unsupported("the type " + name);
        }
        boolean isNumber = sized.equals("numeric");
        return cased(sized, hasCase) + (arguments.isEmpty() ? isNumber ? "(10, 0)" : "(1)" : arguments);
    }

    private static String cased(String type, boolean hasCase) {
        return hasCase && type.equals("varchar_ignorecase") ? "varchar" : type;
    }
}
