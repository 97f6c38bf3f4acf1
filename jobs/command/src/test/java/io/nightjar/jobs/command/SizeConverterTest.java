package io.nightjar.jobs.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class SizeConverterTest {

    @Test
    void unitsArePowersOf1024() {
        assertThat(SizeConverter.parse("7b")).isEqualTo(7);
        assertThat(SizeConverter.parse("64k")).isEqualTo(65_536);
        assertThat(SizeConverter.parse("512m")).isEqualTo(536_870_912);
        assertThat(SizeConverter.parse("4g")).isEqualTo(4_294_967_296L);
        assertThat(SizeConverter.parse("1t")).isEqualTo(1_099_511_627_776L);
    }

    @Test
    void caseSpellingAndFractionsAreTakenAsMeant() {
        assertThat(SizeConverter.parse("4G")).isEqualTo(4_294_967_296L);
        assertThat(SizeConverter.parse("4GiB")).isEqualTo(4_294_967_296L);
        assertThat(SizeConverter.parse(" 1.5kb ")).isEqualTo(1536);
    }

    @Test
    void numberWithoutUnitIsRefusedWithWhatToWrite() {
        assertThatThrownBy(() -> SizeConverter.parse("4"))
                .isInstanceOf(TypeConversionException.class)
                .hasMessage("size without a unit: value=4; write 4g, 4m or 4k");
    }

    @Test
    void memoryBelowTheLeastIsRefusedWithWhatToWrite() {
        assertThat(new MemoryConverter().convert("64m")).isEqualTo(64L << 20);
        assertThatThrownBy(() -> new MemoryConverter().convert("1k"))
                .isInstanceOf(TypeConversionException.class)
                .hasMessage("less memory than a process needs: value=1k least=64m; write 64m or more");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "g", "-1g", "4x", "4 g", "0", "1e3", "99999999999999999999t"})
    void invalidSizeIsRejected(String text) {
        assertThatThrownBy(() -> SizeConverter.parse(text)).isInstanceOf(TypeConversionException.class);
    }
}
