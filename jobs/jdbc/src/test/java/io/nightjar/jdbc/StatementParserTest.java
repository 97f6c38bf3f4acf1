package io.nightjar.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.jdbc.StatementShape.Kind;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What statements are, by their words. */
class StatementParserTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SELECT a FROM t | SELECT",
                "select t.a, u.b from s.t as t left join u on (u.id = t.id and u.x in (1, 2)) where t.id = 1 | SELECT",
                "SELECT DISTINCT a FROM t | OPAQUE_READ",
                "SELECT a, max(b) FROM t GROUP BY a | OPAQUE_READ",
                "SELECT my_function(a) FROM t | OPAQUE_READ",
                "SELECT a FROM (SELECT 1 AS a) x | OPAQUE_READ",
                "SELECT a FROM t UNION SELECT b FROM u | OPAQUE_READ",
                "WITH x AS (SELECT 1) SELECT * FROM x | OPAQUE_READ",
                "WITH x AS (DELETE FROM t RETURNING *) SELECT * FROM x | OPAQUE_WRITE",
                "SELECT 1 | NOTHING",
                "INSERT INTO t VALUES (1) | INSERT",
                "INSERT OR REPLACE INTO t VALUES (1) | OPAQUE_WRITE",
                "INSERT INTO t VALUES (1) ON DUPLICATE KEY UPDATE a = 1 | OPAQUE_WRITE",
                "UPDATE t SET a = 1, b = (b + 1) WHERE id = 1 | UPDATE",
                "UPDATE t, u SET t.a = 1 | OPAQUE_WRITE",
                "DELETE FROM t | DELETE",
                "DELETE FROM t USING u WHERE t.id = u.id | OPAQUE_WRITE",
                "MERGE INTO t USING u ON (t.id = u.id) WHEN MATCHED THEN DELETE | OPAQUE_WRITE",
                "{call f(1)} | OPAQUE_CALL",
                "CALL f(1) | OPAQUE_CALL",
                "DO $$ BEGIN DELETE FROM t; END $$ | OPAQUE_CALL",
                "COPY t FROM STDIN | OPAQUE_CALL",
                "EXPLAIN ANALYZE DELETE FROM t | OPAQUE_CALL",
                "BEGIN IMMEDIATE | BEGIN",
                "START TRANSACTION | BEGIN",
                "END | COMMIT",
                "ROLLBACK TO SAVEPOINT a | ROLLBACK_TO_SAVEPOINT",
                "ROLLBACK | ROLLBACK",
                "CREATE TABLE IF NOT EXISTS t (id INT PRIMARY KEY) | DEFINITION",
                "ALTER TABLE t ADD CONSTRAINT c UNIQUE (a) | DEFINITION",
                "ALTER TABLE t ADD COLUMN c INT | REDEFINITION",
                "TRUNCATE t | REDEFINITION",
                "SET search_path TO other | OTHER_NAMES",
                "SET LOCAL SCHEMA 'other' | OTHER_NAMES",
                "RESET ALL | OTHER_NAMES",
                "USE other | OTHER_NAMES",
                "SELECT set_config('search_path', 'other', true) | OTHER_NAMES",
                "SET AUTOCOMMIT = 0 | UNKNOWN_NAMES",
                "SET search_path TO other; SELECT * FROM t | UNKNOWN_NAMES",
                "SET statement_timeout = 5 | NOTHING",
                "SET @most = (SELECT max(a) FROM t) | OPAQUE_READ",
                "SELECT EXISTS (SELECT 1 FROM t WHERE a = 1) | OPAQUE_READ",
                "SELECT (SELECT count(*) FROM t) | OPAQUE_READ",
                "VALUES ((SELECT max(a) FROM t)) | OPAQUE_READ",
                "SELECT transfer(1, 2) | OPAQUE_CALL",
                "SELECT * FROM transfer(1, 2) | OPAQUE_CALL",
                "SELECT nextval('s'), current_timestamp, pg_backend_pid() | NOTHING",
                "SELECT 1 FROM dual | NOTHING",
                "SELECT table_name FROM information_schema.tables WHERE table_schema = 'a' | NOTHING",
                "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE | NOTHING",
                "-- nothing | NOTHING",
                "INSERT INTO t VALUES (1); DELETE FROM t | OPAQUE_WRITE",
            })
    void statementsAreKnownByTheirWords(String sql, Kind kind) {
        assertThat(StatementParser.parse(sql, false).kind()).isEqualTo(kind);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SELECT * FROM t LIMIT 3 | Limit[order=null, isDescending=false, count=Literal[value=3]]",
                "SELECT a FROM t WHERE a > ? AND b IN (SELECT 1 ORDER BY 1) ORDER BY t.\"A\" DESC LIMIT ?"
                        + " | Limit[order=A, isDescending=true, count=2]",
                "SELECT a FROM t x ORDER BY x.a LIMIT 1; | Limit[order=a, isDescending=false, count=Literal[value=1]]",
                "SELECT a FROM t ORDER BY a, b DESC LIMIT 1"
                        + " | Limit[order=null, isDescending=true, count=Literal[value=1]]",
                "SELECT a FROM t ORDER BY a + 1 LIMIT 1"
                        + " | Limit[order=null, isDescending=false, count=Literal[value=1]]",
                "SELECT a FROM t ORDER BY -a LIMIT 1"
                        + " | Limit[order=null, isDescending=false, count=Literal[value=1]]",
                "SELECT a FROM t ORDER BY a DESC NULLS LAST LIMIT 1"
                        + " | Limit[order=null, isDescending=false, count=Literal[value=1]]",
                "SELECT -a AS a FROM t ORDER BY a LIMIT 1"
                        + " | Limit[order=null, isDescending=false, count=Literal[value=1]]",
                "SELECT b a FROM t ORDER BY t.a LIMIT 1"
                        + " | Limit[order=a, isDescending=false, count=Literal[value=1]]",
                "SELECT b a FROM t ORDER BY a LIMIT 1"
                        + " | Limit[order=null, isDescending=false, count=Literal[value=1]]",
                "SELECT a FROM t LIMIT ALL |",
                "SELECT a FROM t LIMIT 1, 2 |",
                "SELECT a FROM t LIMIT 1 OFFSET 2 |",
                "SELECT a FROM t OFFSET 2 LIMIT 1 |",
                "SELECT a FROM t ORDER BY a OFFSET 2 LIMIT 1 |",
                "SELECT a FROM t ORDER BY a LIMIT 1 FOR UPDATE |",
                "SELECT a FROM t FETCH FIRST 1 ROW ONLY |",
                "SELECT a FROM t, u LIMIT 1 |",
                "SELECT a FROM t WHERE b = 1 | Limit[order=null, isDescending=false, count=0]",
            })
    void limitsAreKnownIfNothingElseLimits(String sql, String limit) {
        assertThat(String.valueOf(StatementParser.parse(sql, false).limit())).isEqualTo(String.valueOf(limit));
    }

    @Test
    void wordsInStringsCommentsAndNamesInQuotesAreNone() {
        StatementShape shape = StatementParser.parse(
                "SELECT \"from\" /* FROM u */ FROM t -- WHERE id = 1\n WHERE a = 'x FROM y'", false);

        assertThat(shape.kind()).isEqualTo(Kind.SELECT);
        assertThat(shape.tables()).extracting(StatementShape.TableUse::name).containsExactly("t");
        assertThat(shape.condition().text()).isEqualTo("a = 'x FROM y'");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SELECT * FROM t x WHERE x.a > ? AND x.b IN (?, 2) ORDER BY a | a > ? AND b IN (?, 2)",
                "SELECT a FROM t WHERE a=1 FOR UPDATE | a=1",
                "DELETE FROM t WHERE lower( name ) = 'x' | lower( name ) = 'x'",
            })
    void conditionsAreUnchangedExceptTableNames(String sql, String condition) {
        assertThat(StatementParser.parse(sql, false).condition().text()).isEqualTo(condition);
    }

    @Test
    void parametersOfAConditionAreCountedInTheWholeStatement() {
        SqlCondition condition = StatementParser.parse("UPDATE t SET a = ?, b = ? WHERE id = ? AND c = ?", false)
                .condition();

        assertThat(condition.firstParameter()).isEqualTo(3);
        assertThat(condition.parameterCount()).isEqualTo(2);
        assertThat(condition.constantOf("ID")).isEqualTo(3);
        assertThat(condition.constantOf("c")).isEqualTo(4);
    }

    @Test
    void ambiguousBackslashMakesWriteOpaque() {
        assertThat(StatementParser.parse("UPDATE t SET a = 'it\\'s' WHERE id = 1", true)
                        .kind())
                .isEqualTo(Kind.OPAQUE_WRITE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"SELECT", "INSERT INTO", "UPDATE", "DELETE FROM", "SELECT * FROM", "SELECT count( FROM t"})
    void halfStatementsHaveSomeShape(String sql) {
        assertThat(StatementParser.parse(sql, false).kind()).isNotNull();
    }

    @Test
    void anyTextHasSomeShape() {
        String[] words = {
            "select",
            "from",
            "t",
            ",",
            "(",
            ")",
            "where",
            "=",
            "?",
            "1",
            "'a",
            "\"b",
            "update",
            "set",
            "insert",
            "into",
            "values",
            "delete",
            "join",
            "on",
            ".",
            "as",
            ";",
            "*",
            "$$",
            "--",
            "/*",
            "count",
            "and",
            "returning",
            "order"
        };
        String[] first = {"select", "insert into", "update", "delete from"};
        Random random = new Random(1);
        for (int i = 0; i < 50_000; i++) {
            StringBuilder sql = new StringBuilder(first[random.nextInt(first.length)]);
            for (int length = random.nextInt(14); length > 0; length--) {
                sql.append(random.nextInt(8) == 0 ? "" : " ").append(words[random.nextInt(words.length)]);
            }
            assertThat(StatementParser.parse(sql.toString(), false))
                    .as("%s", sql)
                    .isNotNull();
        }
    }
}
