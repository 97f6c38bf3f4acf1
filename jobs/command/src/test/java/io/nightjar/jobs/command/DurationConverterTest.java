package io.nightjar.jobs.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class DurationConverterTest {

    @Test
    void everyUnitIsUnderstood() {
        assertThat(DurationConverter.parse("500ms")).isEqualTo(Duration.ofMillis(500));
        assertThat(DurationConverter.parse("60s")).isEqualTo(Duration.ofSeconds(60));
        assertThat(DurationConverter.parse("20m")).isEqualTo(Duration.ofMinutes(20));
        assertThat(DurationConverter.parse("1.5h")).isEqualTo(Duration.ofMinutes(90));
        assertThat(DurationConverter.parse("2d")).isEqualTo(Duration.ofDays(2));
    }

    @Test
    void numberWithoutUnitIsRefusedWithWhatToWrite() {
        assertThatThrownBy(() -> DurationConverter.parse("90"))
                .isInstanceOf(TypeConversionException.class)
                .hasMessage("time span without a unit: value=90; write 90s, 90m or 90h");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "m", "-1s", "3w", "1 h", "5e"})
    void invalidTimeSpanIsRejected(String text) {
        assertThatThrownBy(() -> DurationConverter.parse(text)).isInstanceOf(TypeConversionException.class);
    }
}
