package io.nightjar.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PlainTextTest {

    @Test
    void controlCharactersBecomeSpaces() {
        assertThat(PlainText.flat("a\nb\u001b[31mc\u0085")).isEqualTo("a b [31mc ");
    }

    @Test
    void otherTextStaysTheSame() {
        String text = "grün 🐦";

        assertThat(PlainText.flat(text)).isSameAs(text);
    }
}
