package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nightjar.jobs.lake.Lake;
import io.nightjar.jobs.lake.LakeFixtures;
import io.nightjar.jobs.lake.LakeNames;
import io.nightjar.jobs.lake.RunWriter;
import io.nightjar.jobs.serve.LakeServer;
import io.nightjar.site.DocumentSite;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The pages as a browser shows them. */
@Tag("slow")
class ReportInBrowserITCase {

    private static final String ACCESSIBILITY = resource("accessibility.js");

    private static final String HOSTILE =
            "</script><script>window.hacked=1</script><img src=x onerror=window.hacked=2>\" onload=\"window.hacked=3";

    @TempDir
    static Path folder;

    private static HeadlessBrowser browser;
    private static Path oneRun;
    private static Path manyRuns;

    @BeforeAll
    static void checkHistoriesAndStartTheBrowser() throws IOException {
        assumeTrue(HeadlessBrowser.isThere(), "no browser: Debian's packages chromium and chromium-driver have one");
        Path lake = folder.resolve("lake");
        Path history = folder.resolve("orders.parquet");
        CommandRun.of(
                "generate",
                history.toString(),
                "--transactions=600",
                "--sessions=6",
                "--keys=40",
                "--fault=stale-read=6,lost-update=2,session-break=2");
        assertThat(CommandRun.check(history, lake, "--run-id=before", "--level=si")
                        .code())
                .isEqualTo(1);
        assertThat(CommandRun.check(history, lake, "--run-id=values", "--evidence=values", "--level=all")
                        .code())
                .isEqualTo(1);
        oneRun = report(lake, "one.html", "--run=values");
        LakeFixtures.writeFullRun(lake, "strange");
        LakeFixtures.writeRun(
                lake, "hostile", "hostile.parquet", LakeFixtures.MIDNIGHT, HOSTILE, "x", "y", "z", "v", "w");
        LakeFixtures.writeRun(lake, "clean", "clean.parquet", LakeFixtures.MIDNIGHT);
        manyRuns = report(lake, "many.html");
        browser = HeadlessBrowser.start();
        browser.size(1280, 900);
    }

    /** A page whose server has ended still requests it. */
    @BeforeEach
    void leaveTheEarlierPage() {
        browser.leave();
        browser.console();
    }

    @AfterAll
    static void endTheBrowser() throws IOException {
        if (browser != null) {
            browser.close();
        }
    }

    @Test
    void everyoneCanUseThePageOfOneRun() {
        assertUsable(oneRun.toUri().toString());
    }

    @Test
    void everyoneCanUseThePageOfALake() {
        assertUsable(manyRuns.toUri().toString());
    }

    @Test
    void everyoneCanUseTheDocuments() throws IOException {
        Path site = folder.resolve("site");
        DocumentSite.read(Path.of("").toAbsolutePath().getParent().getParent()).write(site);
        try (Stream<Path> pages = Files.walk(site)) {
            for (Path page :
                    pages.filter(file -> file.toString().endsWith(".html")).toList()) {
                assertUsable(page.toUri().toString());
            }
        }
    }

    @Test
    void accessibilityFaultsAreDetected() throws IOException {
        Path page = folder.resolve("bad.html");
        Files.writeString(
                page,
                "<!DOCTYPE html><html><head></head><body><h1 id=x>a</h1><h3 id=x>b</h3><p style='color:#999'>pale</p><button></button>"
                        + "<svg></svg><table><tr><td>1</td></tr></table><a href='#nowhere'>go</a><div role=region style='width:9999px'>w</div>"
                        + "</body></html>");
        open(page);

        assertThat(String.join("\n", browser.<List<String>>run(ACCESSIBILITY)))
                .contains(
                        "no language",
                        "no title",
                        "landmark main",
                        "skips a level",
                        "an id twice",
                        "contrast of 2.85",
                        "a control without a name",
                        "a picture without a role",
                        "a table without headers",
                        "a link to nowhere",
                        "wider than the window");
        browser.console();
    }

    @Test
    void targetOfSummaryLinkIsOpened() {
        open(oneRun);
        browser.run("document.querySelectorAll('details').forEach(fold => { fold.open = false; });"
                + " document.querySelector('.first a').click()");

        browser.await("document.querySelector('.anomaly').open && document.querySelector('.group').open");
        assertSilent();
    }

    @Test
    void allFoldsOpenAndCloseAtOnce() {
        open(oneRun);

        browser.run("document.querySelector('[data-do=unfold]').click()");
        assertThat(browser.<Boolean>run("return [...document.querySelectorAll('details')].every(fold => fold.open)"))
                .isTrue();
        browser.run("document.querySelector('[data-do=unfold]').click()");
        assertThat(browser.<Boolean>run("return [...document.querySelectorAll('details')].some(fold => fold.open)"))
                .isFalse();
    }

    @Test
    void filterKeepsMatchingRows() {
        open(manyRuns);
        String id = browser.run("return document.querySelector('.anomaly .id').textContent");
        browser.run("const field = document.querySelector('input[type=search]'); field.value = '" + id
                + "'; field.dispatchEvent(new Event('input'))");

        assertThat(browser.<Long>run(
                        "return [...document.querySelector('.filter').parentElement.querySelectorAll('[data-find]')]"
                                + ".filter(item => !item.classList.contains('hidden')).length"))
                .isEqualTo(1);
        assertThat(browser.<String>run("return document.querySelector('.filter output').textContent"))
                .startsWith("1 of ");
    }

    @Test
    void theThemeIsTheSystemsUntilAReaderChooses() {
        browser.dark(true);
        open(oneRun);
        String dark = browser.run("return getComputedStyle(document.body).backgroundColor");
        browser.run("document.querySelector('[data-do=theme]').click()");
        String chosen = browser.run("return getComputedStyle(document.body).backgroundColor");
        browser.run("document.querySelector('[data-do=theme]').click(); localStorage.clear()");
        browser.dark(false);
        open(oneRun);

        assertThat(chosen).isNotEqualTo(dark);
        assertThat(browser.<String>run("return getComputedStyle(document.body).backgroundColor"))
                .isEqualTo(chosen);
    }

    @Test
    void theTimelineZooms() {
        open(oneRun);
        String width = "Number(document.querySelector('svg.timeline rect.bar').getAttribute('width'))";
        double before = browser.<Number>run("return " + width).doubleValue();

        browser.run("document.querySelector('[data-zoom=in]').click()");
        assertThat(browser.<Number>run("return " + width).doubleValue()).isGreaterThan(before);
        browser.run("document.querySelector('[data-zoom=all]').click()");
        assertThat(browser.<Number>run("return " + width).doubleValue()).isEqualTo(before);
    }

    @Test
    void drawingsOverTimeSpanTheAxis() {
        open(oneRun);
        for (int width : new int[] {1280, 400}) {
            browser.size(width, 900);

            assertThat(browser.<List<Object>>run(
                            "const widths = [...document.querySelectorAll('.map svg, .map-axis')].map(each => each.getBoundingClientRect().width);"
                                    + " const cut = [...document.querySelectorAll('.map-label')].filter(each => each.scrollWidth > each.clientWidth);"
                                    + " return [new Set(widths).size, widths.length > 3, cut.length]"))
                    .isEqualTo(List.of(1L, true, 0L));
        }
        browser.size(1280, 900);
    }

    @Test
    void labelsOfAxisStayInsideAndApart() {
        open(oneRun);
        for (int width : new int[] {1440, 400}) {
            browser.size(width, 900);

            assertThat(browser.<List<Object>>run(
                            "const axis = document.querySelector('.map-axis').getBoundingClientRect();"
                                    + " const boxes = [...document.querySelectorAll('.map-axis span')].map(each => each.getBoundingClientRect()).filter(each => each.width);"
                                    + " return [boxes.length > 1, boxes.every(each => each.left >= axis.left - 1 && each.right <= axis.right + 1),"
                                    + " boxes.every((each, i) => i === 0 || boxes[i - 1].right < each.left)]"))
                    .as("width=%s", width)
                    .isEqualTo(List.of(true, true, true));
        }
        browser.size(1280, 900);
    }

    @Test
    void pageOfManyAnomaliesIsShort() throws IOException {
        Path lake = folder.resolve("huge");
        int count = 100_000;
        try (RunWriter run = Lake.open(lake).begin("huge", LakeNames.historyId("orders.parquet"))) {
            for (int i = 0; i < count; i++) {
                LakeFixtures.addStaleRead(run, "customers/" + "k".repeat(i % 100) + i);
            }
            run.commit(LakeFixtures.result("huge", count), LakeFixtures.facts(LakeFixtures.MIDNIGHT));
        }
        Path page = report(lake, "huge.html");
        open(page);

        assertThat(Files.size(page)).isLessThan(2_000_000);
        for (int width : new int[] {1440, 400}) {
            browser.size(width, 900);
            assertThat(heightOf("html")).as("width=%s", width).isLessThan(6_000);
        }
        browser.size(1280, 900);
    }

    @Test
    void eachOfSeveralHistoriesFitsOneScreen() {
        Path lake = folder.resolve("three");
        for (String name : List.of("orders", "stock", "mail")) {
            LakeFixtures.writeRun(lake, name, name + ".parquet", LakeFixtures.MIDNIGHT, "x", "y", "z");
        }
        open(report(lake, "three.html"));
        browser.size(1440, 900);

        for (int run = 1; run <= 3; run++) {
            assertThat(heightOf("#run-" + run)).isLessThan(900);
        }
        browser.size(1280, 900);
    }

    private static double heightOf(String selector) {
        return browser.<Number>run("return document.querySelector('" + selector + "').getBoundingClientRect().height")
                .doubleValue();
    }

    @Test
    void aTransactionIsMarkedWhereverItIsShown() {
        open(oneRun);
        browser.run(
                "document.querySelector('svg.timeline g.txn').dispatchEvent(new MouseEvent('mouseover', { bubbles: true }))");

        assertThat(browser.<Boolean>run(
                        "return !!document.querySelector('tr.hot') && !!document.querySelector('svg g.txn.hot')"))
                .isTrue();
    }

    @Test
    void rowsAndQueriesAreCopied() {
        open(oneRun);
        browser.click(".copy");

        browser.await("document.querySelector('.copy').textContent !== 'Copy rows'");
        assertThat(browser.<String>run("return document.querySelector('.copy').dataset.copy"))
                .startsWith("T")
                .contains("orders.parquet row ", "\n");
        assertThat(browser.<String>run("return document.querySelector('.copy').textContent"))
                .isEqualTo("Copied");
        assertSilent();
    }

    @Test
    void keysOfStrangersRunNothing() {
        open(manyRuns);
        browser.run("document.querySelector('[data-do=unfold]').click()");

        assertThat(browser.<Boolean>run("return window.hacked === undefined && document.scripts.length === 1"))
                .isTrue();
        assertThat(browser.<String>run("return document.body.textContent"))
                .contains("<img src=x onerror=window.hacked=2>");
        assertSilent();
    }

    @Test
    void servedLakeShowsFinishedRunsAndAnswersQueries() throws IOException {
        Path lake = folder.resolve("served");
        LakeFixtures.writeRun(lake, "r1", "orders.parquet", LakeFixtures.MIDNIGHT, "x");
        try (LakeServer server = LakeServer.start(
                Lake.open(lake), "test", new InetSocketAddress("127.0.0.1", 0), List.of(), 64L << 20)) {
            String base = "http://127.0.0.1:" + server.port();
            assertUsable(base + "/");
            assertUsable(base + "/anomaly/" + LakeFixtures.staleRead("x").anomalyId());
            browser.open(base + "/");
            LakeFixtures.writeRun(lake, "r2", "later.parquet", LakeFixtures.MIDNIGHT.plusSeconds(9));
            browser.await("document.querySelectorAll('#overview tbody tr').length === 2");
            browser.run(
                    "document.querySelector('#sql-text').value = 'SELECT run_id, 9007199254740993 AS n FROM runs ORDER BY 1';"
                            + " document.querySelector('#sql-form button').click()");
            browser.await("document.querySelectorAll('#sql-result tbody tr').length === 2");

            assertThat(browser.<String>run("return document.querySelector('#sql-result tbody tr').textContent"))
                    .isEqualTo("r19007199254740993");
            browser.run("document.querySelector('#sql-saved').selectedIndex = 3;"
                    + " document.querySelector('#sql-saved').dispatchEvent(new Event('change'))");
            assertThat(browser.<String>run("return document.querySelector('#sql-text').value"))
                    .contains("level_verdicts");
            browser.await("document.querySelectorAll('#sql-schema details').length > 10");
            assertThat(browser.<String>run("return document.querySelector('#sql-schema').textContent"))
                    .contains("anomaly_edges", "edge_type");
            browser.run(
                    "window.saved = null; HTMLAnchorElement.prototype.click = function () { window.saved = this.download; }");
            browser.click("#sql-csv");
            browser.await("document.querySelector('#sql-result').textContent.startsWith('Saved query.csv')");
            assertThat(browser.<String>run("return window.saved")).isEqualTo("query.csv");
            assertUsable(base + "/");
            browser.open(base + "/");
            assertSilent();
            browser.run("document.querySelector('#overview a').click()");
            browser.await("location.pathname.startsWith('/run/') && !!document.querySelector('.banner')");
            assertSilent();
        }
    }

    @Test
    void runsOfHistoryAreCompared() throws IOException {
        Path lake = folder.resolve("compared");
        LakeFixtures.writeRun(lake, "first", "queue.parquet", LakeFixtures.MIDNIGHT, "w", "x");
        LakeFixtures.writeRun(lake, "second", "queue.parquet", LakeFixtures.MIDNIGHT.plusSeconds(9), "x");
        LakeFixtures.writeRun(lake, "third", "queue.parquet", LakeFixtures.MIDNIGHT.plusSeconds(18), "x", "y");
        try (LakeServer server = LakeServer.start(
                Lake.open(lake), "test", new InetSocketAddress("127.0.0.1", 0), List.of(), 64L << 20)) {
            String page = "http://127.0.0.1:" + server.port() + "/run/third";
            assertUsable(page);
            browser.open(page);
            browser.click("a[href='?baseline=first']");
            browser.await("!!document.getElementById('gone')");

            assertUsable(page + "?baseline=first");
            browser.click("#gone .anomaly a");
            browser.await("location.pathname.startsWith('/anomaly/') && location.search === '?run=first'");
            assertSilent();
        }
    }

    @Test
    void chosenAndDroppedFilesAreChecked() throws IOException {
        Path lake = Files.createDirectory(folder.resolve("files"));
        try (LakeServer server =
                LakeServer.start(Lake.open(lake), "test", new InetSocketAddress("127.0.0.1", 0), List.of(), 1 << 20)) {
            String base = "http://127.0.0.1:" + server.port();
            assertUsable(base + "/");
            browser.open(base + "/");
            send("'s1 T1 [1,2]: w(x,1)\\ns2 T2 [3,5]: w(x,2)\\ns3 T3 [4,6]: w(x,3)'", false);
            browser.await("!!document.querySelector('#check-result a')");
            assertThat(browser.<String>run("return document.querySelector('#check-result').textContent"))
                    .isEqualTo("bank.txt: violated");
            browser.click("#check-result a");
            browser.await("location.pathname.startsWith('/run/')");

            browser.open(base + "/");
            send("'s1 T1: w('", true);
            browser.await("document.querySelector('#check-result').textContent.includes('bank.txt line=1')");
            send("'s1 T1 [1,2]: w(x,1)'", true);
            browser.await("document.querySelector('#check-result').textContent === 'bank.txt: holds'");
            assertThat(browser.console()).hasSize(1).allMatch(message -> message.contains("422"));
            send("'x'.repeat(1048577)", true);
            browser.await("document.querySelector('#check-result').textContent.includes('at most 1,048,576 bytes')");
            assertUsable(base + "/");
        }
    }

    /** Sends a file as a person does who drops it, or chooses it and clicks. */
    private static void send(String content, boolean isDropped) {
        browser.run("const sent = new DataTransfer(); sent.items.add(new File([" + content + "], 'bank.txt'));"
                + (isDropped
                        ? " document.dispatchEvent(new DragEvent('drop', { dataTransfer: sent, bubbles: true, cancelable: true }))"
                        : " document.querySelector('#check-file').files = sent.files;"
                                + " document.querySelector('#check-form button').click()"));
    }

    /** A person drags a file from a folder: the browser opens it, and tells the page. */
    @Test
    void fileOfDiskIsDroppedOnThePage() throws IOException {
        Path file = Files.writeString(
                folder.resolve("dragged.txt"), "s1 T1 [1,2]: w(x,1)\ns2 T2 [3,5]: w(x,2)\ns3 T3 [4,6]: w(x,3)");
        Path lake = Files.createDirectory(folder.resolve("dragged"));
        try (LakeServer server =
                LakeServer.start(Lake.open(lake), "test", new InetSocketAddress("127.0.0.1", 0), List.of(), 1 << 20)) {
            browser.open("http://127.0.0.1:" + server.port() + "/");
            for (String type : List.of("dragEnter", "dragOver", "drop")) {
                browser.devtools(
                        "Input.dispatchDragEvent",
                        Map.of(
                                "type",
                                type,
                                "x",
                                300,
                                "y",
                                200,
                                "data",
                                Map.of(
                                        "items",
                                        List.of(),
                                        "files",
                                        List.of(file.toString()),
                                        "dragOperationsMask",
                                        1)));
            }
            browser.await("document.querySelector('#check-result').textContent === 'dragged.txt: violated'");
            assertSilent();
        }
    }

    /** Verifies pages in both themes, on a wide and on a narrow window, with all sections unfolded. */
    private static void assertUsable(String address) {
        browser.open(address);
        browser.run("document.querySelectorAll('details').forEach(fold => { fold.open = true; })");
        for (int width : new int[] {1280, 400}) {
            browser.size(width, 900);
            for (boolean isDark : new boolean[] {false, true}) {
                browser.dark(isDark);
                assertThat(browser.<List<Object>>run(ACCESSIBILITY))
                        .as("%s width=%s dark=%s", address, width, isDark)
                        .isEmpty();
            }
        }
        browser.size(1280, 900);
        browser.dark(false);
        assertSilent();
    }

    private static void assertSilent() {
        assertThat(browser.console()).isEmpty();
    }

    private static void open(Path page) {
        browser.open(page.toUri().toString());
    }

    private static Path report(Path lake, String name, String... more) {
        Path page = folder.resolve(name);
        List<String> args = new ArrayList<>(List.of("report", lake.toString(), "-o", page.toString()));
        args.addAll(List.of(more));
        CommandRun run = CommandRun.of(args.toArray(new String[0]));
        assertThat(run.code()).as("%s", run).isZero();
        assertThat(Files.exists(page)).isTrue();
        return page;
    }

    private static String resource(String name) {
        try (InputStream in = ReportInBrowserITCase.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new AssertionError(name, e);
        }
    }
}
