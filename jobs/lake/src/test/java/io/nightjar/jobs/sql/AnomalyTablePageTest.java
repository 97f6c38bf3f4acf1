package io.nightjar.jobs.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.jobs.lake.Lake;
import io.nightjar.jobs.lake.LakeFixtures;
import io.nightjar.jobs.lake.LakeTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The user's page on the tables is true. */
class AnomalyTablePageTest {

    private static final Pattern QUERY = Pattern.compile("```sql\n(.*?)```", Pattern.DOTALL);
    private static final Pattern DUCKDB = Pattern.compile("\\*\\*DuckDB\\*\\*.*?```\n(.*?)```", Pattern.DOTALL);

    @TempDir
    Path folder;

    private String page;

    @BeforeEach
    void readPage() throws IOException {
        page = Files.readString(Path.of("../../docs/anomaly-table.md"));
    }

    @ParameterizedTest
    @EnumSource
    void everyColumnHasRowInSectionOfItsTable(LakeTable table) {
        int start = page.indexOf("### `" + table.tableName() + "`");
        int end = page.indexOf("\n#", start + 1);
        String section = page.substring(start, end);

        List<String> described = new ArrayList<>();
        for (String line :
                section.lines().filter(line -> line.startsWith("| `")).toList()) {
            String[] cells = line.split("\\|");
            for (String name : cells[1].split(",")) {
                described.add(name.strip().replace("`", "") + " " + cells[2].strip());
            }
        }

        assertThat(described)
                .containsExactlyInAnyOrderElementsOf(table.columns().stream()
                        .map(column ->
                                column.name() + " " + column.type().name().toLowerCase(Locale.ROOT))
                        .toList());
    }

    @Test
    void everyExampleQueryRuns() {
        LakeFixtures.writeFullRun(folder, "r1");
        try (SqlSession session = SqlSession.open(Lake.open(folder))) {
            Matcher query = QUERY.matcher(page);
            int count = 0;
            while (query.find()) {
                assertThat(CollectedRows.of(session, query.group(1)).columns).isNotEmpty();
                count++;
            }
            assertThat(count).isEqualTo(8);
        }
    }

    @Test
    void duckDbReadsTheFilesWithoutUs() {
        LakeFixtures.writeFullRun(folder.resolve("nightjar-lake"), "r1");
        Matcher statements = DUCKDB.matcher(page);
        assertThat(statements.find()).isTrue();
        String sql = statements
                .group(1)
                .replace("nightjar-lake", folder.resolve("nightjar-lake").toString());
        try (SqlSession session = SqlSession.open(null)) {
            CollectedRows rows = CollectedRows.of(session, sql);

            assertThat(rows.rows).hasSize(2);
            assertThat(rows.columns).hasSize(LakeTable.ANOMALIES.columns().size());
        }
    }
}
