package io.nightjar.jobs.mock.postgres;

import io.nightjar.jobs.mock.wire.WireSession;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Translator of the catalog queries of PostgreSQL's JDBC driver to H2's information schema. A query is recognized by
 * its select list; its conditions on names are copied.
 */
final class PostgresCatalogue {

    private static final Pattern CONDITION = Pattern.compile(
            "(nspname|relname|attname|COLUMN_NAME)\\s+(LIKE|=)\\s+(\\$\\d+|'(?:[^']|'')*')", Pattern.CASE_INSENSITIVE);

    private static final Pattern PARAMETER = Pattern.compile("\\$(\\d+)");

    static final String TYPE_OF_COLUMN = "CASE UPPER(c.data_type) WHEN 'BOOLEAN' THEN 16 WHEN 'BINARY VARYING' THEN 17"
            + " WHEN 'BINARY LARGE OBJECT' THEN 17 WHEN 'BIGINT' THEN 20 WHEN 'SMALLINT' THEN 21 WHEN 'TINYINT' THEN 21"
            + " WHEN 'INTEGER' THEN 23 WHEN 'REAL' THEN 700 WHEN 'DOUBLE PRECISION' THEN 701 WHEN 'CHARACTER' THEN 1042"
            + " WHEN 'CHARACTER VARYING' THEN CASE WHEN c.character_maximum_length < 1000000000 THEN 1043 ELSE 25 END"
            + " WHEN 'DATE' THEN 1082 WHEN 'TIME' THEN 1083 WHEN 'TIMESTAMP' THEN 1114"
            + " WHEN 'TIMESTAMP WITH TIME ZONE' THEN 1184 WHEN 'TIME WITH TIME ZONE' THEN 1266 WHEN 'NUMERIC' THEN 1700"
            + " WHEN 'DECFLOAT' THEN 1700 WHEN 'UUID' THEN 2950 ELSE 25 END";

    static final String MODIFIER_OF_COLUMN = "CASE WHEN UPPER(c.data_type) IN ('CHARACTER VARYING', 'CHARACTER')"
            + " AND c.character_maximum_length < 1000000000 THEN CAST(c.character_maximum_length + 4 AS INT)"
            + " WHEN UPPER(c.data_type) = 'NUMERIC' AND c.numeric_precision <= 1000"
            + " THEN CAST(c.numeric_precision * 65536 + c.numeric_scale + 4 AS INT) ELSE -1 END";

    private static final String TABLES =
            "SELECT " + WireSession.DATABASE + " AS \"TABLE_CAT\", t.table_schema AS \"TABLE_SCHEM\","
                    + " t.table_name AS \"TABLE_NAME\", CASE t.table_type WHEN 'BASE TABLE' THEN 'TABLE' ELSE t.table_type END"
                    + " AS \"TABLE_TYPE\", t.remarks AS \"REMARKS\", '' AS \"TYPE_CAT\", '' AS \"TYPE_SCHEM\", '' AS \"TYPE_NAME\","
                    + " '' AS \"SELF_REFERENCING_COL_NAME\", '' AS \"REF_GENERATION\" FROM information_schema.tables t"
                    + " WHERE t.table_schema NOT IN ('information_schema', 'pg_catalog')"
                    + " AND t.table_schema" + PostgresViews.OURS;

    private static final String COLUMNS =
            "SELECT " + WireSession.DATABASE + " AS current_database, c.table_schema AS nspname,"
                    + " c.table_name AS relname, c.column_name AS attname, " + TYPE_OF_COLUMN + " AS atttypid,"
                    + " c.is_nullable = 'NO' AS attnotnull, " + MODIFIER_OF_COLUMN + " AS atttypmod, -1 AS attlen,"
                    + " -1 AS typtypmod, c.ordinal_position AS attnum,"
                    + " CASE WHEN c.is_identity = 'YES' THEN 'd' END AS attidentity, CAST(NULL AS VARCHAR) AS attgenerated,"
                    + " CASE WHEN c.is_identity = 'YES' THEN 'nextval(''' || " + PostgresViews.NUMBERING + " || ''')'"
                    + " ELSE c.column_default END AS adsrc, c.remarks AS description, 0 AS typbasetype, 'b' AS typtype"
                    + " FROM information_schema.columns c WHERE c.table_schema NOT IN ('information_schema', 'pg_catalog')"
                    + " AND c.table_schema" + PostgresViews.OURS;

    private static final String PRIMARY_KEYS = "SELECT " + WireSession.DATABASE + " AS \"TABLE_CAT\", k.table_schema AS"
            + " \"TABLE_SCHEM\", k.table_name AS \"TABLE_NAME\", k.column_name AS \"COLUMN_NAME\","
            + " k.ordinal_position AS \"KEY_SEQ\", k.constraint_name AS \"PK_NAME\""
            + " FROM information_schema.key_column_usage k JOIN information_schema.table_constraints t"
            + " ON t.constraint_schema = k.constraint_schema AND t.constraint_name = k.constraint_name"
            + " WHERE t.constraint_type = 'PRIMARY KEY'";

    /** Additional columns that the driver selects for an updatable result. */
    private static final String OF_NO_NULL = ", TRUE AS \"IS_NOT_NULL\" FROM information_schema.key_column_usage";

    /** The columns that identify rows. */
    private static final String KEY_COLUMNS = "SELECT c.column_name AS attname, " + TYPE_OF_COLUMN + " AS atttypid, "
            + MODIFIER_OF_COLUMN + " AS atttypmod FROM information_schema.columns c"
            + " JOIN information_schema.key_column_usage k ON k.table_schema = c.table_schema"
            + " AND k.table_name = c.table_name AND k.column_name = c.column_name"
            + " JOIN information_schema.table_constraints t ON t.constraint_schema = k.constraint_schema"
            + " AND t.constraint_name = k.constraint_name WHERE t.constraint_type = 'PRIMARY KEY'";

    private static final String INDEXES =
            "SELECT " + WireSession.DATABASE + " AS \"TABLE_CAT\", i.table_schema AS \"TABLE_SCHEM\","
                    + " i.table_name AS \"TABLE_NAME\", NOT COALESCE(x.index_type_name IN ('PRIMARY KEY', 'UNIQUE INDEX'), FALSE)"
                    + " AS \"NON_UNIQUE\", CAST(NULL AS VARCHAR) AS \"INDEX_QUALIFIER\", i.index_name AS \"INDEX_NAME\","
                    + " 3 AS \"TYPE\", i.ordinal_position AS \"ORDINAL_POSITION\", i.column_name AS \"COLUMN_NAME\","
                    + " 'A' AS \"ASC_OR_DESC\", 0 AS \"CARDINALITY\", 0 AS \"PAGES\", CAST(NULL AS VARCHAR)"
                    + " AS \"FILTER_CONDITION\", CAST(NULL AS VARCHAR) AS \"REMARKS\" FROM information_schema.index_columns i"
                    + " JOIN information_schema.indexes x ON x.index_schema = i.index_schema AND x.index_name = i.index_name"
                    + " WHERE i.index_name NOT LIKE 'nightjar$%'";

    private static final String FOREIGN_KEYS = "SELECT " + WireSession.DATABASE
            + " AS \"PKTABLE_CAT\", p.table_schema AS"
            + " \"PKTABLE_SCHEM\", p.table_name AS \"PKTABLE_NAME\", p.column_name AS \"PKCOLUMN_NAME\","
            + " " + WireSession.DATABASE + " AS \"FKTABLE_CAT\", f.table_schema AS \"FKTABLE_SCHEM\", f.table_name AS"
            + " \"FKTABLE_NAME\", f.column_name AS \"FKCOLUMN_NAME\", f.ordinal_position AS \"KEY_SEQ\","
            + " CASE r.update_rule WHEN 'CASCADE' THEN 0 WHEN 'SET NULL' THEN 2 WHEN 'SET DEFAULT' THEN 4 WHEN 'RESTRICT'"
            + " THEN 1 ELSE 3 END AS \"UPDATE_RULE\", CASE r.delete_rule WHEN 'CASCADE' THEN 0 WHEN 'SET NULL' THEN 2"
            + " WHEN 'SET DEFAULT' THEN 4 WHEN 'RESTRICT' THEN 1 ELSE 3 END AS \"DELETE_RULE\", f.constraint_name AS"
            + " \"FK_NAME\", p.constraint_name AS \"PK_NAME\", 7 AS \"DEFERRABILITY\""
            + " FROM information_schema.referential_constraints r JOIN information_schema.key_column_usage f"
            + " ON f.constraint_schema = r.constraint_schema AND f.constraint_name = r.constraint_name"
            + " JOIN information_schema.key_column_usage p ON p.constraint_schema = r.unique_constraint_schema"
            + " AND p.constraint_name = r.unique_constraint_name"
            + " AND p.ordinal_position = f.position_in_unique_constraint WHERE TRUE";

    private static final String SCHEMAS = "SELECT schema_name AS \"TABLE_SCHEM\", " + WireSession.DATABASE + " AS"
            + " \"TABLE_CATALOG\" FROM information_schema.schemata s WHERE s.schema_name" + PostgresViews.OURS;

    /** The types of the elements of arrays. */
    private static final String ARRAYS =
            "SELECT CAST(v.oid AS BIGINT) AS oid, 'pg_catalog' AS ns, '_' || v.element AS name, 'b' AS kind,"
                    + " CAST(NULL AS BIGINT) AS basetype, CAST(v.elemtype AS BIGINT) AS elemtype, ',' AS elemdelim,"
                    + " CAST(NULL AS BIGINT) AS range_subtype, CAST(NULL AS VARCHAR) AS attrtypoids, CAST(NULL AS VARCHAR) AS attrnames,"
                    + " 0 AS depth, CAST(NULL AS VARCHAR) AS basetype_name, v.element AS elemtype_name,"
                    + " CAST(NULL AS VARCHAR) AS range_subtype_name FROM (VALUES (1000, 'bool', 16), (1005, 'int2', 21), (1007, 'int4', 23),"
                    + " (1016, 'int8', 20), (1009, 'text', 25), (1015, 'varchar', 1043), (1021, 'float4', 700), (1022, 'float8', 701),"
                    + " (1231, 'numeric', 1700), (2951, 'uuid', 2950)) v(oid, element, elemtype) WHERE v.oid = ANY (?1)";

    private PostgresCatalogue() {}

    /** Returns the query rewritten for H2; null if it is not recognized. */
    static @Nullable String translate(String sql) {
        if (!sql.contains("pg_catalog.")) {
            return null;
        }
        String flat = sql.replaceAll("\\s+", " ");
        String bare = flat.replace("\"", ""); // older drivers do not quote names
        if (bare.contains("AS REF_GENERATION")) {
            return tables(flat);
        }
        if (bare.contains("attidentity") && bare.contains("typtypmod")) {
            return ask(COLUMNS, flat, "c.table_schema", "c.table_name", "c.column_name", "nspname, relname, attnum");
        }
        if (bare.contains("AS PKTABLE_CAT")) {
            return foreignKeys(flat);
        }
        if (bare.contains("AS ORDINAL_POSITION")) {
            String indexes = flat.contains("i.indisunique = true") || flat.contains("AND i.indisunique ")
                    ? INDEXES + " AND x.index_type_name IN ('PRIMARY KEY', 'UNIQUE INDEX')"
                    : INDEXES;
            return ask(indexes, flat, "i.table_schema", "i.table_name", null, "4, 7, 6, 8");
        }
        if (bare.contains("AS PK_NAME")) {
            String keys = bare.contains("IS_NOT_NULL")
                    ? PRIMARY_KEYS.replace(" FROM information_schema.key_column_usage", OF_NO_NULL)
                    : PRIMARY_KEYS;
            return ask(keys, flat, "k.table_schema", "k.table_name", null, "3, 6, 5");
        }
        if (bare.contains("AS keys FROM pg_catalog.pg_index i")) {
            return ask(KEY_COLUMNS, flat, "c.table_schema", "c.table_name", null, "c.ordinal_position");
        }
        if (bare.contains("typeinfo_tree(")) {
            return ARRAYS;
        }
        if (bare.contains("AS TABLE_CATALOG")) {
            return ask(SCHEMAS, flat, "s.schema_name", null, null, "1");
        }
        return null;
    }

    private static String tables(String flat) {
        boolean isFiltered =
                flat.contains("(false ") || flat.contains("OR ( c.relkind") || flat.contains("OR (c.relkind");
        String kinds = "";
        if (isFiltered) {
            boolean wantsTables = flat.contains("c.relkind IN ('r','p')") || flat.contains("c.relkind = 'r' AND");
            boolean wantsViews = flat.contains("c.relkind = 'v' AND");
            kinds = " AND t.table_type IN ('none'" + (wantsTables ? ", 'BASE TABLE'" : "")
                    + (wantsViews ? ", 'VIEW'" : "") + ")";
        }
        return ask(TABLES + kinds, flat, "t.table_schema", "t.table_name", null, "4, 2, 3");
    }

    private static String foreignKeys(String flat) {
        Map<String, String> names = new LinkedHashMap<>();
        names.put("pkn.nspname", "p.table_schema");
        names.put("pkc.relname", "p.table_name");
        names.put("fkn.nspname", "f.table_schema");
        names.put("fkc.relname", "f.table_name");
        StringBuilder question = new StringBuilder(FOREIGN_KEYS);
        names.forEach((theirs, ours) -> {
            Matcher matcher = Pattern.compile(Pattern.quote(theirs) + "\\s*=\\s*(\\$\\d+|'(?:[^']|'')*')")
                    .matcher(flat);
            if (matcher.find()) {
                question.append(" AND ").append(ours).append(" = ").append(value(matcher.group(1)));
            }
        });
        return question.append(parametersOf(flat))
                .append(" ORDER BY 2, 3, 6, 7, 9")
                .toString();
    }

    private static String ask(
            String question,
            String flat,
            @Nullable String schema,
            @Nullable String table,
            @Nullable String column,
            String order) {
        StringBuilder sql = new StringBuilder(question);
        Matcher matcher = CONDITION.matcher(flat);
        while (matcher.find()) {
            String ours =
                    switch (matcher.group(1).toLowerCase(Locale.ROOT)) {
                        case "nspname" -> schema;
                        case "relname" -> table;
                        default -> column;
                    };
            boolean isFixed =
                    matcher.group(3).startsWith("'pg_") || matcher.group(3).startsWith("'information_schema");
            if (ours != null && !isFixed) {
                sql.append(" AND ").append(ours).append(' ').append(matcher.group(2));
                sql.append(' ').append(value(matcher.group(3)));
            }
        }
        return sql.append(parametersOf(flat)).append(" ORDER BY ").append(order).toString();
    }

    private static String value(String given) {
        return given.startsWith("$") ? "CAST(?" + given.substring(1) + " AS VARCHAR)" : given;
    }

    /** Mentions all parameters, as H2 requires consecutive parameter numbers. */
    private static String parametersOf(String flat) {
        TreeSet<Integer> numbers = new TreeSet<>();
        Matcher matcher = PARAMETER.matcher(flat);
        while (matcher.find()) {
            numbers.add(Integer.parseInt(matcher.group(1)));
        }
        StringBuilder sql = new StringBuilder();
        numbers.forEach(
                number -> sql.append(" AND COALESCE(CAST(?").append(number).append(" AS VARCHAR), '') IS NOT NULL"));
        return sql.toString();
    }
}
