package io.nightjar.pipeline.online;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Texts of values end, and the numbers that values are compared by do not. */
class ValueTextsTest {

    private static final int VALUES = 100_000;

    @Test
    void oldTextsAreEvictedAndNumbersRemain() {
        ValueTexts texts = new ValueTexts(100_000);
        long first = number(texts, "first");
        long held = number(texts, "held");
        texts.hold(held);
        long atBegin = texts.byteSize();
        for (int value = 0; value < VALUES; value++) {
            number(texts, "value-" + value);
            assertThat(number(texts, "again")).isEqualTo(number(texts, "again"));
        }

        assertThat(texts.text(first)).isEqualTo(ValueTexts.FORGOTTEN);
        assertThat(number(texts, "first")).isEqualTo(first);
        assertThat(texts.text(first)).isEqualTo("first");
        assertThat(texts.text(held)).isEqualTo("held");
        assertThat(texts.text(number(texts, "again"))).isEqualTo("again");
        assertThat(texts.byteSize()).isBetween(atBegin, 1_000_000L);
    }

    private static long number(ValueTexts texts, String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        return texts.number(utf8, 0, utf8.length);
    }
}
