package io.nightjar.jobs.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The messages about long work, and their times, by a clock that the test drives. */
class ProgressTest {

    private static final int WIDE = 120;
    private static final String WIPE = "\r\u001b[K";

    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final PrintStream stderr = System.err;
    private long nowNs = 7;
    private final ProgressBoard board = new ProgressBoard(() -> nowNs);

    @BeforeEach
    void listen() {
        System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
        Terminal.quiet(false);
    }

    @AfterEach
    void restore() {
        System.setErr(stderr);
        System.clearProperty("nightjar.terminals");
        System.clearProperty("nightjar.columns");
    }

    @Test
    void outputWithoutTerminalStartsAfterThirtySeconds() {
        Progress reading = board.begin("reading", "transactions", 1_000_000);
        pass(29);
        reading.advance(250_000);

        assertThat(written()).isEmpty();
    }

    @Test
    void offATerminalThereIsALineEveryThirtySeconds() {
        Progress reading = board.begin("reading", "transactions", 1_000_000);
        reading.advance(250_000);
        pass(30);
        pass(15);
        reading.advance(250_000);
        pass(15);

        assertThat(written())
                .isEqualTo(
                        """
                nightjar: reading 25%  250,000 of 1,000,000 transactions  30s, about 1m30s left
                nightjar: reading 50%  500,000 of 1,000,000 transactions  1m00s, about 1m00s left
                """);
    }

    @Test
    void lateCommandHasItsOwnThirtySeconds() {
        board.begin("reading", "transactions", -1).close();
        pass(300);
        board.beginCommand();
        board.begin("reading", "transactions", -1);
        pass(29);

        assertThat(written()).isEmpty();
    }

    @Test
    void timeContinuesAcrossStages() {
        Progress reading = board.begin("reading", "transactions", -1);
        reading.advance(1_234);
        pass(30);
        reading.close();
        board.begin("checking", "parts", 16);
        pass(31);

        assertThat(written())
                .isEqualTo(
                        """
                nightjar: reading  1,234 transactions  30s
                nightjar: checking 0%  0 of 16 parts  1m01s
                """);
    }

    @Test
    void onATerminalABarFillsWithTheShare() {
        System.setProperty("nightjar.terminals", "2");
        System.setProperty("nightjar.columns", "" + WIDE);
        Progress reading = board.begin("reading", "transactions", 2);
        reading.advance(1);
        pass(1);

        assertThat(written())
                .isEqualTo(WIPE + "reading [############............] 50%  1 of 2 transactions  1s, about 1s left");
    }

    @Test
    void shortWorkShowsNoBar() {
        System.setProperty("nightjar.terminals", "2");
        board.begin("reading", "transactions", 2);
        nowNs += 399_000_000;
        board.draw();

        assertThat(written()).isEmpty();
    }

    @Test
    void aBarGoesWhenTheProcessEnds() {
        System.setProperty("nightjar.terminals", "2");
        board.begin("reading", "transactions", -1);
        pass(1);
        board.leave();
        pass(1);

        assertThat(written()).isEqualTo(WIPE + "reading  1s" + WIPE);
    }

    @Test
    void textIsRewrittenInAllItsRows() {
        System.setProperty("nightjar.terminals", "2");
        System.setProperty("nightjar.columns", "21");

        assertThat(board.show("transactions=10 open=3")).isTrue();
        board.show("transactions=11");
        board.aside("something else");

        assertThat(written())
                .isEqualTo("transactions=10\nopen=3" + WIPE + "\u001b[1A" + WIPE + "transactions=11" + WIPE
                        + "something else\n");
    }

    @Test
    void aTextGivesWayToABarAndToResults() {
        System.setProperty("nightjar.terminals", "12");
        board.show("transactions=10");
        board.clearLines();
        Progress checking = board.begin("checking", "parts", -1);
        board.show("transactions=11");
        pass(1);
        checking.close();

        assertThat(written()).isEqualTo("transactions=10" + WIPE + WIPE + "checking  1s" + WIPE);
    }

    @Test
    void progressWithoutTerminalIsNotRewritten() {
        assertThat(board.show("transactions=10")).isFalse();
        assertThat(written()).isEmpty();
    }

    @Test
    void narrowTerminalOmitsLeastImportantPartsFirst() {
        Progress reading = new Progress(board, "reading", "transactions", 1_000_000, 0);
        reading.advance(250_000);
        long later = 30_000_000_000L;

        assertThat(reading.bar(80, later, 30))
                .isEqualTo("reading 25%  250,000 of 1,000,000 transactions  30s, about 1m30s left");
        assertThat(reading.bar(60, later, 30)).isEqualTo("reading 25%  250,000 of 1,000,000 transactions  30s");
        assertThat(reading.bar(20, later, 30)).isEqualTo("reading 25%  250,000");
    }

    @Test
    void percentageIsHundredOnlyAtOrAboveTotal() {
        Progress reading = new Progress(board, "reading", "rows", 10_000, 0);
        reading.advance(9_999);
        Progress more = new Progress(board, "reading", "rows", 2, 0);
        more.advance(3);

        assertThat(reading.line(1, 0)).startsWith("reading 99%  9,999 of 10,000");
        assertThat(more.line(1, 0)).isEqualTo("reading 100%  2 of 2 rows  0s");
    }

    private void pass(long seconds) {
        nowNs += seconds * 1_000_000_000L;
        board.draw();
    }

    private String written() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void detailsHavePriorityOverUnits() {
        Progress recording = new Progress(null, "recording", "transactions", 10_000, 0)
                .telling(() -> "300/s, 65 aborted, p50 1.0 p99 3.2 max 20 ms");
        recording.advance(4_500);

        assertThat(recording.bar(200, 5_000_000_000L, 5)).contains("4,500 of 10,000 transactions", "left", "p99 3.2");
        assertThat(recording.bar(79, 5_000_000_000L, 5))
                .isEqualTo("recording 45%  4,500  5s  300/s, 65 aborted, p50 1.0 p99 3.2 max 20 ms");
        assertThat(recording.bar(50, 5_000_000_000L, 5)).isEqualTo("recording 45%  4,500 of 10,000 transactions  5s");
    }
}
