package io.nightjar.jobs.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.fixtures.Seeds;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.RunResult.LevelResult;
import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.lake.Lake;
import io.nightjar.jobs.lake.LakeFixtures;
import io.nightjar.jobs.lake.LakeNames;
import io.nightjar.jobs.lake.LakeRow;
import io.nightjar.jobs.lake.RunWriter;
import io.nightjar.jobs.sql.SqlSession;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportPageTest {

    private static final String[] HOSTILE = {
        "</script>",
        "<script>alert(1)</script>",
        "\"",
        "'",
        "`",
        "\" onload=\"alert(1)",
        "' onmouseover='alert(1)",
        "<img src=x onerror=alert(1)>",
        "<!--",
        "-->",
        "]]>",
        "<![CDATA[",
        "</style>",
        "</title>",
        "</svg>",
        "&lt;",
        "&#x3c;script&#x3e;",
        "javascript:alert(1)",
        "\u0000",
        "\u0007",
        "\n",
        "\r",
        "\t",
        "\u2028",
        "\u2029",
        "\u202e",
        "\u2066",
        "\u200f",
        "\ufeff",
        "\ud800",
        "\udc00",
        "\uffff",
        "😀",
        "שלום",
        "9007199254740993",
        ") w(",
        "…+5 ",
        "${x}",
        "{{x}}",
        "%s",
        "\\u003cscript\\u003e",
        "a,b",
        "(",
        ")",
        " "
    };

    private static final String HIDDEN = "\u2028\u2029\u202e\u2066\u200f\ufeff\uffff";

    @TempDir
    Path folder;

    @Test
    void verdictPrecedesLevelsAndAnomalies() {
        LakeFixtures.writeFullRun(folder, "r1");

        String text = PageTags.of(page("r1")).text().replaceAll("\\s+", " ");

        assertThat(text)
                .containsSubsequence(
                        "violated",
                        "orders.parquet violates snapshot isolation",
                        "Not decided:",
                        "serializable",
                        "Where and when",
                        "commit timestamp",
                        "Levels",
                        "budget",
                        "Anomalies",
                        "EXT",
                        "T3 read x=1, but its snapshot at 30 shows x=2",
                        "Who comes before whom",
                        "When",
                        "Source rows",
                        "Lint and dead letters",
                        "L13",
                        "1 dead letter",
                        "Cost by stage",
                        "Provenance",
                        "sha256:abc");
    }

    @Test
    void aRunWithoutAnomaliesSaysSo() {
        LakeFixtures.writeRun(folder, "r1", "orders.parquet", LakeFixtures.MIDNIGHT);

        assertThat(PageTags.of(page("r1")).text()).contains("No anomaly was found.", "None.");
    }

    @Test
    void missingHistoryIsReported() {
        LakeFixtures.writeRun(folder, "r1", "orders.parquet", LakeFixtures.MIDNIGHT, "x");

        assertThat(PageTags.of(page("r1")).text()).contains("The history is not there any more: orders.parquet");
    }

    @Test
    void newAnomaliesAreDistinguishedFromPreviousRun() {
        LakeFixtures.writeRun(folder, "r1", "orders.parquet", LakeFixtures.MIDNIGHT, "x", "old");
        LakeFixtures.writeRun(folder, "r2", "orders.parquet", LakeFixtures.MIDNIGHT.plusSeconds(60), "x", "y", "z");

        RunReport report = read("r2").runs().get(0);

        assertThat(report.counts().newCount()).isEqualTo(2);
        assertThat(report.baseline().runId()).isEqualTo("r1");
        assertThat(report.baseline().goneCount()).isEqualTo(1);
        assertThat(report.groups().get(0).shown().shown().get(0).row().objectKey())
                .isIn("y", "z");
    }

    @Test
    void aLakeOfSeveralHistoriesBeginsWithAllOfThem() {
        LakeFixtures.writeRun(folder, "r1", "good.parquet", LakeFixtures.MIDNIGHT);
        LakeFixtures.writeRun(folder, "r2", "bad.parquet", LakeFixtures.MIDNIGHT.plusSeconds(5), "x");
        LakeFixtures.writeRun(folder, "r3", "bad.parquet", LakeFixtures.MIDNIGHT.plusSeconds(9), "x", "y");

        Report report = lake();
        PageTags page = PageTags.of(ReportPage.write(report));

        assertThat(report.runIds()).containsExactly("r3", "r1");
        assertThat(page.text()).contains("1 of 2 histories violated");
        assertThat(page.ids())
                .contains("overview", "run-1", "run-2", "r1-levels", "r2-levels")
                .doesNotHaveDuplicates();
    }

    @Test
    void sentenceThatBeginsWithHebrewRunsFromLeftToRight() {
        assertThat(new Markup().sentence("אחר, which no transaction <wrote>").toString())
                .isEqualTo("<bdi dir=\"ltr\">אחר, which no transaction &lt;wrote&gt;</bdi>");
    }

    @Test
    void aLakeWithoutACompleteRunIsWrongUsage() {
        assertThatThrownBy(this::lake).isInstanceOf(UsageException.class).hasMessageContaining("no complete run");
    }

    @Test
    void omittedAnomaliesAreCountedWithTheirQuery() {
        int count = 100_000;
        try (RunWriter run = Lake.open(folder).begin("r1", LakeNames.historyId("orders.parquet"))) {
            for (int i = 0; i < count; i++) {
                LakeFixtures.addStaleRead(run, "k" + i);
            }
            run.commit(LakeFixtures.result("r1", count), LakeFixtures.facts(LakeFixtures.MIDNIGHT));
        }

        String page = page("r1");

        assertThat(page.length()).isLessThan(2_000_000);
        assertThat(PageTags.of(page).text())
                .contains(
                        "100,000 stale reads rule out snapshot isolation.",
                        "Listed here: 11 of 100,000 in the tables. All: nightjar sql",
                        "And 99,989 more: nightjar sql",
                        "16 of 100,000");
    }

    @Test
    void anomaliesOutsideTheTablesAreNamedToo() {
        RunResult counted = LakeFixtures.result("r1", 1);
        Map<IsolationLevel, LevelResult> levels = new LinkedHashMap<>(counted.levels());
        levels.put(
                IsolationLevel.SERIALIZABLE,
                new LevelResult(
                        Verdict.VIOLATED,
                        "timestamps",
                        null,
                        970,
                        Map.of("EXT", 1L, "G2-item", 960L, "G2-item-process", 9L),
                        true,
                        0));
        try (RunWriter run = Lake.open(folder).begin("r1", LakeNames.historyId("orders.parquet"))) {
            LakeFixtures.addStaleRead(run, "x");
            run.commit(with(counted, levels), LakeFixtures.facts(LakeFixtures.MIDNIGHT));
        }

        assertThat(PageTags.of(page("r1")).text())
                .contains(
                        "1 stale read rules out snapshot isolation; 969 anti-dependency cycles rule out serializable.");
    }

    private static RunResult with(RunResult result, Map<IsolationLevel, LevelResult> levels) {
        return new RunResult(
                result.history(),
                Verdict.VIOLATED,
                new RunResult.Size(3, 4, 2, 2),
                new RunResult.How("timestamps", "local", result.runId(), 0.25),
                levels,
                result.report());
    }

    @Test
    void operationsThatMatterPrecedeTheOthers() {
        LakeFixtures.writeRun(folder, "r1", "orders.parquet", LakeFixtures.MIDNIGHT, "x");

        assertThat(PageTags.of(page("r1")).text().replaceAll("\\s+", " "))
                .containsSubsequence("Transaction", "Operations", "T3", "…+1 r(x,1)", "all 2", "w(other,7) r(x,1)");
    }

    @Test
    void thePageAsksForNothingOutside() {
        LakeFixtures.writeFullRun(folder, "r1");

        String page = page("r1");

        assertThat(page.replace("http://www.w3.org/2000/svg", ""))
                .doesNotContain("http:", "https:", "@import", "url(http");
        assertThat(page).contains("default-src &#39;none&#39;");
    }

    @Test
    void numbersOf64BitsStayAsTheyAre() {
        try (RunWriter run = Lake.open(folder).begin("r1", LakeNames.historyId("orders.parquet"))) {
            LakeFixtures.addStaleRead(run, "9007199254740993");
            run.add(LakeFixtures.stage(run.ids(), "read", Long.MAX_VALUE));
            run.commit(LakeFixtures.result("r1", 1), LakeFixtures.facts(LakeFixtures.MIDNIGHT));
        }

        assertThat(page("r1")).contains("r(9007199254740993,1)", "9,223,372,036,854,775,807");
    }

    @Tag(Seeds.TAG)
    @Test
    void keysOfStrangersAreOnlyEverText() {
        LakeFixtures.writeFullRun(folder.resolve("plain"), "r0");
        PageTags plain = PageTags.of(ReportPage.write(read(folder.resolve("plain"), "r0")));
        for (long seed : Seeds.upTo(24)) {
            String key = hostile(new Random(seed));
            Path lake = folder.resolve("lake" + seed);
            try (RunWriter run = Lake.open(lake).begin("r1", LakeNames.historyId("orders.parquet"))) {
                LakeFixtures.addStaleRead(run, key);
                run.add(new LakeRow.LintFinding(run.ids(), key, key, 1, key, key));
                run.add(new LakeRow.DeadLetter(run.ids(), key, 9, key, key));
                run.add(LakeFixtures.stage(run.ids(), key, 3));
                run.commit(LakeFixtures.result("r1", 1), LakeFixtures.facts(LakeFixtures.MIDNIGHT));
            }

            String html = ReportPage.write(read(lake, "r1"));
            PageTags page = PageTags.of(html);

            assertThat(plain.elements()).as("seed=%s", seed).containsAll(page.elements());
            assertThat(plain.attributes()).as("seed=%s", seed).containsAll(page.attributes());
            assertThat(page.scripts()).as("seed=%s", seed).isEqualTo(1);
            assertThat(html.chars().filter(c -> c < ' ' && c != '\n'))
                    .as("seed=%s", seed)
                    .isEmpty();
            assertThat(html.chars().filter(c -> HIDDEN.indexOf(c) >= 0).count())
                    .as("seed=%s", seed)
                    .isZero();
        }
    }

    @Test
    void pageCheckDetectsInjectedElementsAndAttributes() {
        assertThat(PageTags.of("<html><p>x</p><img src=\"x\"/></html>").elements())
                .isEqualTo(Set.of("html", "p", "img"));
        assertThat(PageTags.of("<html><p title=\"\" onload=\"alert(1)\">x</p></html>")
                        .attributes())
                .contains("onload");
        assertThatThrownBy(() -> PageTags.of("<html><p></html></p>")).isInstanceOf(AssertionError.class);
    }

    private static String hostile(Random random) {
        StringBuilder key = new StringBuilder();
        for (int i = 0; i < 1 + random.nextInt(6); i++) {
            key.append(HOSTILE[random.nextInt(HOSTILE.length)]);
        }
        return key.toString();
    }

    private String page(String runId) {
        return ReportPage.write(read(runId));
    }

    private Report read(String runId) {
        return read(folder, runId);
    }

    private static Report read(Path lake, String runId) {
        Lake opened = Lake.open(lake);
        try (SqlSession session = SqlSession.open(opened)) {
            return new ReportReader(opened, session, "test", true).run(runId, null);
        }
    }

    private Report lake() {
        Lake opened = Lake.open(folder);
        try (SqlSession session = SqlSession.open(opened)) {
            return new ReportReader(opened, session, "test", true).lake(null);
        }
    }
}
