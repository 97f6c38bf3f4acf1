package io.nightjar.jobs.mock.postgres;

import io.nightjar.jobs.mock.sql.PostgresFunctions;
import io.nightjar.jobs.mock.wire.CatalogViews;
import io.nightjar.jobs.mock.wire.WireSession;
import java.util.List;

/** PostgreSQL's catalog tables, as views of H2's catalog. */
final class PostgresViews {

    static final String SCHEMA = "nightjar_postgres";

    /** Condition that a schema name is not internal to the mock. */
    static final String OURS = " NOT LIKE 'nightjar%'";

    /** Condition that omits the indexes of foreign keys, which PostgreSQL does not have. */
    private static final String SHOWN_INDEX = " AND %s NOT LIKE 'nightjar$%%'";

    /** PostgreSQL's name of a type, where H2's differs. */
    private static final String NAME_OF_TYPE = "CASE t.oid WHEN 16 THEN 'bool' WHEN 17 THEN 'bytea' WHEN 20 THEN 'int8'"
            + " WHEN 21 THEN 'int2' WHEN 23 THEN 'int4' WHEN 25 THEN 'text' WHEN 700 THEN 'float4' WHEN 701 THEN 'float8'"
            + " WHEN 1042 THEN 'bpchar' WHEN 1043 THEN 'varchar' WHEN 1082 THEN 'date' WHEN 1083 THEN 'time'"
            + " WHEN 1114 THEN 'timestamp' WHEN 1184 THEN 'timestamptz' WHEN 1266 THEN 'timetz' WHEN 1700 THEN 'numeric'"
            + " WHEN 2950 THEN 'uuid' ELSE t.typname END";

    private static final String NO_TEXT = "CAST(NULL AS VARCHAR)";

    /** The sequence of a column, which may have been renamed. */
    static final String NUMBERING = "(SELECT s.sequence_name FROM public." + PostgresFunctions.SEQUENCES
            + "() s WHERE s.schema_name = c.table_schema AND s.table_name = c.table_name AND s.column_name = c.column_name)";

    private static final String SEQUENCES = " FROM public." + PostgresFunctions.SEQUENCES + "() s";

    private static final String OID_OF_SEQUENCE =
            "CAST(ORA_HASH(s.schema_name || '.' || s.sequence_name, 1000000000) AS INT)";

    /** PostgreSQL's number of the table of all tables. */
    static final int OID_OF_CLASSES = 1259;

    private static final String RELATION = " ON r.relname = %1$s.table_name JOIN pg_catalog.pg_namespace n"
            + " ON n.id = r.relnamespace AND n.nspname = %1$s.table_schema";

    /** Columns with equal values for all relations. */
    private static final String REST =
            ", 0 AS reltype, 0 AS reloftype, 10 AS relowner, 0 AS relfilenode, 0 AS reltablespace,"
                    + " 0 AS relpages, -1 AS reltuples, 0 AS reltoastrelid, FALSE AS relhasrules,"
                    + " FALSE AS relrowsecurity, FALSE AS relforcerowsecurity, FALSE AS relispartition, FALSE AS relhassubclass,"
                    + " TRUE AS relispopulated, FALSE AS relisshared, 'p' AS relpersistence, 'd' AS relreplident, "
                    + NO_TEXT
                    + " AS relacl, " + NO_TEXT + " AS reloptions, " + NO_TEXT + " AS relpartbound";

    private static final String COLUMNS_OF_INDEX =
            "(SELECT CAST(COUNT(*) AS INT) FROM information_schema.index_columns y"
                    + " WHERE y.index_schema = i.index_schema AND y.index_name = i.index_name)";

    private PostgresViews() {}

    /** Returns the statements that create the missing views. */
    static List<String> statements() {
        CatalogViews views = new CatalogViews(SCHEMA);
        views.add(
                "pg_namespace",
                "SELECT n.id AS oid, n.nspname, 10 AS nspowner, " + NO_TEXT
                        + " AS nspacl FROM pg_catalog.pg_namespace n WHERE n.nspname" + OURS);
        views.add("pg_class", classes());
        views.add("pg_attribute", allAttributes());
        views.add(
                "pg_attrdef",
                "SELECT a.attrelid AS oid, a.attrelid AS adrelid, a.attnum AS adnum, a.attdef AS adbin FROM " + SCHEMA
                        + ".pg_attribute a WHERE a.atthasdef");
        views.add(
                "pg_type",
                "SELECT t.oid, " + NAME_OF_TYPE
                        + " AS typname, t.typnamespace, t.typlen, t.typtype, t.typrelid, t.typelem, t.typbasetype,"
                        + " t.typtypmod, t.typnotnull, " + NO_TEXT
                        + " AS typdefault, t.typdelim, t.typinput, 0 AS typcollation, 0 AS typarray, 'U' AS typcategory,"
                        + " 10 AS typowner, " + NO_TEXT + " AS typacl FROM pg_catalog.pg_type t");
        views.addEmpty("pg_collation", "0 AS oid, '' AS collname, 0 AS collnamespace");
        views.add("pg_index", indexes());
        views.add("pg_constraint", constraints());
        views.add(
                "pg_database",
                "SELECT 1 AS oid, " + WireSession.DATABASE
                        + " AS datname, 10 AS datdba, 6 AS encoding, 'C' AS datcollate,"
                        + " 'C' AS datctype, " + NO_TEXT + " AS daticulocale, " + NO_TEXT + " AS datlocale, " + NO_TEXT
                        + " AS daticurules, 'c' AS datlocprovider, " + NO_TEXT + " AS datacl, FALSE AS datistemplate,"
                        + " TRUE AS datallowconn, -1 AS datconnlimit, 1663 AS dattablespace");
        views.add(
                "pg_roles",
                "SELECT 10 AS oid, " + WireSession.USER
                        + " AS rolname, TRUE AS rolsuper, TRUE AS rolinherit, TRUE AS rolcreaterole,"
                        + " TRUE AS rolcreatedb, TRUE AS rolcanlogin, -1 AS rolconnlimit,"
                        + " CAST(NULL AS TIMESTAMP WITH TIME ZONE) AS rolvaliduntil, TRUE AS rolreplication,"
                        + " TRUE AS rolbypassrls");
        views.add(
                "pg_user",
                "SELECT " + WireSession.USER + " AS usename, 10 AS usesysid, TRUE AS usecreatedb, TRUE AS usesuper");
        views.addEmpty("pg_auth_members", "0 AS roleid, 0 AS member, FALSE AS admin_option");
        views.add("pg_am", "SELECT 2 AS oid, 'heap' AS amname, 't' AS amtype UNION ALL SELECT 403, 'btree', 'i'");
        views.addEmpty("pg_enum", "0 AS oid, 0 AS enumtypid, '' AS enumlabel, 1 AS enumsortorder");
        views.addEmpty("pg_description", "0 AS objoid, 0 AS classoid, 0 AS objsubid, '' AS description");
        views.add("pg_keywords", PostgresKeywords.query());
        views.add("pg_settings", settings());
        views.addEmpty(
                "pg_proc",
                "0 AS oid, '' AS proname, 0 AS pronamespace, 10 AS proowner, 0 AS prorettype, '' AS proargtypes,"
                        + " 'f' AS prokind");
        views.addEmpty("pg_extension", "0 AS oid, '' AS extname, 10 AS extowner, 0 AS extnamespace, '' AS extversion");
        views.addEmpty(
                "pg_trigger",
                "0 AS oid, 0 AS tgrelid, '' AS tgname, 0 AS tgfoid, FALSE AS tgisinternal, 'O' AS tgenabled");
        views.addEmpty("pg_inherits", "0 AS inhrelid, 0 AS inhparent, 1 AS inhseqno");
        views.addEmpty("pg_range", "0 AS rngtypid, 0 AS rngsubtype");
        views.add(
                "pg_visible",
                "SELECT c.oid FROM " + SCHEMA + ".pg_class c JOIN pg_catalog.pg_namespace n ON n.id = c.relnamespace"
                        + " WHERE n.nspname IN ('public', CURRENT_SCHEMA)");
        views.add(
                "pg_depend",
                "SELECT " + OID_OF_SEQUENCE + " AS objid, " + OID_OF_CLASSES
                        + " AS classid, 0 AS objsubid, r.oid AS refobjid, " + OID_OF_CLASSES
                        + " AS refclassid, CAST(s.column_number AS INT) AS refobjsubid, 'a' AS deptype" + SEQUENCES
                        + " JOIN pg_catalog.pg_class r ON r.relname = s.table_name JOIN pg_catalog.pg_namespace n"
                        + " ON n.id = r.relnamespace AND n.nspname = s.schema_name");
        views.add(
                "pg_tables",
                "SELECT t.table_schema AS schemaname, t.table_name AS tablename, " + WireSession.USER
                        + " AS tableowner, " + NO_TEXT
                        + " AS tablespace, TRUE AS hasindexes, FALSE AS hasrules, FALSE AS hastriggers,"
                        + " FALSE AS rowsecurity FROM information_schema.tables t WHERE t.table_type = 'BASE TABLE'"
                        + " AND t.table_schema" + OURS);
        views.add(
                "pg_views",
                "SELECT v.table_schema AS schemaname, v.table_name AS viewname, " + WireSession.USER + " AS viewowner,"
                        + " v.view_definition AS definition FROM information_schema.views v WHERE v.table_schema"
                        + OURS);
        views.add(
                "pg_sequences",
                "SELECT s.schema_name AS schemaname, s.sequence_name AS sequencename, " + WireSession.USER
                        + " AS sequenceowner, s.data_type, s.start_value, s.minimum_value AS min_value,"
                        + " s.maximum_value AS max_value, s.increment AS increment_by, s.is_cycle AS cycle, s.cache_size"
                        + SEQUENCES);
        views.add(
                "pg_sequence",
                "SELECT " + OID_OF_SEQUENCE + " AS seqrelid, CASE s.data_type WHEN 'smallint' THEN 21 WHEN 'integer'"
                        + " THEN 23 ELSE 20 END AS seqtypid, s.data_type AS seqtype, s.start_value AS seqstart,"
                        + " s.minimum_value AS seqmin, s.maximum_value AS seqmax, s.increment AS seqincrement,"
                        + " s.is_cycle AS seqcycle, s.cache_size AS seqcache" + SEQUENCES);
        views.add(
                "pg_indexes",
                "SELECT i.table_schema AS schemaname, i.table_name AS tablename, i.index_name AS indexname, " + NO_TEXT
                        + " AS tablespace, " + indexDefinition("i")
                        + " AS indexdef FROM information_schema.indexes i WHERE i.table_schema" + OURS
                        + SHOWN_INDEX.formatted("i.index_name"));
        return views.statements();
    }

    private static String settings() {
        StringBuilder names = new StringBuilder();
        for (String name : PostgresSettings.SHOWN) {
            names.append(names.length() == 0 ? "" : ", ")
                    .append("('")
                    .append(name)
                    .append("')");
        }
        return "SELECT v.name, public.current_setting(v.name) AS setting, " + NO_TEXT + " AS unit, '' AS category,"
                + " '' AS short_desc, 'user' AS context, 'string' AS vartype, 'session' AS source, FALSE AS pending_restart"
                + " FROM (VALUES " + names + ") v(name)";
    }

    private static String classes() {
        return "SELECT c.oid, c.relname, c.relnamespace, LOWER(TRIM(c.relkind)) AS relkind, CASE LOWER(TRIM(c.relkind))"
                + " WHEN 'r' THEN 2 WHEN 'i' THEN 403 ELSE 0 END AS relam, EXISTS (SELECT 1 FROM information_schema.indexes x"
                + " WHERE x.table_schema = n.nspname AND x.table_name = c.relname) AS relhasindex, (SELECT COUNT(*) FROM information_schema.table_constraints k"
                + " WHERE k.constraint_type = 'CHECK' AND k.table_name = c.relname AND k.table_schema = n.nspname)"
                + " AS relchecks, (SELECT v.view_definition FROM information_schema.views v WHERE v.table_name = c.relname"
                + " AND v.table_schema = n.nspname) AS viewdef, EXISTS (SELECT 1 FROM information_schema.table_constraints k LEFT JOIN"
                + " information_schema.referential_constraints f ON f.unique_constraint_schema = k.constraint_schema"
                + " AND f.unique_constraint_name = k.constraint_name WHERE k.table_name = c.relname AND k.table_schema = n.nspname"
                + " AND (k.constraint_type = 'FOREIGN KEY' OR f.constraint_name IS NOT NULL)) AS relhastriggers" + REST
                + " FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.id = c.relnamespace"
                + " WHERE n.nspname" + OURS + SHOWN_INDEX.formatted("c.relname")
                + " UNION ALL SELECT " + OID_OF_SEQUENCE + ", s.sequence_name, n.id, 'S', 0, FALSE, 0, " + NO_TEXT
                + ", FALSE" + REST + SEQUENCES + " JOIN pg_catalog.pg_namespace n ON n.nspname = s.schema_name";
    }

    private static String attributes() {
        return "SELECT r.oid AS attrelid, c.column_name AS attname, " + PostgresCatalogue.TYPE_OF_COLUMN
                + " AS atttypid, "
                + PostgresCatalogue.MODIFIER_OF_COLUMN + " AS atttypmod, c.ordinal_position AS attnum, -1 AS attlen,"
                + " c.is_nullable = 'NO' AS attnotnull, FALSE AS attisdropped, '' AS attgenerated, '' AS attidentity,"
                + " 0 AS attcollation, 'p' AS attstorage, '' AS attcompression, -1 AS attstattarget, 0 AS attndims,"
                + " TRUE AS attislocal, 0 AS attinhcount, " + NO_TEXT + " AS attacl, c.is_identity = 'YES'"
                + " OR c.column_default IS NOT NULL AS atthasdef, CASE WHEN c.is_identity = 'YES' THEN 'nextval('''"
                + " || " + NUMBERING + " || '''::regclass)' ELSE c.column_default END AS attdef,"
                + " CASE WHEN UPPER(c.data_type) IN ('CHARACTER VARYING', 'VARCHAR_IGNORECASE') THEN CASE WHEN"
                + " c.character_maximum_length < 1000000000 THEN 'character varying(' || c.character_maximum_length || ')'"
                + " ELSE 'text' END WHEN UPPER(c.data_type) = 'CHARACTER' THEN 'character(' || c.character_maximum_length"
                + " || ')' WHEN UPPER(c.data_type) = 'NUMERIC' AND c.numeric_precision <= 1000 THEN 'numeric('"
                + " || c.numeric_precision || ',' || c.numeric_scale || ')' WHEN UPPER(c.data_type) IN ('NUMERIC', 'DECFLOAT')"
                + " THEN 'numeric' WHEN UPPER(c.data_type) IN ('BINARY VARYING', 'BINARY LARGE OBJECT') THEN 'bytea'"
                + " WHEN UPPER(c.data_type) = 'TIMESTAMP' THEN 'timestamp without time zone'"
                + " WHEN UPPER(c.data_type) = 'TIME' THEN 'time without time zone' ELSE LOWER(c.data_type) END AS atttype"
                + " FROM information_schema.columns c JOIN pg_catalog.pg_class r" + RELATION.formatted("c")
                + " WHERE n.nspname" + OURS;
    }

    /** Returns the query for the attributes of tables, views and indexes. */
    private static String allAttributes() {
        return attributes()
                + " UNION ALL SELECT r.oid, a.attname, a.atttypid, a.atttypmod, x.ordinal_position, a.attlen,"
                + " FALSE, FALSE, '', '', 0, a.attstorage, '', -1, 0, TRUE, 0, a.attacl, FALSE, NULL, a.atttype"
                + " FROM information_schema.index_columns x JOIN pg_catalog.pg_namespace n ON n.nspname = x.index_schema"
                + " JOIN pg_catalog.pg_class r ON r.relname = x.index_name AND r.relnamespace = n.id"
                + " JOIN pg_catalog.pg_class o ON o.relname = x.table_name AND o.relnamespace = n.id"
                + " JOIN (" + attributes() + ") a ON a.attrelid = o.oid AND a.attname = x.column_name WHERE n.nspname"
                + OURS
                + SHOWN_INDEX.formatted("x.index_name");
    }

    private static String indexDefinition(String index) {
        return ("'CREATE ' || CASE WHEN %1$s.index_type_name IN ('PRIMARY KEY', 'UNIQUE INDEX') THEN 'UNIQUE ' ELSE '' END"
                        + " || 'INDEX ' || %1$s.index_name || ' ON ' || %1$s.table_name || ' USING btree (' || (SELECT"
                        + " LISTAGG(x.column_name, ', ') WITHIN GROUP (ORDER BY x.ordinal_position)"
                        + " FROM information_schema.index_columns x WHERE x.index_schema = %1$s.index_schema"
                        + " AND x.index_name = %1$s.index_name) || ')'")
                .formatted(index);
    }

    private static String indexes() {
        return "SELECT r.oid AS indexrelid, o.oid AS indrelid, i.index_type_name IN ('PRIMARY KEY', 'UNIQUE INDEX') AS indisunique,"
                + " i.index_type_name = 'PRIMARY KEY' AS indisprimary, FALSE AS indisclustered, TRUE AS indisvalid,"
                + " TRUE AS indisready, TRUE AS indislive, FALSE AS indisreplident, FALSE AS indisexclusion,"
                + " TRUE AS indimmediate, FALSE AS indnullsnotdistinct, " + COLUMNS_OF_INDEX + " AS indnatts, "
                + COLUMNS_OF_INDEX + " AS indnkeyatts,"
                + " ARRAY(SELECT c.ordinal_position FROM information_schema.index_columns x"
                + " JOIN information_schema.columns c ON c.table_schema = x.table_schema AND c.table_name = x.table_name"
                + " AND c.column_name = x.column_name WHERE x.index_schema = i.index_schema AND x.index_name = i.index_name"
                + " ORDER BY x.ordinal_position) AS indkey, "
                + NO_TEXT + " AS indpred, " + NO_TEXT + " AS indexprs, " + indexDefinition("i")
                + " AS inddef FROM information_schema.indexes i JOIN pg_catalog.pg_namespace n ON n.nspname = i.index_schema"
                + " JOIN pg_catalog.pg_class r ON r.relname = i.index_name AND r.relnamespace = n.id"
                + " JOIN pg_catalog.pg_class o ON o.relname = i.table_name AND o.relnamespace = n.id WHERE TRUE"
                + SHOWN_INDEX.formatted("i.index_name");
    }

    private static String constraints() {
        String columns = "(SELECT LISTAGG(k.column_name, ', ') WITHIN GROUP (ORDER BY k.ordinal_position)"
                + " FROM information_schema.key_column_usage k WHERE k.constraint_schema = %s AND k.constraint_name = %s)";
        String constraintColumns = columns.formatted("t.constraint_schema", "t.constraint_name");
        String others = columns.formatted("f.unique_constraint_schema", "f.unique_constraint_name");
        String rules = "('CASCADE', 'SET NULL', 'SET DEFAULT')";
        return "SELECT CAST(ORA_HASH(t.constraint_schema || '.' || t.constraint_name, 1000000000) AS INT) AS oid,"
                + " t.constraint_name AS conname, r.relnamespace AS connamespace, CASE t.constraint_type"
                + " WHEN 'PRIMARY KEY' THEN 'p' WHEN 'UNIQUE' THEN 'u' WHEN 'CHECK' THEN 'c' ELSE 'f' END AS contype,"
                + " r.oid AS conrelid, COALESCE(o.oid, 0) AS confrelid, i.oid AS conindid, FALSE AS condeferrable,"
                + " FALSE AS condeferred, TRUE AS convalidated, 0 AS conparentid, 0 AS contypid, TRUE AS conislocal,"
                + " CASE t.constraint_type WHEN 'PRIMARY KEY' THEN 'PRIMARY KEY (' || " + constraintColumns
                + " || ')' WHEN 'UNIQUE' THEN 'UNIQUE (' || " + constraintColumns
                + " || ')' WHEN 'CHECK' THEN 'CHECK (' || c.check_clause"
                + " || ')' ELSE 'FOREIGN KEY (' || " + constraintColumns + " || ') REFERENCES ' || o.relname || '(' || "
                + others
                + " || ')' || CASE WHEN f.update_rule IN " + rules + " THEN ' ON UPDATE ' || f.update_rule ELSE '' END"
                + " || CASE WHEN f.delete_rule IN " + rules
                + " THEN ' ON DELETE ' || f.delete_rule ELSE '' END END AS condef"
                + " FROM information_schema.table_constraints t JOIN pg_catalog.pg_class r" + RELATION.formatted("t")
                + " LEFT JOIN pg_catalog.pg_class i ON i.relname = t.index_name AND LOWER(TRIM(i.relkind)) = 'i'"
                + " LEFT JOIN information_schema.check_constraints c ON c.constraint_schema = t.constraint_schema"
                + " AND c.constraint_name = t.constraint_name LEFT JOIN information_schema.referential_constraints f"
                + " ON f.constraint_schema = t.constraint_schema AND f.constraint_name = t.constraint_name"
                + " LEFT JOIN information_schema.table_constraints p ON p.constraint_schema = f.unique_constraint_schema"
                + " AND p.constraint_name = f.unique_constraint_name LEFT JOIN pg_catalog.pg_class o"
                + " ON o.relname = p.table_name WHERE n.nspname" + OURS;
    }
}
