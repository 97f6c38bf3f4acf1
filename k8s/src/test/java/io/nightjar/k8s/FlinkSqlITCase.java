package io.nightjar.k8s;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.jobs.cli.CommandLines;
import io.nightjar.jobs.lake.Lake;
import io.nightjar.jobs.lake.LakeTable;
import io.nightjar.jobs.objects.S3ProxyServer;
import io.nightjar.jobs.sql.ResultSink;
import io.nightjar.jobs.sql.SqlSession;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What Flink SQL answers over a lake and a history that we wrote, against what our own SQL answers. */
@Tag("slow")
class FlinkSqlITCase {

    private static final Pattern FRACTION = Pattern.compile("(?<![\\w.:-])\\d+\\.\\d+(E-?\\d+)?(?![\\w.:])");
    private static final Pattern EXAMPLE = Pattern.compile("```sql\n(.*?)```", Pattern.DOTALL);

    /** Flink's way to make operations rows, and DuckDB's. */
    private static final String FLINK_UNNEST =
            "CROSS JOIN UNNEST(h.ops) AS o (kind, `key`, `value`, elements, version, writer_txn)";

    @TempDir
    private static Path folder;

    private static Path lake;
    private static Path history;
    private static MiniCluster cluster;
    private static FlinkSql flink;

    @BeforeAll
    static void checkOneHistoryThreeTimes() throws Exception {
        history = folder.resolve("orders.parquet");
        lake = folder.resolve("lake");
        run(0, "generate", history.toString(), "--transactions", "300", "--seed", "7");
        run(0, "check", history.toString(), "--lake", lake.toString(), "--run-id", "r-1", "--level", "si");
        run(0, "generate", history.toString(), "--transactions", "300", "--seed", "7", "--fault", "stale-read=3");
        run(1, "check", history.toString(), "--lake", lake.toString(), "--run-id", "r-2", "--level", "si,ser");
        run(1, "check", history.toString(), "--lake", lake.toString(), "--run-id", "r-3", "--level", "si,ser,rc");
        leaveHalfARun("r-3");
        cluster = FlinkSql.startCluster();
        flink = FlinkSql.open(cluster, lake.toString(), history.toString(), "BIGINT", "BIGINT");
    }

    @AfterAll
    static void stopTheCluster() throws Exception {
        cluster.close();
    }

    private static void run(int expected, String... arguments) {
        assertThat(CommandLines.run(arguments)).as(String.join(" ", arguments)).isEqualTo(expected);
    }

    /** As a process leaves it that is killed while it gives the tables of a run their names. */
    private static void leaveHalfARun(String run) throws IOException {
        Files.delete(lake.resolve("_runs").resolve(run).resolve("_SUCCESS"));
        Files.delete(lake.resolve("_runs").resolve(run).resolve("run.json"));
        for (Path file : Lake.open(lake).files(LakeTable.RUNS, Set.of(run))) {
            Files.move(file, file.resolveSibling("." + file.getFileName() + ".tmp"));
        }
    }

    static List<String> examples() throws IOException {
        List<String> examples = new ArrayList<>();
        Matcher example = EXAMPLE.matcher(Files.readString(FlinkSql.DDL.resolveSibling("flink-sql.md")));
        while (example.find()) {
            examples.add(example.group(1).strip());
        }
        return examples;
    }

    @Test
    void thereAreExamples() throws IOException {
        assertThat(examples()).hasSizeGreaterThan(8);
    }

    @ParameterizedTest
    @MethodSource("examples")
    void everyExampleIsAnsweredAsByOurOwnSql(String query) {
        List<String> rows = flink.rows(query);

        assertThat(inNanoseconds(rows))
                .isNotEmpty()
                .containsExactlyInAnyOrderElementsOf(inNanoseconds(ours(inDuckDb(query))));
    }

    @Test
    void examplesOverBucketAreAnsweredAsOverFiles() throws Exception {
        try (S3ProxyServer server = S3ProxyServer.start(folder);
                Stream<Path> files = Files.walk(lake)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.write(server.root().resolve("lake/" + lake.relativize(file)), Files.readAllBytes(file));
            }
            Files.write(server.root().resolve("orders.parquet"), Files.readAllBytes(history));
            FlinkSql.useStore(server.environment());
            FlinkSql bucket =
                    FlinkSql.open(cluster, "s3://archive/lake", "s3://archive/orders.parquet", "BIGINT", "BIGINT");

            for (String query : examples()) {
                assertThat(inNanoseconds(bucket.rows(query)))
                        .as(query)
                        .isNotEmpty()
                        .containsExactlyInAnyOrderElementsOf(inNanoseconds(flink.rows(query)));
            }
        }
    }

    /** Rounds fractions to nine digits: the last bit of a sum depends on the order in which an engine adds. */
    private static List<String> inNanoseconds(List<String> rows) {
        return rows.stream()
                .map(row -> FRACTION.matcher(row).replaceAll(found -> new BigDecimal(found.group())
                        .setScale(9, RoundingMode.HALF_EVEN)
                        .toPlainString()))
                .toList();
    }

    @Test
    void everyTableAndViewIsThereWithEveryColumn() {
        for (LakeTable table : LakeTable.values()) {
            List<String> columns =
                    table.columns().stream().map(LakeTable.Column::name).toList();

            assertThat(flink.columns(table.tableName())).as(table.tableName()).isEqualTo(columns);
        }
        assertThat(flink.names()).contains("v_latest_run", "v_new_anomalies", "v_anomalies_readable", "history");
    }

    @Test
    void everyRowOfEveryTableIsRead() {
        for (LakeTable table : LakeTable.values()) {
            String query = "SELECT * FROM " + table.tableName();

            assertThat(flink.rows(query)).as(query).containsExactlyInAnyOrderElementsOf(ours(query));
        }
    }

    @Test
    void theViewsAreThoseOfOurOwnSql() {
        for (String view : List.of("v_latest_run", "v_new_anomalies", "v_anomalies_readable")) {
            String query = "SELECT * FROM " + view;

            assertThat(flink.rows(query)).as(view).isNotEmpty().containsExactlyInAnyOrderElementsOf(ours(query));
        }
    }

    @Test
    void aRunThatIsNotCompleteIsPassedOver() {
        assertThat(flink.rows("SELECT DISTINCT run_id FROM stored_anomalies")).contains("r-3");
        assertThat(flink.rows("SELECT DISTINCT run_id FROM anomalies")).containsExactly("r-2");
        assertThat(flink.rows("SELECT DISTINCT run_id FROM level_verdicts")).containsExactlyInAnyOrder("r-1", "r-2");
        assertThat(flink.rows("SELECT run_id FROM v_latest_run")).containsExactly("r-2");
    }

    @Test
    void aTableWithoutRowsIsEmpty() {
        assertThat(lake.resolve("dead_letters")).doesNotExist();

        assertThat(flink.rows("SELECT COUNT(*) FROM dead_letters")).containsExactly("0");
    }

    @Test
    void everyTransactionOfAHistoryIsRead() {
        String query =
                "SELECT txn_id, session_id, session_seq, status, start_ts, commit_ts, invoke_ns, complete_ns, extra FROM ";

        assertThat(flink.rows(query + "history"))
                .hasSize(300)
                .containsExactlyInAnyOrderElementsOf(ours(query + "history('" + history + "')"));
    }

    @Test
    void listsAndStringsOfAHistoryInPartsAreRead() throws Exception {
        Path parts = Files.createDirectories(folder.resolve("lists"));
        for (int part = 0; part < 2; part++) {
            Path text = folder.resolve("lists" + part + ".txt");
            Files.writeString(
                    text,
                    """
                    s%1$d T%2$d [%2$d0,%2$d5]: append(l,1%1$d) append(l,2%1$d) w(x,7)
                    s%1$d T%3$d [%3$d0,%3$d5]: r(l,[1%1$d,2%1$d]) r(m,[]) r(x,_)
                    """
                            .formatted(part, 2 * part + 1, 2 * part + 2));
            run(
                    0,
                    "convert",
                    text.toString(),
                    parts.resolve("part-" + part + ".parquet").toString());
        }
        FlinkSql lists = FlinkSql.open(cluster, lake.toString(), parts.toString(), "STRING", "BIGINT");

        List<String> rows =
                lists.rows("SELECT h.txn_id, o.kind, o.`key`, o.`value`, o.elements FROM history h " + FLINK_UNNEST);

        assertThat(rows)
                .contains("1 | append | l | 10 | null", "2 | r | l | null | [10, 20]", "4 | r | l | null | [11, 21]")
                .containsExactlyInAnyOrderElementsOf(ours("SELECT txn_id, kind, key, value, elements FROM "
                        + "(SELECT txn_id, unnest(ops, max_depth := 2) FROM history('" + parts + "'))"));
    }

    @Test
    void aColumnThatAnotherWriterLeftOutIsNull() throws Exception {
        Path file = folder.resolve("fewer-columns.parquet");
        writeWithDuckDb("txn_id, session_id, session_seq, status, commit_ts, ops", file);
        FlinkSql fewer = FlinkSql.open(cluster, lake.toString(), file.toString(), "BIGINT", "BIGINT");

        assertThat(fewer.rows("SELECT COUNT(*), COUNT(start_ts), COUNT(extra) FROM history"))
                .containsExactly("300 | 0 | 0");
        assertThat(fewer.rows("SELECT COUNT(*), COUNT(commit_ts) FROM history"))
                .containsExactlyElementsOf(ours("SELECT count(*), count(commit_ts) FROM history('" + history + "')"));
    }

    @Test
    void missingOperationMembersAreNullAfterConversion() throws Exception {
        String members = "{'kind': o.kind, 'key': o.key, 'value': o.value}";
        Path file = folder.resolve("fewer-members.parquet");
        writeWithDuckDb("* EXCLUDE (ops), list_transform(ops, lambda o: " + members + ") AS ops", file);
        Path converted = folder.resolve("all-members.parquet");
        run(0, "convert", file.toString(), converted.toString());
        FlinkSql all = FlinkSql.open(cluster, lake.toString(), converted.toString(), "BIGINT", "BIGINT");

        assertThat(all.rows("SELECT COUNT(o.kind), COUNT(o.elements), COUNT(o.version) FROM history h " + FLINK_UNNEST))
                .containsExactly("4500 | 0 | 0");
    }

    private static void writeWithDuckDb(String columns, Path file) {
        ours("COPY (SELECT %s FROM history('%s')) TO '%s' (FORMAT parquet)".formatted(columns, history, file));
    }

    /** The same question in DuckDB's words. */
    private static String inDuckDb(String query) {
        return query.replace(FLINK_UNNEST, "CROSS JOIN (SELECT unnest(h.ops, max_depth := 2)) o")
                .replace("history h", "history('" + history + "') h")
                .replace('`', '"');
    }

    private static List<String> ours(String query) {
        Lines lines = new Lines();
        try (SqlSession session = SqlSession.open(Lake.open(lake))) {
            session.run(query, lines);
        }
        return lines.rows;
    }

    /** Rows as {@link FlinkSql} writes them. */
    private static final class Lines implements ResultSink {

        private final List<String> rows = new ArrayList<>();

        @Override
        public void begin(List<String> columns) {}

        @Override
        public void row(List<Object> cells) {
            rows.add(cells.stream().map(String::valueOf).collect(Collectors.joining(" | ")));
        }

        @Override
        public void end() {}
    }
}
