package io.nightjar.pipeline.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Edge;
import io.nightjar.formats.level.EdgeEvidence;
import io.nightjar.formats.level.EdgeType;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ElleStyleTextTest {

    private final SampleFindings samples = new SampleFindings();

    @Test
    void aCycleEndsInAContradiction() {
        Finding finding = samples.readSkew();

        assertThat(ElleStyleText.text(finding, "They contradict.", samples::txn))
                .isEqualTo(
                        """
                        read skew (G-single-item) ID
                        rules out PL-3

                        Let:
                          T1 = append(x,2) r(y,_)
                          T2 = append(x,1) append(y,1)
                        Then:
                          - T1 < T2, because T1 observed the initial (nil) state of y, which T2 created by appending 1.
                          - However, T2 < T1, because T1 appended 2 after T2 appended 1 to x: a contradiction!

                        They contradict.

                        Where:
                          T1 is session 1 seq 1, committed, a.edn row 1
                          T2 is session 2 seq 2, committed, a.edn row 2
                        """
                                .replace("ID", finding.anomalyId()));
    }

    @Test
    void briefExplanationHasWholeStepsOnly() {
        String cycle = "Let:\n  T1 = w(x,1)\nThen:\n  - T1 < T2, because so.\n  - However, T2 < T1: a contradiction!";

        assertThat(StepSentences.brief(cycle, 100))
                .isEqualTo("T1 < T2, because so. However, T2 < T1: a contradiction!");
        assertThat(StepSentences.brief(cycle, 40)).isEqualTo("T1 < T2, because so. …");
        assertThat(StepSentences.brief("T3 read\n  what T1 wrote.", 100)).isEqualTo("T3 read what T1 wrote.");
        assertThat(StepSentences.brief("T3 read what T1 wrote.", 9)).isEqualTo("T3 r…ote.");
    }

    @Test
    void withoutACycleTheExplanationFollowsTheTransactions() {
        assertThat(ElleStyleText.text(samples.abortedRead(), "T3 read what T1 wrote.", samples::txn))
                .endsWith(
                        """
                        Let:
                          T3 = r(x,1) w(y,5)
                          T1 = w(x,1)

                        T3 read what T1 wrote.

                        Where:
                          T3 is session 0 seq 3, committed, a.edn row 3
                          T1 is session 1 seq 1, committed, a.edn row 1
                        """);
    }

    @Test
    void theExplanationOfACycleIsInThatFormAlready() {
        assertThat(ElleStyleText.text(samples.readSkew(), "Let:\n  T1 = a\nThen:\n  - b\n", samples::txn))
                .contains("rules out PL-3\n\nLet:\n  T1 = a\nThen:\n  - b\n\nWhere:\n  T1 is session 1");
    }

    @Test
    void transactionsThatAreNotAtHandAreNamed() {
        assertThat(ElleStyleText.text(samples.abortedRead(), "T3 read it.", txnId -> null))
                .contains("  T3 = a transaction whose operations are not at hand\n");
    }

    @Test
    void longListsAreCutToElementsOfEdges() {
        Finding finding = samples.readSkew();
        String list =
                IntStream.rangeClosed(-500, 500).mapToObj(String::valueOf).collect(Collectors.joining(",", "[", "]"));
        samples.txn(1, SampleFindings.op("r", "x", list));

        assertThat(ElleStyleText.text(finding, "They contradict.", samples::txn))
                .contains(",0,1,2,3,")
                .contains(",500])");
    }

    @Test
    void onlyOperationsOnEdgeKeysAreShown() {
        Finding finding = samples.readSkew();
        samples.txn(2, SampleFindings.manyOps(50, 30, SampleFindings.op("append", "y", "1")));

        assertThat(ElleStyleText.text(finding, "They contradict.", samples::txn))
                .contains(" = … append(y,1) …\n");
    }

    @ParameterizedTest
    @EnumSource
    void edgesWithoutAReasonHaveOneOfTheirType(EdgeType type) {
        String reason = StepSentences.reason(new Edge(1, 2, type, "x", "1", "2", EdgeEvidence.VALUE));

        assertThat(reason).isNotBlank().doesNotContain("null").doesNotEndWith(".");
    }

    @Test
    void versionWithoutWriterIsInitialState() {
        assertThat(StepSentences.reason(new Edge(1, 2, EdgeType.RW, "x", null, "2", EdgeEvidence.VALUE)))
                .contains("the initial state of x");
    }
}
