package io.nightjar.datasets.golden;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.datasets.golden.GoldenCase.Answer;
import io.nightjar.datasets.random.NotationRows;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class GoldenCatalogueTest {

    static Stream<GoldenCase> cases() {
        return GoldenCatalogue.read().stream();
    }

    @Test
    void caseHasATitleAnAnswerForEachLevelAndAHistory() {
        String text =
                """
                # A read that misses a committed write is stale.
                # si: violated EXT(T2,x)
                #   EXT(T2,x) expected 1 of T1 observed _ stale slack -2
                # ser: holds
                # initial-value: 0
                s1 T1 [1,2]: w(x,1)
                s2 T2 [4,5]: r(x,_)
                """;

        GoldenCase golden = GoldenCatalogue.parse("ext/stale", Path.of("stale.txt"), text);

        assertThat(golden.title()).isEqualTo("A read that misses a committed write is stale.");
        assertThat(golden.history().txns()).hasSize(2);
        assertThat(golden.history().initialValue()).isEqualTo("0");
        assertThat(golden.expected().get(IsolationLevel.SNAPSHOT_ISOLATION))
                .isEqualTo(new Answer(
                        Verdict.VIOLATED,
                        List.of("EXT(T2,x)"),
                        List.of("EXT(T2,x) expected 1 of T1 observed _ stale slack -2")));
        assertThat(golden.expected().get(IsolationLevel.SERIALIZABLE))
                .isEqualTo(new Answer(Verdict.HOLDS, List.of(), List.of()));
    }

    @Test
    void caseWithoutAnAnswerIsRefused() {
        assertThatThrownBy(() -> GoldenCatalogue.parse("ext/bare", Path.of("bare.txt"), "# Title.\ns1 T1: w(x,1)\n"))
                .hasMessage("a case needs a title and an answer: case=ext/bare");
    }

    @ParameterizedTest
    @MethodSource("cases")
    void readerOfTheNotationUnderstandsTheCase(GoldenCase golden) {
        assertThat(NotationRows.read(golden.file()))
                .isEqualTo(NotationRows.of(golden.history().slices(100)));
    }
}
