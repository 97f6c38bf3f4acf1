package io.nightjar.formats.history;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PlainTextTest {

    @Test
    void controlCharactersAreEscapedAsInJson() {
        assertThat(PlainText.flat("a\n\tb\u001b[31mc\u0085\u2028")).isEqualTo("a\\n\\tb\\u001b[31mc\\u0085\\u2028");
    }

    @Test
    void otherTextStaysTheSame() {
        String text = "grün 🐦";

        assertThat(PlainText.flat(text)).isSameAs(text);
    }

    @Test
    void whatIsFlatAlreadyIsNotEscapedAgain() {
        String once = PlainText.flat("a\\b\nc");

        assertThat(PlainText.flat(once)).isEqualTo(once).isEqualTo("a\\b\\nc");
    }
}
