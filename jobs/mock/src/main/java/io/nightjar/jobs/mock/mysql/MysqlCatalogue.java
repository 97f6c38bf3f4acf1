package io.nightjar.jobs.mock.mysql;

import io.nightjar.jobs.mock.wire.CatalogViews;
import io.nightjar.jobs.mock.wire.WireSession;
import java.util.List;

/** Catalog tables queried by MySQL's clients, as views of H2's catalog. */
final class MysqlCatalogue {

    private static final String NOT_OURS =
            " NOT IN ('information_schema', 'pg_catalog', 'nightjar_postgres', '" + MysqlRewriter.CATALOGUE + "')";

    private static final String TYPE = "CASE UPPER(c.data_type) WHEN 'INTEGER' THEN 'int' WHEN 'CHARACTER VARYING' THEN"
            + " CASE WHEN c.character_maximum_length < 65536 THEN 'varchar' ELSE 'longtext' END"
            + " WHEN 'VARCHAR_IGNORECASE' THEN CASE WHEN c.character_maximum_length < 65536 THEN 'varchar' ELSE 'longtext' END"
            + " WHEN 'CHARACTER' THEN 'char' WHEN 'CHARACTER LARGE OBJECT' THEN 'longtext'"
            + " WHEN 'BINARY VARYING' THEN CASE WHEN c.character_maximum_length < 65536 THEN 'varbinary' ELSE 'longblob' END"
            + " WHEN 'BINARY LARGE OBJECT' THEN 'longblob' WHEN 'NUMERIC' THEN 'decimal' WHEN 'DECFLOAT' THEN 'decimal'"
            + " WHEN 'DOUBLE PRECISION' THEN 'double' WHEN 'REAL' THEN 'float' WHEN 'BOOLEAN' THEN 'tinyint'"
            + " WHEN 'TIMESTAMP' THEN 'datetime' WHEN 'TIMESTAMP WITH TIME ZONE' THEN 'timestamp'"
            + " ELSE LOWER(c.data_type) END";

    private static final String ARGUMENTS =
            "CASE WHEN UPPER(c.data_type) IN ('CHARACTER VARYING', 'VARCHAR_IGNORECASE', 'CHARACTER',"
                    + " 'BINARY VARYING') AND c.character_maximum_length < 65536 THEN '(' || c.character_maximum_length || ')'"
                    + " WHEN UPPER(c.data_type) = 'NUMERIC' THEN '(' || c.numeric_precision || ',' || c.numeric_scale || ')'"
                    + " WHEN UPPER(c.data_type) = 'BOOLEAN' THEN '(1)'"
                    + " WHEN UPPER(c.data_type) = 'TIMESTAMP' AND c.datetime_precision > 0 THEN '(' || c.datetime_precision || ')'"
                    + " ELSE '' END";

    private static final String KEY =
            "COALESCE((SELECT MIN(CASE i.index_type_name WHEN 'PRIMARY KEY' THEN 'PRI' WHEN 'UNIQUE INDEX'"
                    + " THEN 'UNI' ELSE 'z' END) FROM information_schema.index_columns x JOIN information_schema.indexes i"
                    + " ON i.index_schema = x.index_schema AND i.index_name = x.index_name WHERE x.table_schema = c.table_schema"
                    + " AND x.table_name = c.table_name AND x.column_name = c.column_name), '')";

    private MysqlCatalogue() {}

    private static String schema(String column) {
        return "CASE WHEN " + column + " = 'public' THEN " + WireSession.DATABASE + " ELSE " + column + " END";
    }

    private static String indexName(String name, String table) {
        String plain = "REGEXP_REPLACE(" + name + ", '(?i)_index_[0-9a-f]+$', '')"; // H2's names of constraint indexes
        return "CASE WHEN " + name + " LIKE " + table + " || '" + MysqlDdlRewriter.INDEX_OF + "%' THEN SUBSTRING("
                + plain + ", CHAR_LENGTH(" + table + ") + 2) ELSE " + plain + " END";
    }

    /** Returns the statements that create the missing tables. */
    static List<String> statements() {
        CatalogViews views = new CatalogViews(MysqlRewriter.CATALOGUE);
        views.add(
                "schemata",
                "SELECT 'def' AS catalog_name, " + schema("s.schema_name")
                        + " AS schema_name, 'utf8mb4' AS default_character_set_name,"
                        + " 'utf8mb4_0900_ai_ci' AS default_collation_name, CAST(NULL AS VARCHAR) AS sql_path"
                        + " FROM information_schema.schemata s WHERE s.schema_name" + NOT_OURS);
        views.add(
                "tables",
                "SELECT 'def' AS table_catalog, " + schema("t.table_schema") + " AS table_schema, t.table_name,"
                        + " t.table_type, 'InnoDB' AS engine, 10 AS version, 'Dynamic' AS row_format, 0 AS table_rows,"
                        + " 0 AS data_length, 0 AS index_length, CAST(NULL AS BIGINT) AS auto_increment,"
                        + " CAST(NULL AS TIMESTAMP) AS create_time, CAST(NULL AS TIMESTAMP) AS update_time,"
                        + " 'utf8mb4_0900_ai_ci' AS table_collation, '' AS create_options,"
                        + " COALESCE(t.remarks, '') AS table_comment"
                        + " FROM information_schema.tables t WHERE t.table_schema" + NOT_OURS);
        views.add("columns", columns());
        views.add("statistics", statistics());
        views.add(
                "table_constraints",
                "SELECT 'def' AS constraint_catalog, " + schema("c.constraint_schema") + " AS constraint_schema, "
                        + constraintName("c.constraint_type", "c.constraint_name", "c.table_name")
                        + " AS constraint_name, " + schema("c.table_schema")
                        + " AS table_schema, c.table_name, c.constraint_type, 'YES' AS enforced"
                        + " FROM information_schema.table_constraints c");
        views.add("key_column_usage", keyColumns());
        views.add(
                "referential_constraints",
                "SELECT 'def' AS constraint_catalog, " + schema("r.constraint_schema")
                        + " AS constraint_schema, r.constraint_name, 'def' AS unique_constraint_catalog, "
                        + schema("r.unique_constraint_schema") + " AS unique_constraint_schema, "
                        + constraintName("p.constraint_type", "r.unique_constraint_name", "p.table_name")
                        + " AS unique_constraint_name, 'NONE' AS match_option, r.update_rule, r.delete_rule,"
                        + " f.table_name, p.table_name AS referenced_table_name"
                        + " FROM information_schema.referential_constraints r JOIN information_schema.table_constraints f"
                        + " ON f.constraint_schema = r.constraint_schema AND f.constraint_name = r.constraint_name"
                        + " JOIN information_schema.table_constraints p ON p.constraint_schema = r.unique_constraint_schema"
                        + " AND p.constraint_name = r.unique_constraint_name");
        views.add(
                "views",
                "SELECT 'def' AS table_catalog, " + schema("v.table_schema")
                        + " AS table_schema, v.table_name, v.view_definition"
                        + " FROM information_schema.views v WHERE v.table_schema" + NOT_OURS);
        views.addEmpty(
                "routines",
                texts("specific_name routine_catalog routine_schema routine_name routine_type data_type "
                        + "routine_comment is_deterministic sql_data_access security_type"));
        views.addEmpty(
                "parameters",
                texts("specific_catalog specific_schema specific_name ordinal_position parameter_mode "
                        + "parameter_name data_type character_maximum_length character_octet_length "
                        + "numeric_precision numeric_scale datetime_precision dtd_identifier routine_type"));
        views.addEmpty(
                "triggers",
                texts("trigger_catalog trigger_schema trigger_name event_manipulation event_object_catalog "
                        + "event_object_schema event_object_table action_statement action_timing"));
        views.addEmpty("events", texts("event_catalog event_schema event_name status"));
        views.addEmpty("keywords", texts("word reserved"));
        return views.statements();
    }

    /** @param names with blanks between them */
    private static String texts(String names) {
        return "'' AS " + names.replace(" ", ", '' AS ");
    }

    private static String columns() {
        return "SELECT 'def' AS table_catalog, " + schema("c.table_schema") + " AS table_schema, c.table_name,"
                + " c.column_name, c.ordinal_position, CASE WHEN c.column_default LIKE '''%''' THEN"
                + " SUBSTRING(c.column_default, 2, CHAR_LENGTH(c.column_default) - 2)"
                + " WHEN c.column_default LIKE 'LOCALTIMESTAMP%' THEN 'CURRENT_TIMESTAMP' ELSE c.column_default END"
                + " AS column_default, c.is_nullable, " + TYPE + " AS data_type, c.character_maximum_length,"
                + " c.character_octet_length, c.numeric_precision, c.numeric_scale, c.datetime_precision,"
                + " CASE WHEN c.character_maximum_length IS NULL THEN NULL ELSE 'utf8mb4' END AS character_set_name,"
                + " CASE WHEN c.character_maximum_length IS NULL THEN NULL ELSE 'utf8mb4_0900_ai_ci' END AS collation_name, "
                + TYPE + " || " + ARGUMENTS + " AS column_type, REPLACE(" + KEY + ", 'z', 'MUL') AS column_key,"
                + " CASE WHEN c.is_identity = 'YES' THEN 'auto_increment' WHEN c.column_default LIKE 'LOCALTIMESTAMP%'"
                + " THEN 'DEFAULT_GENERATED' ELSE '' END AS extra, 'select,insert,update,references' AS privileges,"
                + " COALESCE(c.remarks, '') AS column_comment, '' AS generation_expression"
                + " FROM information_schema.columns c WHERE c.table_schema" + NOT_OURS;
    }

    private static String statistics() {
        return "SELECT 'def' AS table_catalog, " + schema("i.table_schema") + " AS table_schema, i.table_name,"
                + " CASE WHEN i.index_type_name IN ('PRIMARY KEY', 'UNIQUE INDEX') THEN 0 ELSE 1 END AS non_unique, "
                + schema("i.index_schema")
                + " AS index_schema, CASE WHEN i.index_type_name = 'PRIMARY KEY' THEN 'PRIMARY'"
                + " ELSE " + indexName("i.index_name", "i.table_name") + " END AS index_name,"
                + " x.ordinal_position AS seq_in_index, x.column_name, CASE x.ordering_specification WHEN 'DESC' THEN 'D'"
                + " ELSE 'A' END AS collation, 0 AS cardinality, CAST(NULL AS INT) AS sub_part,"
                + " CAST(NULL AS VARCHAR) AS packed, '' AS nullable, 'BTREE' AS index_type, '' AS comment,"
                + " '' AS index_comment, 'YES' AS is_visible, CAST(NULL AS VARCHAR) AS expression"
                + " FROM information_schema.indexes i JOIN information_schema.index_columns x"
                + " ON x.index_schema = i.index_schema AND x.index_name = i.index_name WHERE i.table_schema" + NOT_OURS;
    }

    private static String constraintName(String type, String name, String table) {
        return "CASE WHEN " + type + " = 'PRIMARY KEY' THEN 'PRIMARY' ELSE " + indexName(name, table) + " END";
    }

    private static String keyColumns() {
        return "SELECT 'def' AS constraint_catalog, " + schema("k.constraint_schema") + " AS constraint_schema, "
                + constraintName("c.constraint_type", "k.constraint_name", "k.table_name")
                + " AS constraint_name, 'def' AS table_catalog, " + schema("k.table_schema")
                + " AS table_schema, k.table_name, k.column_name, k.ordinal_position, k.position_in_unique_constraint, "
                + schema("p.table_schema") + " AS referenced_table_schema, p.table_name AS referenced_table_name,"
                + " p.column_name AS referenced_column_name FROM information_schema.key_column_usage k"
                + " JOIN information_schema.table_constraints c ON c.constraint_schema = k.constraint_schema"
                + " AND c.constraint_name = k.constraint_name LEFT JOIN information_schema.referential_constraints r"
                + " ON r.constraint_schema = k.constraint_schema AND r.constraint_name = k.constraint_name"
                + " LEFT JOIN information_schema.key_column_usage p ON p.constraint_schema = r.unique_constraint_schema"
                + " AND p.constraint_name = r.unique_constraint_name"
                + " AND p.ordinal_position = k.position_in_unique_constraint";
    }
}
