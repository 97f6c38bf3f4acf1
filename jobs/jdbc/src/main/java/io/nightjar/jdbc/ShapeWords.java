package io.nightjar.jdbc;

import java.util.List;
import java.util.Set;

/** Words that identify the kind of a statement. */
final class ShapeWords {

    private ShapeWords() {}

    static final Set<String> ENDS_OF_FROM = set(
            """
            where group having window union intersect except minus order limit offset fetch for into set returning
            qualify with""");

    static final Set<String> ENDS_OF_SET = set("where from returning order limit");

    static final Set<String> JOINS = set("join inner left right full cross natural");

    static final Set<String> COMBINING =
            set("""
            group having window union intersect except minus into qualify lateral""");

    static final Set<String> AGGREGATES = set("count sum min max");

    static final Set<String> FUNCTIONS_OF_A_ROW = set(
            """
            coalesce nullif lower upper trim length abs round floor ceil cast concat substring substr replace extract
            date_trunc to_char greatest least mod in""");

    static final Set<String> HARMLESS = set(
            """
            show explain pragma analyze vacuum listen unlisten notify describe checkpoint release comment grant revoke
            lock unlock""");

    /** Functions of databases that neither read nor change rows, or only their own counters and locks. */
    static final Set<String> FUNCTIONS_WITHOUT_ROWS = set(
            """
            select from where and or not exists values as on any all array row now version nextval currval lastval
            setval random rand uuid sleep user database schema identity scope_identity connection_id get_lock
            release_lock set_config generate_series unnest md5 sha256 gen_random_uuid random_uuid clock_timestamp
            statement_timestamp transaction_timestamp timeofday age chr ascii repeat reverse left right lpad rpad sqrt
            power ln exp sign if ifnull nvl isnull row_count found_rows changes total_changes typeof session_id
            h2version sys_context""");

    static final List<String> STARTS_OF_FUNCTIONS = list(
            """
            pg_ txid_ current_ last_insert_ has_ inet_ to_ json array_ string_ regexp_ date time octet_ char sqlite_
            quote_ st_ utc_ format str""");

    static final Set<String> OF_NAMES = set("search_path schema catalog");

    static final Set<String> SYSTEM_SCHEMAS = set("information_schema pg_catalog");

    static final Set<String> CHANGES = set("insert update delete merge replace truncate");

    static final Set<String> WITHOUT_ROWS =
            set("""
            constraint foreign unique index owner enable disable validate sequence""");

    private static Set<String> set(String words) {
        return Set.copyOf(list(words));
    }

    private static List<String> list(String words) {
        return List.of(words.split("\\s+"));
    }
}
