package io.nightjar.jobs.mock.mysql;

import io.nightjar.jobs.SqlWords;
import io.nightjar.jobs.SqlWords.Kind;
import io.nightjar.jobs.mock.MockException;
import io.nightjar.jobs.mock.mysql.MysqlStatement.Action;
import io.nightjar.jobs.mock.sql.StatementEffects;
import io.nightjar.jobs.mock.wire.StatementWords;
import java.util.List;
import java.util.Locale;

/** Rewrites SHOW and DESCRIBE to queries of the catalog tables. */
final class MysqlShow {

    private static final String ALL = "%";

    private final StatementWords words;
    private final MysqlVariables variables;

    MysqlShow(StatementWords words, MysqlVariables variables) {
        this.words = words;
        this.variables = variables;
    }

    MysqlStatement show() {
        int what = words.hasAny(1, "full", "session", "global", "extended") ? 2 : 1;
        boolean isFull = words.has(1, "full");
        String name = words.name(what);
        return switch (name) {
            case "tables" -> tables(isFull);
            case "columns", "fields" -> columns(fromPosition(what) + 1, isFull);
            case "index", "indexes", "keys" -> indexes(fromPosition(what) + 1);
            case "databases", "schemas" ->
                query(
                        "SELECT schema_name FROM " + MysqlRewriter.CATALOGUE + ".schemata WHERE schema_name LIKE "
                                + pattern() + " ORDER BY 1",
                        List.of("Database"));
            case "variables" -> MysqlStatement.named(Action.SHOW_VARIABLES, "variables", variable());
            case "table" -> tableStatus(what);
            case "create" -> createTable(what);
            case "status" -> empty("Variable_name", "Value");
            case "warnings", "errors" -> empty("Level", "Code", "Message");
            case "engines" -> empty("Engine", "Support", "Comment", "Transactions", "XA", "Savepoints");
            case "processlist" -> empty("Id", "User", "Host", "db", "Command", "Time", "State", "Info");
            case "collation" -> empty("Collation", "Charset", "Id", "Default", "Compiled", "Sortlen");
            case "character", "charset" -> empty("Charset", "Description", "Default collation", "Maxlen");
            case "procedure", "function" -> empty("Db", "Name", "Type", "Definer", "Modified", "Created", "Comment");
            case "grants" -> empty("Grants");
            case "plugins" -> empty("Name", "Status", "Type", "Library", "License");
            case "privileges" -> empty("Privilege", "Context", "Comment");
            case "triggers" -> empty("Trigger", "Event", "Table", "Statement", "Timing", "Created");
            case "events" -> empty("Db", "Name", "Definer", "Type", "Status");
            default -> throw MockException.unsupported("SHOW " + name.toUpperCase(Locale.ROOT));
        };
    }

    private MysqlStatement empty(String... labels) {
        return MysqlStatement.of(Action.SHOW_EMPTY).withLabels(List.of(labels));
    }

    private MysqlStatement query(String sql, List<String> labels) {
        return MysqlStatement.sql(sql, StatementEffects.OTHER)
                .withLabels(labels)
                .fleeting();
    }

    private static List<String> labels(String words) {
        return List.of(SqlWords.list(words));
    }

    private int fromPosition(int after) {
        for (int position = after + 1; position < words.size(); position++) {
            if (words.hasAny(position, "from", "in")) {
                return position;
            }
        }
        throw MockException.syntaxError("syntax error at end of input, FROM is missing");
    }

    private String pattern() {
        int like = words.topLevel("like", 1);
        if (words.topLevel("where", 1) >= 0) {
            throw MockException.notSupported("SHOW … WHERE is not supported by this server; write LIKE");
        }
        return MysqlRewriter.quoted(like < 0 ? ALL : MysqlRewriter.unquoted(words.text(like + 1)));
    }

    /** Returns the requested variable, or pattern of variables. */
    private String variable() {
        int like = words.topLevel("like", 1);
        if (like > 0) {
            return MysqlRewriter.unquoted(words.text(like + 1));
        }
        // returns all variables for WHERE Variable_name = 'a' OR …, which drivers send
        return ALL;
    }

    /** Returns the requested database, named after the second FROM or before the table's name. */
    private String databaseOf(int table) {
        int end = words.endOfName(table);
        if (end > table + 1) {
            return words.name(table);
        }
        return words.hasAny(end, "from", "in") ? words.name(end + 1) : variables.database();
    }

    private MysqlStatement tables(boolean isFull) {
        boolean isOther = words.topLevel("from", 1) > 0 || words.topLevel("in", 1) > 0;
        String database = isOther ? words.name(fromPosition(1) + 1) : variables.database();
        String type = isFull ? ", table_type" : "";
        String first = "Tables_in_" + database;
        return query(
                "SELECT table_name" + type + " FROM " + MysqlRewriter.CATALOGUE + ".tables WHERE table_schema = "
                        + MysqlRewriter.quoted(database) + " AND table_name LIKE " + pattern() + " ORDER BY 1",
                isFull ? List.of(first, "Table_type") : List.of(first));
    }

    private MysqlStatement tableStatus(int what) {
        if (!words.has(what + 1, "status")) {
            throw MockException.syntaxError("syntax error in SHOW TABLE: STATUS is missing");
        }
        return query(
                "SELECT table_name, engine, version, row_format, table_rows, data_length, auto_increment, create_time,"
                        + " table_collation, table_comment FROM " + MysqlRewriter.CATALOGUE
                        + ".tables WHERE table_schema = " + MysqlRewriter.quoted(variables.database())
                        + " AND table_name LIKE " + pattern() + " ORDER BY 1",
                labels("Name Engine Version Row_format Rows Data_length Auto_increment Create_time "
                        + "Collation Comment"));
    }

    /** Returns a query that assembles the CREATE TABLE statement of a table from the catalog tables. */
    private MysqlStatement createTable(int what) {
        if (!words.has(what + 1, "table")) {
            throw MockException.notSupported(
                    "SHOW CREATE " + words.name(what + 1).toUpperCase(Locale.ROOT)
                            + " is not supported by this server; use SHOW CREATE TABLE");
        }
        int table = what + 2;
        String name = words.name(words.endOfName(table) - 1);
        String all = MysqlRewriter.CATALOGUE + ".";
        String of = "table_schema = " + MysqlRewriter.quoted(databaseOf(table)) + " AND table_name = "
                + MysqlRewriter.quoted(name);
        String columns = "(SELECT LISTAGG('  `' || column_name || '` ' || column_type"
                + " || CASE WHEN is_nullable = 'NO' THEN ' NOT NULL' ELSE '' END"
                + " || CASE WHEN extra = 'auto_increment' THEN ' AUTO_INCREMENT' WHEN column_default IS NULL"
                + " THEN CASE WHEN is_nullable = 'NO' THEN '' ELSE ' DEFAULT NULL' END"
                + " WHEN extra = 'DEFAULT_GENERATED' THEN ' DEFAULT CURRENT_TIMESTAMP' ELSE ' DEFAULT ' || CHAR(39)"
                + " || column_default || CHAR(39) END, ',' || CHAR(10))"
                + " WITHIN GROUP (ORDER BY ordinal_position) FROM " + all + "columns WHERE " + of + ")";
        String keys =
                "(SELECT LISTAGG(',' || CHAR(10) || '  ' || k.line, '') WITHIN GROUP (ORDER BY k.place, k.index_name)"
                        + " FROM (SELECT index_name, CASE WHEN index_name = 'PRIMARY' THEN 0 ELSE 1 + MIN(non_unique) END AS place,"
                        + " CASE WHEN index_name = 'PRIMARY' THEN 'PRIMARY KEY (' WHEN MIN(non_unique) = 0 THEN 'UNIQUE KEY `'"
                        + " || index_name || '` (' ELSE 'KEY `' || index_name || '` (' END || LISTAGG('`' || column_name || '`', ',')"
                        + " WITHIN GROUP (ORDER BY seq_in_index) || ')' AS line FROM " + all + "statistics WHERE " + of
                        + " GROUP BY index_name) k)";
        String references = "(SELECT LISTAGG(',' || CHAR(10) || '  ' || f.line, '') WITHIN GROUP (ORDER BY f.line)"
                + " FROM (SELECT 'CONSTRAINT `' || constraint_name || '` FOREIGN KEY (' || LISTAGG('`' || column_name || '`', ',')"
                + " WITHIN GROUP (ORDER BY ordinal_position) || ') REFERENCES `' || MIN(referenced_table_name) || '` ('"
                + " || LISTAGG('`' || referenced_column_name || '`', ',') WITHIN GROUP (ORDER BY ordinal_position) || ')' AS line"
                + " FROM " + all + "key_column_usage WHERE " + of + " AND referenced_table_name IS NOT NULL"
                + " GROUP BY constraint_name) f)";
        return query(
                "SELECT table_name, 'CREATE TABLE `' || table_name || '` (' || CHAR(10) || " + columns + " || COALESCE("
                        + keys + ", '') || COALESCE(" + references + ", '') || CHAR(10)"
                        + " || ') ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci' FROM " + all
                        + "tables WHERE " + of,
                List.of("Table", "Create Table"));
    }

    /**
     * Returns a query for the columns of a table.
     *
     * @param table position of its name
     */
    MysqlStatement columns(int table, boolean isFull) {
        String fields = isFull
                ? "column_name, column_type, collation_name, is_nullable, column_key, column_default, extra, privileges,"
                        + " column_comment"
                : "column_name, column_type, is_nullable, column_key, column_default, extra";
        return query(
                "SELECT " + fields + " FROM " + MysqlRewriter.CATALOGUE + ".columns WHERE " + of(table)
                        + (words.topLevel("like", 1) < 0 ? "" : " AND column_name LIKE " + pattern())
                        + " ORDER BY ordinal_position",
                isFull
                        ? labels("Field Type Collation Null Key Default Extra Privileges Comment")
                        : labels("Field Type Null Key Default Extra"));
    }

    private String of(int table) {
        String name = words.name(words.endOfName(table) - 1);
        if (words.kind(table) == Kind.STRING) {
            throw MockException.syntaxError("syntax error: the name of a table is missing");
        }
        return "table_schema = " + MysqlRewriter.quoted(databaseOf(table)) + " AND table_name = "
                + MysqlRewriter.quoted(name);
    }

    private MysqlStatement indexes(int table) {
        return query(
                "SELECT table_name, non_unique, index_name, seq_in_index, column_name, collation, cardinality, sub_part,"
                        + " packed, nullable, index_type, comment, index_comment, is_visible, expression FROM "
                        + MysqlRewriter.CATALOGUE + ".statistics WHERE " + of(table)
                        + " ORDER BY non_unique, index_name, seq_in_index",
                labels("Table Non_unique Key_name Seq_in_index Column_name Collation Cardinality "
                        + "Sub_part Packed Null Index_type Comment Index_comment Visible Expression"));
    }
}
