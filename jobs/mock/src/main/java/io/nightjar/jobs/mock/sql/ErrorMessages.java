package io.nightjar.jobs.mock.sql;

import io.nightjar.jobs.mock.MockException;
import io.nightjar.jobs.mock.MockException.Violation;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.h2.api.ErrorCode;
import org.h2.index.Index;
import org.h2.message.DbException;
import org.jspecify.annotations.Nullable;

/**
 * Translates H2's error messages into PostgreSQL's or MySQL's, since applications match these texts.
 *
 * @param table the table that the statement changes, null if unknown
 * @param database the client's name of the database
 */
record ErrorMessages(
        DbException failure, String message, EngineDialect dialect, @Nullable String table, String database) {

    /** Pattern of an H2 message with its PostgreSQL and MySQL texts; null to keep H2's. */
    private record Phrase(Pattern pattern, @Nullable String postgres, @Nullable String mysql) {

        static Phrase of(String message, @Nullable String postgres, @Nullable String mysql) {
            return new Phrase(Pattern.compile(message + ".*", Pattern.DOTALL), postgres, mysql);
        }
    }

    private static Map.Entry<Integer, Phrase> phrase(
            int code, String message, @Nullable String postgres, @Nullable String mysql) {
        return Map.entry(code, Phrase.of(message, postgres, mysql));
    }

    private static final Phrase NO_TABLE =
            Phrase.of("Table \"(.+?)\" not found", "relation \"$1\" does not exist", "Table '@.$1' doesn't exist");

    private static final Phrase TOO_LARGE = Phrase.of(
            "Numeric value out of range: .* in column \"\"?(\\w+).*",
            null,
            "Out of range value for column '$1' at row 1");

    private static final Map<Integer, Phrase> PHRASES = Map.ofEntries(
            Map.entry(ErrorCode.TABLE_OR_VIEW_NOT_FOUND_1, NO_TABLE),
            Map.entry(ErrorCode.TABLE_OR_VIEW_NOT_FOUND_WITH_CANDIDATES_2, NO_TABLE),
            Map.entry(ErrorCode.TABLE_OR_VIEW_NOT_FOUND_DATABASE_EMPTY_1, NO_TABLE),
            phrase(
                    ErrorCode.TABLE_OR_VIEW_ALREADY_EXISTS_1,
                    "Table \"(.+?)\" already exists",
                    "relation \"$1\" already exists",
                    "Table '$1' already exists"),
            phrase(
                    ErrorCode.VIEW_NOT_FOUND_1,
                    "View \"(.+?)\" not found",
                    "view \"$1\" does not exist",
                    "Unknown table '@.$1'"),
            phrase(
                    ErrorCode.COLUMN_NOT_FOUND_1,
                    "Column \"(.+?)\" not found",
                    "column \"$1\" does not exist",
                    "Unknown column '$1' in 'field list'"),
            phrase(
                    ErrorCode.DUPLICATE_COLUMN_NAME_1,
                    "Duplicate column name \"(.+?)\"",
                    "column \"$1\" specified more than once",
                    "Duplicate column name '$1'"),
            phrase(
                    ErrorCode.AMBIGUOUS_COLUMN_NAME_1,
                    "Ambiguous column name \"(.+?)\"",
                    "column reference \"$1\" is ambiguous",
                    "Column '$1' in field list is ambiguous"),
            phrase(
                    ErrorCode.MUST_GROUP_BY_COLUMN_1,
                    "Column \"(.+?)\" must be in the GROUP BY list",
                    "column \"$1\" must appear in the GROUP BY clause or be used in an aggregate function",
                    "'$1' isn't in GROUP BY"),
            phrase(
                    ErrorCode.COLUMN_COUNT_DOES_NOT_MATCH,
                    "Column count does not match",
                    "INSERT has more expressions than target columns",
                    "Column count doesn't match value count at row 1"),
            phrase(
                    ErrorCode.INDEX_ALREADY_EXISTS_1,
                    "Index \"(?:[^\"]*\\$)?(.+?)\" already exists",
                    "relation \"$1\" already exists",
                    "Duplicate key name '$1'"),
            phrase(
                    ErrorCode.INDEX_NOT_FOUND_1,
                    "Index \"(?:[^\"]*\\$)?(.+?)\" not found",
                    "index \"$1\" does not exist",
                    "Can't DROP '$1'; check that column/key exists"),
            phrase(
                    ErrorCode.CONSTRAINT_ALREADY_EXISTS_1,
                    "Constraint \"(?:[^\"]*\\$)?(.+?)\" already exists",
                    "constraint \"$1\" already exists",
                    "Duplicate key name '$1'"),
            phrase(
                    ErrorCode.CONSTRAINT_NOT_FOUND_1,
                    "Constraint \"(?:[^\"]*\\$)?(.+?)\" not found",
                    "constraint \"$1\" does not exist",
                    "Constraint '$1' does not exist."),
            phrase(
                    ErrorCode.TYPES_ARE_NOT_COMPARABLE_2,
                    "Values of types \"(.+?)\" and \"(.+?)\" are not comparable",
                    "operator does not exist: $1 = $2",
                    "comparing $1 with $2 is not supported by this server"),
            phrase(
                    ErrorCode.FUNCTION_NOT_FOUND_1,
                    "Function \"(.+?)\" not found",
                    "function $1 does not exist",
                    "FUNCTION @.$1 does not exist"),
            phrase(
                    ErrorCode.SCHEMA_NOT_FOUND_1,
                    "Schema \"(.+?)\" not found",
                    "schema \"$1\" does not exist",
                    "Unknown database '$1'"),
            phrase(
                    ErrorCode.SCHEMA_ALREADY_EXISTS_1,
                    "Schema \"(.+?)\" already exists",
                    "schema \"$1\" already exists",
                    "Can't create database '$1'; database exists"),
            phrase(
                    ErrorCode.SEQUENCE_ALREADY_EXISTS_1,
                    "Sequence \"(.+?)\" already exists",
                    "relation \"$1\" already exists",
                    "Table '$1' already exists"),
            phrase(
                    ErrorCode.SEQUENCE_NOT_FOUND_1,
                    "Sequence \"(.+?)\" not found",
                    "relation \"$1\" does not exist",
                    "Unknown SEQUENCE: '@.$1'"),
            phrase(
                    ErrorCode.CURRENT_SEQUENCE_VALUE_IS_NOT_DEFINED_IN_SESSION_1,
                    "Current value of sequence \"(?:\\w+\\.)?(.+?)\" is not defined",
                    "currval of sequence \"$1\" is not yet defined in this session",
                    null),
            phrase(
                    ErrorCode.CANNOT_TRUNCATE_1,
                    "Cannot truncate",
                    "cannot truncate a table referenced in a foreign key constraint",
                    "Cannot truncate a table referenced in a foreign key constraint"),
            phrase(ErrorCode.DIVISION_BY_ZERO_1, "Division by zero", "division by zero", "Division by 0"),
            phrase(
                    ErrorCode.VALUE_TOO_LONG_2,
                    "Value too long for column \"\"?\"?(\\w+)\"?\"? ([\\w ]+\\(\\d+\\))",
                    "value too long for type $2",
                    "Data too long for column '$1' at row 1"),
            Map.entry(ErrorCode.NUMERIC_VALUE_OUT_OF_RANGE_2, TOO_LARGE),
            phrase(
                    ErrorCode.DATA_CONVERSION_ERROR_1,
                    "Data conversion error converting \"'?(.*?)'?\"",
                    "invalid input syntax: \"$1\"",
                    "Incorrect value: '$1'"));

    private static final String DUPLICATE_OBJECT = "42710";
    private static final String NO_INDEX = "42S12";
    private static final String OTHER_COUNT = "21S01";
    private static final String REFERENCED = "2BP00";

    private static final Pattern NEEDED = Pattern.compile("Cannot drop \"(.+?)\" because \"(.+?)[,\"].*");

    /** A foreign key in H2's message: its name, its table and columns, the referenced ones, and the values. */
    private static final Pattern FOREIGN_KEY = Pattern.compile(
            "\"(?:\"\")?(.+?)(?:\"\")?: (?:\\w+\\.)?(.+?) FOREIGN KEY\\((.+?)\\) REFERENCES (?:\\w+\\.)?(.+?)\\((.+?)\\) \\((.*)\\)\"");

    private static final Pattern QUOTED = Pattern.compile("\"(?:\"\")?([^\":]+)");

    private static final Pattern CONVERSION = Pattern.compile(
            "Data conversion error converting \"'(.*)' \\(\\w+: \"\"(\\w+)\"\" ([A-Z ]+?)(?:\\(.*)?(?: NOT NULL)?\\)\"");

    /** Returns the failure with PostgreSQL's message and SQLSTATE. */
    MockException translated(String state) {
        return switch (failure.getErrorCode()) {
            case ErrorCode.DUPLICATE_KEY_1 -> duplicate(state);
            case ErrorCode.REFERENTIAL_INTEGRITY_VIOLATED_PARENT_MISSING_1 -> foreignKey(state, false);
            case ErrorCode.REFERENTIAL_INTEGRITY_VIOLATED_CHILD_EXISTS_1 -> foreignKey(state, true);
            case ErrorCode.CHECK_CONSTRAINT_VIOLATED_1 -> check(state);
            case ErrorCode.NULL_NOT_ALLOWED -> isNull(state);
            case ErrorCode.DATA_CONVERSION_ERROR_1 -> conversion(state);
            case ErrorCode.CANNOT_DROP_2 -> isNeeded(state);
            case ErrorCode.INDEX_ALREADY_EXISTS_1 -> new MockException(isMysql() ? DUPLICATE_OBJECT : state, phrase());
            case ErrorCode.TYPES_ARE_NOT_COMPARABLE_2 ->
                new MockException(isMysql() ? MockException.NOT_SUPPORTED : state, phrase());
            case ErrorCode.COLUMN_COUNT_DOES_NOT_MATCH -> new MockException(isMysql() ? OTHER_COUNT : state, phrase());
            case ErrorCode.CANNOT_TRUNCATE_1 -> new MockException(isMysql() ? REFERENCED : state, phrase());
            case ErrorCode.INDEX_NOT_FOUND_1 -> new MockException(isMysql() ? NO_INDEX : state, phrase());
            default -> new MockException(state, phrase());
        };
    }

    private boolean isMysql() {
        return dialect == EngineDialect.MYSQL;
    }

    private String phrase() {
        Phrase phrase = PHRASES.get(failure.getErrorCode());
        String words = phrase == null ? null : isMysql() ? phrase.mysql() : phrase.postgres();
        if (phrase == null || words == null) {
            return message;
        }
        Matcher matcher = phrase.pattern().matcher(message);
        if (!matcher.matches()) {
            return message;
        }
        String text = matcher.replaceFirst(words.replace("@", Matcher.quoteReplacement(database)));
        boolean isInCapitals = failure.getErrorCode() == ErrorCode.VALUE_TOO_LONG_2
                || failure.getErrorCode() == ErrorCode.SEQUENCE_NOT_FOUND_1;
        return isInCapitals && !isMysql() ? text.toLowerCase(Locale.ROOT) : text;
    }

    private MockException duplicate(String state) {
        if (!(failure.getSource() instanceof MockIndex index)) {
            return new MockException(state, message);
        }
        String values = index.lastDuplicate();
        String of = index.getTable().getName();
        if (isMysql()) {
            String name = index.getIndexType().isPrimaryKey() ? "PRIMARY" : ofTable(index.getName());
            return new MockException(
                    state, "Duplicate entry '" + values.replace(", ", "-") + "' for key '" + of + "." + name + "'");
        }
        return new MockException(
                state,
                "duplicate key value violates unique constraint \"" + ofTable(index.getName()) + '"',
                new Violation(
                        ofTable(index.getName()),
                        of,
                        null,
                        "Key (" + columnsOf(index) + ")=(" + values + ") already exists.",
                        false));
    }

    private static String columnsOf(Index index) {
        StringBuilder names = new StringBuilder();
        for (int i = 0; i < index.getColumns().length; i++) {
            names.append(i == 0 ? "" : ", ").append(index.getColumns()[i].getName());
        }
        return names.toString();
    }

    /** Returns a constraint or index name without its table prefix. */
    private static String ofTable(String name) {
        return name.substring(name.indexOf('$') + 1);
    }

    private MockException foreignKey(String state, boolean isOfParent) {
        Matcher key = FOREIGN_KEY.matcher(message);
        if (!key.find()) {
            return new MockException(state, message);
        }
        String name = key.group(1);
        String child = plain(key.group(2));
        String columns = plain(key.group(3));
        String parent = plain(key.group(4));
        String referenced = plain(key.group(5));
        if (isMysql()) {
            String what = isOfParent ? "Cannot delete or update a parent row" : "Cannot add or update a child row";
            return new MockException(
                    state,
                    what + ": a foreign key constraint fails (`" + database + "`.`" + child + "`, CONSTRAINT `" + name
                            + "` FOREIGN KEY (`" + columns.replace(", ", "`, `") + "`) REFERENCES `" + parent + "` (`"
                            + referenced.replace(", ", "`, `") + "`))",
                    new Violation(name, child, null, null, isOfParent));
        }
        String detail = isOfParent
                ? "Key (" + referenced + ")=(" + key.group(6) + ") is still referenced from table \"" + child + "\"."
                : "Key (" + columns + ")=(" + key.group(6) + ") is not present in table \"" + parent + "\".";
        return new MockException(
                state,
                isOfParent
                        ? "update or delete on table \"" + parent + "\" violates foreign key constraint \"" + name
                                + "\" on table \"" + child + '"'
                        : "insert or update on table \"" + child + "\" violates foreign key constraint \"" + name + '"',
                new Violation(name, child, null, detail, isOfParent));
    }

    private static String plain(String names) {
        return names.replace("\"", "");
    }

    private MockException check(String state) {
        Matcher matcher = QUOTED.matcher(message);
        if (!matcher.find()) {
            return new MockException(state, message);
        }
        String name = plain(matcher.group(1));
        return new MockException(
                state,
                isMysql()
                        ? "Check constraint '" + name + "' is violated."
                        : table == null
                                ? "check constraint \"" + name + "\" is violated by some row"
                                : "new row for relation \"" + table + "\" violates check constraint \"" + name + '"',
                new Violation(name, table, null, null, false));
    }

    private MockException isNull(String state) {
        Matcher matcher = QUOTED.matcher(message);
        if (!matcher.find()) {
            return new MockException(state, message);
        }
        String column = plain(matcher.group(1));
        return new MockException(
                state,
                isMysql()
                        ? "Column '" + column + "' cannot be null"
                        : "null value in column \"" + column + '"'
                                + (table == null ? "" : " of relation \"" + table + '"')
                                + " violates not-null constraint",
                new Violation(null, table, column, null, false));
    }

    private MockException isNeeded(String state) {
        Matcher matcher = NEEDED.matcher(message);
        if (!matcher.find()) {
            return new MockException(state, message);
        }
        return new MockException(
                state,
                isMysql()
                        ? "Cannot drop table '" + matcher.group(1) + "' referenced by a foreign key constraint '"
                                + matcher.group(2) + "'."
                        : "cannot drop table " + matcher.group(1) + " because other objects depend on it");
    }

    private MockException conversion(String state) {
        Matcher column = CONVERSION.matcher(message);
        if (!column.find()) {
            return new MockException(state, phrase());
        }
        String type = column.group(3).toLowerCase(Locale.ROOT);
        return new MockException(
                state,
                isMysql()
                        ? "Incorrect " + type + " value: '" + column.group(1) + "' for column '" + column.group(2)
                                + "' at row 1"
                        : "invalid input syntax for type " + type + ": \"" + column.group(1) + '"');
    }
}
