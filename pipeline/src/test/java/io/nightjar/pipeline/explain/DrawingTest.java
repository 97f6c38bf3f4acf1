package io.nightjar.pipeline.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.finding.ExplainedFinding;
import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.TxnRow;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

/** Pictures of anomalies, as SVG. */
class DrawingTest {

    private final SampleFindings samples = new SampleFindings();

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 30})
    void boxesNeverOverlapAndLieInThePicture(int size) {
        AnomalyPicture picture = picture(samples.ring(size), samples::txn);
        PictureLayout layout = PictureLayout.of(picture);

        for (int one = 0; one < size; one++) {
            PictureLayout.Bounds bounds = layout.bounds(one);
            assertThat(bounds.x()).isNotNegative();
            assertThat(bounds.y()).isNotNegative();
            assertThat(bounds.x() + bounds.width()).isLessThanOrEqualTo(layout.width());
            assertThat(bounds.y() + bounds.height()).isLessThanOrEqualTo(layout.height());
            for (int other = 0; other < one; other++) {
                assertThat(bounds.overlaps(layout.bounds(other), 10, 10)).isFalse();
            }
        }
    }

    @Test
    void boxesStandInTheOrderOfTheCycle() {
        Finding ring = samples.ring(4);
        Finding shuffled = new Finding(
                ring.anomaly(),
                null,
                ring.level(),
                "cycle",
                null,
                ring.participants(),
                null,
                null,
                false,
                List.of(
                        ring.edges().get(2),
                        ring.edges().get(0),
                        ring.edges().get(3),
                        ring.edges().get(1)));

        assertThat(picture(shuffled, samples::txn).boxes().stream().map(AnomalyPicture.Box::name))
                .containsExactly("T3", "T4", "T1", "T2");
    }

    @Test
    void everyTransactionArrowAndTypeIsThere() throws Exception {
        Document svg = parse(SvgDrawing.draw(picture(samples.readSkew(), samples::txn)));

        assertThat(texts(svg))
                .containsExactly(
                        "read skew (G-single-item) on y, x",
                        samples.readSkew().anomalyId() + ", rules out PL-3",
                        "T1",
                        "session 1 seq 1",
                        "append(x,2)",
                        "r(y,_)",
                        "T2",
                        "session 2 seq 2",
                        "append(x,1)",
                        "append(y,1)",
                        "rw y",
                        "_ → [1] · by list",
                        "ww x",
                        "[1] → [1,2] · by list",
                        "rw  read a version that the other overwrote",
                        "ww  was overwritten by");
    }

    @Test
    void thePictureNeedsNothingBesideIt() {
        String svg = SvgDrawing.draw(picture(samples.ring(5), samples::txn));

        assertThat(svg.replace("http://www.w3.org/2000/svg", ""))
                .doesNotContain("http", "<script", "<image", "@import", "href");
    }

    @Test
    void namesAndValuesOfAHistoryCannotBreakThePicture() throws Exception {
        AnomalyPicture picture = picture(samples.hostile(), samples::txn);

        String svg = SvgDrawing.draw(picture);

        assertThat(parse(svg).getElementsByTagName("script").getLength()).isZero();
        assertThat(svg).doesNotContain("\u202E", "\u0001");
    }

    @Test
    void aFindingWithoutEdgesShowsWhoReadFromWhom() {
        AnomalyPicture picture = picture(samples.abortedRead(), samples::txn);

        assertThat(picture.boxes().stream().map(AnomalyPicture.Box::name)).containsExactly("T1", "T3");
        assertThat(picture.arrows()).containsExactly(new AnomalyPicture.Arrow(0, 1, "wr", "x", "1 · by value", null));
    }

    @Test
    void transactionWithoutArrowIsDrawnBelow() {
        Finding skew = samples.readSkew();
        samples.txn(9, SampleFindings.op("w", "x", "0"));
        List<Finding.Participant> participants = new ArrayList<>(skew.participants());
        participants.add(SampleFindings.participant(9, Finding.Role.NEEDED));
        Finding finding = SampleFindings.finding(
                skew.anomaly(), null, "x", participants, null, skew.edges().toArray(new Finding.Edge[0]));

        AnomalyPicture picture = picture(finding, samples::txn);
        PictureLayout layout = PictureLayout.of(picture);

        assertThat(picture.boxes().get(2).note()).isEqualTo("needed, session 0 seq 9");
        assertThat(picture.boxes().get(2).lines()).contains(new AnomalyPicture.Line("w(x,0)", true, false));
        assertThat(layout.bounds(2).y())
                .isGreaterThan(layout.bounds(0).y() + layout.bounds(0).height());
    }

    @Test
    void sessionIsWholeWhateverItsTimes() {
        String session = "expected-writer, session 9223372036854775807 seq 123456";

        assertThat(note("session 1 seq 2 [10, 12]")).isEqualTo("session 1 seq 2 [10, 12]");
        assertThat(note(session + " [1764000000000060000, 1764000000000090000]"))
                .isEqualTo(session);
    }

    private static String note(String of) {
        return PictureLayout.note(new AnomalyPicture.Box("T1", of, false, List.of()));
    }

    @Test
    void firstTransactionsAreShownAndOthersCounted() {
        AnomalyPicture picture = picture(samples.ring(50), samples::txn);

        assertThat(picture.boxes()).hasSize(PictureMaker.MAX_BOXES);
        assertThat(picture.title()).endsWith(", 10 more transactions");
    }

    @Test
    void relevantOperationsOfManyAreShown() {
        Finding finding = samples.readSkew();
        samples.txn(2, SampleFindings.manyOps(100, 60, SampleFindings.op("append", "x", "1")));

        assertThat(picture(finding, samples::txn).boxes().get(1).lines())
                .containsExactly(
                        new AnomalyPicture.Line("…+60", false, false),
                        new AnomalyPicture.Line("append(x,1)", true, false),
                        new AnomalyPicture.Line("…+39", false, false));
    }

    @Test
    void unavailableTransactionIsBoxWithName() {
        AnomalyPicture picture = picture(samples.abortedRead(), txnId -> null);

        assertThat(picture.boxes().get(0)).isEqualTo(new AnomalyPicture.Box("T1", "observed-writer", false, List.of()));
    }

    @Test
    void aFindingWithoutTransactionsIsATitle() throws Exception {
        AnomalyPicture picture = new AnomalyPicture("cyclic-versions on x", null, List.of(), List.of());

        assertThat(texts(parse(SvgDrawing.draw(picture)))).containsExactly("cyclic-versions on x");
    }

    @Test
    void theSamePictureIsTheSameText() {
        assertThat(SvgDrawing.draw(picture(samples.ring(7), samples::txn)))
                .isEqualTo(SvgDrawing.draw(picture(new SampleFindings().ring(7), samples::txn)));
    }

    @Test
    void documentShowsDrawnPicture() throws IOException {
        Path document = Path.of("").toAbsolutePath().resolveSibling("docs").resolve("pictures/read-skew.svg");

        assertThat(SvgDrawing.draw(picture(samples.readSkew(), samples::txn))).isEqualTo(Files.readString(document));
    }

    private static Document parse(String svg) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
    }

    private static List<String> texts(Document svg) {
        NodeList nodes = svg.getElementsByTagName("text");
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < nodes.getLength(); i++) {
            texts.add(nodes.item(i).getTextContent());
        }
        return texts;
    }

    private static AnomalyPicture picture(Finding finding, LongFunction<TxnRow> txns) {
        return PictureMaker.picture(ExplainedFinding.of(finding, txns, participant -> -1));
    }
}
