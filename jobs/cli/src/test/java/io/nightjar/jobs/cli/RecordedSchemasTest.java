package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.RunResultJson;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Applications whose table names refer to one schema now and to another later. */
class RecordedSchemasTest {

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"h2:mem:%s;DATABASE_TO_LOWER=TRUE", "hsqldb:mem:%s", "duckdb:%s/db"})
    void namesAreThoseOfTheSchemaThatAConnectionIsIn(String address) throws Exception {
        Path archive = directory.resolve("archive");
        String target =
                address.formatted(directory.getFileName()).replace("duckdb:", "duckdb:" + directory.getParent() + "/");
        try (Connection direct = DriverManager.getConnection("jdbc:" + target)) {
            execute(direct, "CREATE TABLE t (id INTEGER PRIMARY KEY, v INTEGER)");
            execute(direct, "CREATE SCHEMA shop");
            execute(direct, "CREATE TABLE shop.t (id INTEGER PRIMARY KEY, v INTEGER)");
            execute(direct, "INSERT INTO t VALUES (1, 10)");
            execute(direct, "INSERT INTO shop.t VALUES (1, 20)");
            String home = direct.getSchema();
            try (RecordedStatements app = new RecordedStatements(recorded(target, archive), archive)) {
                app.query("SELECT v FROM t WHERE id = 1");
                app.query("SELECT v FROM shop.t WHERE id = 1");
                app.execute("SET SCHEMA " + (target.startsWith("duckdb") ? "'shop'" : "shop"));
                assertThat(app.query("SELECT v FROM t WHERE id = 1")).isEqualTo("20;");
                app.update("UPDATE t SET v = 21 WHERE id = 1");
                app.connection().setSchema(home);
                assertThat(app.query("SELECT v FROM t WHERE id = 1")).isEqualTo("10;");

                assertThat(app.since().stream().map(RecordedSchemasTest::withoutCase))
                        .containsExactly(
                                "committed [[w,t/1,{id:1,v:10}],[w,shop.t/1,{id:1,v:20}]]",
                                "committed [[r,t/1,{id:1,v:10}]]",
                                "committed [[r,shop.t/1,{id:1,v:20}]]",
                                "committed [[r,shop.t/1,{id:1,v:20}]]",
                                "committed [[w,shop.t/1,{id:1,v:21}]]",
                                "committed [[r,t/1,{id:1,v:10}]]");
            }
        }
        assertThat(archive.resolve("_manifest.json")).content().contains("\"not_recorded\" : {}");
        assertThat(checked(archive, "all").verdict().word()).isEqualTo("holds");
    }

    @Test
    void connectionsThatBeginInOtherSchemasDoNotMixTheirTables() throws Exception {
        Path archive = directory.resolve("archive");
        String target = "h2:mem:two-schemas;DATABASE_TO_LOWER=TRUE";
        try (Connection direct = DriverManager.getConnection("jdbc:" + target)) {
            execute(direct, "CREATE TABLE t (id INTEGER PRIMARY KEY)");
            execute(direct, "CREATE SCHEMA shop");
            execute(direct, "CREATE TABLE shop.t (id INTEGER PRIMARY KEY)");
            try (RecordedStatements home = new RecordedStatements(recorded(target, archive), archive);
                    Connection shop = DriverManager.getConnection(recorded(target + ";SCHEMA=shop", archive))) {
                home.update("INSERT INTO t VALUES (1)");
                execute(shop, "INSERT INTO t VALUES (2)");

                assertThat(home.since())
                        .containsExactly(
                                "committed [[\"w\",\"t/1\",{\"id\":1}]]",
                                "committed [[\"w\",\"shop.t/2\",{\"id\":2}]]");
            }
        }
    }

    /** A level that held over a part of the rows would prove nothing. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SET SCHEMA_SEARCH_PATH shop, public",
                "SET AUTOCOMMIT OFF",
                "SET SCHEMA shop; INSERT INTO t VALUES (7, 7)"
            })
    void unrecordableChangesLeaveLevelsUndecided(String statement) throws Exception {
        Path archive = directory.resolve("archive");
        String target = "h2:mem:" + statement.hashCode() + ";DATABASE_TO_LOWER=TRUE";
        try (Connection direct = DriverManager.getConnection("jdbc:" + target)) {
            execute(direct, "CREATE TABLE t (id INTEGER PRIMARY KEY, v INTEGER)");
            execute(direct, "CREATE SCHEMA shop");
            execute(direct, "CREATE TABLE shop.t (id INTEGER PRIMARY KEY, v INTEGER)");
            try (RecordedStatements app = new RecordedStatements(recorded(target, archive), archive);
                    RecordedStatements other = new RecordedStatements(recorded(target, archive), archive)) {
                app.update("INSERT INTO t VALUES (1, 10)");
                app.connection().setAutoCommit(false);
                app.query("SELECT v FROM t WHERE id = 1");
                app.execute(statement);
                app.execute("INSERT INTO t (id) VALUES (9)");
                app.connection().commit();
                assertThat(other.query("SELECT id FROM t WHERE id = 9 OR id = 1"))
                        .contains("1;");
            }
        }
        RunResult result = checked(archive, "si,ser");
        assertThat(result.verdict().word()).as("%s", result).isEqualTo("undecided");
        assertThat(CommandRun.of("convert", "" + archive, "" + directory.resolve("all.parquet"))
                        .code())
                .isZero();
        assertThat(checked(directory.resolve("all.parquet"), "si,ser").verdict().word())
                .isEqualTo("undecided");
    }

    @Test
    void whatGoesAroundTheRecordingLeavesLevelsOpen() throws Exception {
        Path archive = directory.resolve("archive");
        try (RecordedStatements app = new RecordedStatements(recorded("h2:mem:around", archive), archive)) {
            app.execute("CREATE TABLE t (id INTEGER PRIMARY KEY)");
            app.update("INSERT INTO t VALUES (1)");
            try (Statement statement = app.connection().createStatement();
                    ResultSet rows = statement.executeQuery("SELECT * FROM t WHERE id = 1")) {
                assertThat(rows.getStatement()).isSameAs(statement);
                assertThat(statement.getConnection()).isSameAs(app.connection());
                assertThat(app.connection().getMetaData().getConnection()).isSameAs(app.connection());
                assertThat(rows.next()).isTrue();
            }
        }
        assertThat(checked(archive, "ser").verdict().word()).isEqualTo("holds");

        Path around = directory.resolve("around");
        try (RecordedStatements app = new RecordedStatements(recorded("h2:mem:around", around), around)) {
            app.execute("CREATE TABLE t (id INTEGER PRIMARY KEY)");
            app.update("INSERT INTO t VALUES (1)");
            app.connection().unwrap(org.h2.jdbc.JdbcConnection.class);
        }
        assertThat(checked(around, "ser").verdict().word()).isEqualTo("undecided");
    }

    private static String recorded(String target, Path archive) {
        return "jdbc:nightjar:" + target + (target.contains("duckdb") ? "?" : ";") + "nightjar.archive=" + archive;
    }

    private static String withoutCase(String line) {
        return line.toLowerCase(java.util.Locale.ROOT).replace("\"", "");
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static RunResult checked(Path history, String levels) {
        CommandRun run = CommandRun.of("check", "" + history, "--level", levels, "--lake", "none", "--json");
        assertThat(run.code()).as(run.err()).isLessThanOrEqualTo(2);
        return RunResultJson.read(run.out());
    }
}
