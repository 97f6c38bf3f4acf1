package io.nightjar.pipeline.check.timestamp;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.small.GoldenCase;
import io.nightjar.fixtures.small.GoldenCase.Answer;
import io.nightjar.fixtures.small.GoldenCatalogue;
import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every case of the catalogue: the reference says what the file says, the checks say it too, and it is borne out. */
class GoldenCatalogueTest {

    static Stream<GoldenCase> cases() {
        return GoldenCatalogue.read().stream();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void definitionsAgreeWithTheCatalogue(GoldenCase golden) {
        forEachLevel(golden, (level, answer) -> {
            List<ExpectedViolation> violations = ReferenceChronos.violations(golden.history(), level);

            assertThat(names(violations)).as("%s %s", golden, level).isEqualTo(answer.violations());
            assertThat(details(violations)).as("%s %s", golden, level).isEqualTo(sorted(answer.details()));
        });
    }

    @ParameterizedTest
    @MethodSource("cases")
    void checksAgreeWithTheCatalogue(GoldenCase golden) {
        forEachLevel(golden, (level, answer) -> {
            List<Finding> findings =
                    SmallCheck.of(golden.history()).levels(level).run().inTime();
            List<ExpectedViolation> violations =
                    findings.stream().map(ExpectedViolation::of).toList();

            assertThat(details(violations)).as("%s %s", golden, level).isEqualTo(sorted(answer.details()));
            assertThat(ReferenceFindings.refuted(findings, golden.history(), 2)).isEmpty();
        });
    }

    @ParameterizedTest
    @MethodSource("cases")
    void caseIsViolatedExactlyIfItNamesViolations(GoldenCase golden) {
        forEachLevel(golden, (level, answer) -> assertThat(answer.verdict() == Verdict.VIOLATED)
                .isEqualTo(!answer.violations().isEmpty()));
    }

    private static void forEachLevel(GoldenCase golden, BiConsumer<IsolationLevel, Answer> test) {
        assertThat(golden.expected())
                .containsOnlyKeys(IsolationLevel.SNAPSHOT_ISOLATION, IsolationLevel.COMMIT_ORDER_SERIALIZABLE);
        golden.expected().forEach(test);
    }

    private static List<String> names(List<ExpectedViolation> violations) {
        return violations.stream()
                .map(ExpectedViolation::name)
                .sorted(Comparator.naturalOrder())
                .toList();
    }

    private static List<String> details(List<ExpectedViolation> violations) {
        return violations.stream()
                .map(ExpectedViolation::inFull)
                .sorted(Comparator.naturalOrder())
                .toList();
    }

    private static List<String> sorted(List<String> texts) {
        return texts.stream().sorted(Comparator.naturalOrder()).toList();
    }
}
