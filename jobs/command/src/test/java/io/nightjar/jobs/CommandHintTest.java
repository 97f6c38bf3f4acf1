package io.nightjar.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommandHintTest {

    @AfterEach
    void forget() {
        System.clearProperty(CommandHint.PROPERTY);
    }

    @Test
    void aHintIsCalledAsTheCommandWas() {
        assertThat(CommandHint.of("explain", "a lake", "a1")).isEqualTo("nightjar explain \"a lake\" a1");

        System.setProperty(CommandHint.PROPERTY, "./night jar");

        assertThat(CommandHint.of("explain", "lake", "a1")).isEqualTo("\"./night jar\" explain lake a1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"lake", "a lake", "it's", "$HOME", "a\"b", "back\\slash", "two\nlines", "*", "", "!x", "é ü"})
    void aShellTakesAnArgumentAsItWasMeant(String argument) throws IOException {
        Process shell = new ProcessBuilder("bash", "-c", "printf %s " + CommandHint.quote(argument)).start();

        assertThat(new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo(argument);
    }
}
