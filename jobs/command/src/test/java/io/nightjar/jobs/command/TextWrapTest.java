package io.nightjar.jobs.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TextWrapTest {

    @Test
    void fittingTextIsUnchanged() {
        String text = "a.txt: HOLDS\n  serializable         holds      by values";

        assertThat(TextWrap.fit(text, 80)).isEqualTo(text);
    }

    @Test
    void aLineIsBrokenBetweenWordsAndKeepsItsIndent() {
        assertThat(TextWrap.fit("  T6 read 870=nothing, but in commit-timestamp order it was 33.", 30))
                .isEqualTo("  T6 read 870=nothing, but in\n  commit-timestamp order it\n  was 33.");
    }

    @Test
    void columnsOfALineThatIsBrokenStayApart() {
        assertThat(TextWrap.fit("  serializable         violated   by timestamps  EXT 313  INT 1", 50))
                .isEqualTo("  serializable         violated   by timestamps\n                       EXT 313  INT 1");
    }

    @Test
    void continuationIsBelowLastColumn() {
        assertThat(TextWrap.fit("  L11  info     not committed: aborted=485 of them", 40))
                .isEqualTo("  L11  info     not committed:\n                aborted=485 of them");
    }

    @Test
    void continuationNeedsHalfOfTheWidth() {
        assertThat(TextWrap.fit("orders.parquet: VIOLATED by 6 anomalies  (2,000 transactions, 50 sessions)", 60))
                .isEqualTo("orders.parquet: VIOLATED by 6 anomalies  (2,000\ntransactions, 50 sessions)");
    }

    @Test
    void aWordThatIsTooLongIsNotBroken() {
        assertThat(TextWrap.fit("a " + "x".repeat(40) + " b", 30)).isEqualTo("a\n" + "x".repeat(40) + "\nb");
    }

    @Test
    void colorsHaveNoWidth() {
        String text = "\u001b[31mVIOLATED\u001b[0m by timestamps";

        assertThat(TextWrap.fit(text, 22)).isEqualTo(text);
    }
}
