package io.nightjar.jobs.mock.postgres;

import io.nightjar.jobs.SqlWords;
import io.nightjar.jobs.mock.wire.StatementWords;
import io.nightjar.jobs.mock.wire.WireSession;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Rewrites catalog queries of psql and other tools for H2. */
final class CatalogQueryRewriter {

    private static final String SCHEMA = PostgresViews.SCHEMA;

    /** Catalog tables with rows here, as alternatives of a pattern. */
    private static final String NAMES = "pg_class|pg_namespace|pg_attribute|pg_attrdef|pg_type|pg_collation|pg_index|"
            + "pg_constraint|pg_database|pg_roles|pg_user|pg_am|pg_tables|pg_views|pg_indexes|"
            + "pg_sequences|pg_sequence|pg_description|pg_auth_members|pg_depend|pg_range|pg_enum|"
            + "pg_settings|pg_proc|pg_extension|pg_trigger|pg_inherits";

    /** Catalog tables without rows here; a query that reads only these is answered with no rows. */
    private static final String[] EMPTY =
            SqlWords.list("pg_policy pg_statistic_ext pg_publication pg_trigger pg_inherits pg_proc pg_extension "
                    + "pg_event_trigger pg_foreign_table pg_subscription pg_rewrite pg_conversion pg_foreign_server "
                    + "pg_foreign_data_wrapper pg_user_mappings pg_default_acl pg_db_role_setting "
                    + "pg_largeobject_metadata");

    private static final Pattern TABLE =
            Pattern.compile("(?i)(?<![.\\w\"])(?:pg_catalog\\.)?(" + NAMES + ")\\b(?!\\s*[.(])");

    private static final Pattern ASKED = Pattern.compile("(?i)\\b(FROM|JOIN)\\s+(?:pg_catalog\\.)?pg_");

    /** Patterns of syntax that H2 writes differently, with replacements, in order of application. */
    private static final String[][] FORMS = {
        {
            "\\(select ns\\.oid as nspoid, ns\\.nspname, r\\.r.*?using \\( ?nspname ?\\)\\s*\\) as sp",
            "(SELECT ns.oid AS nspoid, ns.nspname, 1 AS r FROM " + SCHEMA + ".pg_namespace ns) AS sp"
        },
        {"typinput\\s*=\\s*'(?:pg_catalog\\.)?array_in'::(?:pg_catalog\\.)?regproc", "typinput = 'array_in'"},
        {"(?:pg_catalog\\.)?pg_get_keywords\\(\\)", SCHEMA + ".pg_keywords"},
        {"OPERATOR\\s*\\(\\s*pg_catalog\\.([^)\\s]+)\\s*\\)", " $1 "},
        {"COLLATE\\s+pg_catalog\\.\"?default\"?", ""},
        {
            "pg_catalog\\.pg_get_viewdef\\('(\\d+)'::pg_catalog\\.oid[^)]*\\)",
            "(SELECT v.viewdef FROM " + SCHEMA + ".pg_class v WHERE v.oid = $1)"
        },
        {"(?:pg_catalog\\.)?pg_partition_ancestors\\('(\\d+)'\\)", "$1"},
        {
            "'(?:pg_catalog\\.)?pg_class'::(?:pg_catalog\\.)?regclass(?:::(?:pg_catalog\\.)?oid)?",
            Integer.toString(PostgresViews.OID_OF_CLASSES)
        },
        {"'(\\d+)'::(?:pg_catalog\\.)?(?:regclass|oid)", "$1"},
        {
            "'([\\w.]+)'::(?:pg_catalog\\.)?regclass(?:::(?:pg_catalog\\.)?oid)?",
            "(SELECT v.oid FROM " + SCHEMA + ".pg_class v WHERE v.relname = '$1')"
        },
        {
            "\\(quote_ident\\((\\w+\\.)table_schema\\) ?\\|\\| ?'\\.' ?\\|\\| ?quote_ident\\(\\1table_name\\)\\)::regclass(?:::oid)?",
            "(SELECT v.oid FROM " + SCHEMA + ".pg_class v WHERE v.relname = $1table_name AND v.relnamespace ="
                    + " (SELECT o.oid FROM " + SCHEMA + ".pg_namespace o WHERE o.nspname = $1table_schema))"
        },
        {
            "\\b(\\w+(?:\\.\\w+)?)::(?:pg_catalog\\.)?regclass(?:::(?:pg_catalog\\.)?text)?",
            "(SELECT v.relname FROM " + SCHEMA + ".pg_class v WHERE v.oid = $1)"
        },
        {"(?:pg_catalog\\.)?pg_get_constraintdef\\((\\w+\\.)?oid[^)]*\\)", "$1condef"},
        {"(?:pg_catalog\\.)?pg_get_indexdef\\((\\w+\\.)?indexrelid[^)]*\\)", "$1inddef"},
        {"(?:pg_catalog\\.)?pg_get_indexdef\\((\\w+\\.)?attrelid[^)]*\\)", "$1attname"},
        {"(?:pg_catalog\\.)?pg_get_viewdef\\((\\w+\\.)oid[^)]*\\)", "$1viewdef"},
        {
            "(?:pg_catalog\\.)?array_remove\\(.*? AS reloptions,.*? AS checkoption",
            "CAST(NULL AS VARCHAR) AS reloptions, CAST(NULL AS VARCHAR) AS checkoption"
        },
        {
            "(?:pg_catalog\\.)?quote_ident\\((\\w+(?:\\.\\w+)?)\\)",
            "CASE WHEN REGEXP_LIKE($1, '^[a-z_][a-z0-9_]*\\$') THEN $1 ELSE quote_ident($1) END"
        },
        {"\\bAS pg_catalog\\.(\\w+)\\)", "AS $1)"},
        {"(?:pg_catalog\\.)?pg_get_expr\\((\\w+\\.)?indpred[^)]*\\)", "$1indpred"},
        {"(?:pg_catalog\\.)?pg_get_expr\\((\\w+\\.)?adbin[^)]*\\)", "$1adbin"},
        {"(?:pg_catalog\\.)?format_type\\((\\w+\\.)?atttypid[^)]*\\)", "$1atttype"},
        {"(?:pg_catalog\\.)?format_type\\((\\w+\\.)?oid,\\s*NULL\\)", "$1typname"},
        {"(?:pg_catalog\\.)?pg_size_pretty\\(.*?\\)\\)", "'0 bytes'"},
        {"(?:pg_catalog\\.)?format_type\\(seqtypid,\\s*NULL\\)", "seqtype"},
        {"pg_catalog\\.array_to_string\\(c\\.reloptions \\|\\| array\\(.*?\\), ', '\\)", "''"},
        {"(?:pg_catalog\\.)?obj_description\\([^)]*\\)", "CAST(NULL AS VARCHAR)"},
        {"(?:pg_catalog\\.)?shobj_description\\([^)]*\\)", "CAST(NULL AS VARCHAR)"},
        {"(?:pg_catalog\\.)?col_description\\([^)]*\\)", "CAST(NULL AS VARCHAR)"},
        {"(?:pg_catalog\\.)?pg_get_userbyid\\([^)]*\\)", WireSession.USER},
        {"(?:pg_catalog\\.)?pg_(?:type|function|opclass|collation)_is_visible\\([^)]*\\)", "TRUE"},
        {"(?:pg_catalog\\.)?array_to_string\\(ARRAY\\[\\s*'([^']*)=' \\|\\| [^)]*\\)", "''"},
        {"(?:pg_catalog\\.)?pg_table_is_visible\\(([^)]*)\\)", "($1 IN (SELECT w.oid FROM " + SCHEMA + ".pg_visible w))"
        },
        {"\\bpg_catalog\\.(pg_\\w+)\\.", "$1."},
        {"(?:pg_catalog\\.)?array_to_string\\((\\w+\\.)?(\\w*acl), *E?'[^']*'\\)", "$1$2"},
        {"\\w+\\.reloftype::pg_catalog\\.regtype::pg_catalog\\.text", "'-'"},
        {"::(?:pg_catalog\\.)?(?:regtype|regproc|regnamespace|\"char\")(?:::(?:pg_catalog\\.)?text)?", ""},
        {"::pg_catalog\\.", "::"},
        {"\\bpg_catalog\\.(\\w+\\()", "$1"},
    };

    private static final List<Pattern> PATTERNS = new ArrayList<>();

    static {
        for (String[] form : FORMS) {
            PATTERNS.add(Pattern.compile("(?i)" + form[0], Pattern.DOTALL));
        }
    }

    private CatalogQueryRewriter() {}

    /** Returns whether a query reads catalog tables. */
    static boolean isAsked(String sql) {
        return ASKED.matcher(sql).find()
                || sql.contains("pg_catalog.pg_get_viewdef")
                || sql.contains("::pg_catalog.regclass::pg_catalog.oid");
    }

    /** Returns whether a query reads only catalog tables without rows. */
    static boolean isEmpty(StatementWords words) {
        int table = words.topLevel("from", 1) + 1;
        if (table > 0 && words.hasAny(name(words, table), "pg_class", "pg_namespace")) {
            table = words.topLevel(",", table) + 1; // the first table is only joined to name objects
        }
        return table > 0 && words.hasAny(name(words, table), EMPTY) && !words.has(1, "count", "(");
    }

    private static int name(StatementWords words, int table) {
        return words.has(table, "pg_catalog", ".") ? table + 2 : table;
    }

    /** Returns the query rewritten for H2, over {@link PostgresViews}. */
    static String plain(String sql) {
        String plain = sql;
        for (int i = 0; i < FORMS.length; i++) {
            plain = PATTERNS.get(i).matcher(plain).replaceAll(FORMS[i][1]);
        }
        return TABLE.matcher(plain).replaceAll(SCHEMA + ".$1");
    }
}
