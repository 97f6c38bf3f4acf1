package io.nightjar.formats.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Brackets inside text, characters and comments do not count. */
class NestedValueScannerTest {

    @Test
    void aValueEndsWithTheBracketThatClosesItsFirst() throws IOException {
        assertLength("{\"a\":[1,{}],\"b\":\"}\"}", ",{}]");
        assertLength("[\"\\\"]\"]", " ]");
        assertLength("{:type :ok, :value [\\} 1] ; }\n}", "}");
    }

    @Test
    void aValueThatDoesNotEndIsAsLongAsTheInput() throws IOException {
        assertThat(length("[[1,2]", 3)).isEqualTo(6);
        assertThat(length("[\"]]", 1)).isEqualTo(4);
    }

    private static void assertLength(String value, String suffix) throws IOException {
        for (int held = 0; held <= value.length(); held++) {
            assertThat(length(value + suffix, held)).as("held=%d", held).isEqualTo(value.length());
        }
    }

    private static long length(String text, int held) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        ByteArrayInputStream rest = new ByteArrayInputStream(bytes, held, bytes.length - held);
        return NestedValueScanner.of(bytes, 0, held, rest);
    }
}
