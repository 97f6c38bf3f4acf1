package io.nightjar.formats.history;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SanitizedTextTest {

    @Test
    void controlCharactersAreEscapedAsInJson() {
        assertThat(SanitizedText.flat("a\n\tb\u001b[31mc\u0085\u2028")).isEqualTo("a\\n\\tb\\u001b[31mc\\u0085\\u2028");
    }

    @Test
    void otherTextStaysTheSame() {
        String text = "grün 🐦";

        assertThat(SanitizedText.flat(text)).isSameAs(text);
    }

    @Test
    void flatTextIsNotEscapedAgain() {
        String once = SanitizedText.flat("a\\b\nc");

        assertThat(SanitizedText.flat(once)).isEqualTo(once).isEqualTo("a\\b\\nc");
    }
}
