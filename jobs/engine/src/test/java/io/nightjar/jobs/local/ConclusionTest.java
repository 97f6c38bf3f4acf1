package io.nightjar.jobs.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Edge;
import io.nightjar.formats.finding.Finding.Participant;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.history.ValueType;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.EdgeEvidence;
import io.nightjar.formats.level.EdgeType;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.RunResult.LevelResult;
import io.nightjar.jobs.read.HistorySummary;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.Conclusion;
import io.nightjar.jobs.run.MemoryAdvice;
import io.nightjar.jobs.run.SerialProof;
import io.nightjar.pipeline.check.Findings;
import io.nightjar.pipeline.decide.TimestampOutcome;
import io.nightjar.pipeline.decide.ValueOutcome;
import io.nightjar.pipeline.decide.Witness;
import it.unimi.dsi.fastutil.longs.LongSets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConclusionTest {

    private static final Witness WITNESS =
            new Witness(IsolationLevel.SERIALIZABLE, 1, new long[] {1}, new int[] {0}, new int[] {0});

    @Test
    void anOrderOfEverythingIsAProof() {
        Conclusion conclusion = conclusion(null);

        assertThat(conclusion.isProvedByWitness()).isTrue();
        assertThat(serializable(conclusion).verdict()).isEqualTo(Verdict.HOLDS);
    }

    @Test
    void incompleteOrderProvesNoLevel() {
        Conclusion conclusion = conclusion("dependencies do not fit into memory");

        assertThat(conclusion.isProvedByWitness()).isFalse();
        assertThat(serializable(conclusion).verdict()).isEqualTo(Verdict.UNDECIDED);
        assertThat(serializable(conclusion).reason()).isEqualTo("dependencies do not fit into memory");
    }

    @Test
    void contradictionBetweenTimestampsAndClientReadIsAFault() {
        Conclusion conclusion = withAbortedRead(EdgeEvidence.VALUE);

        assertThat(serializable(conclusion).verdict()).isEqualTo(Verdict.HOLDS);
        assertThatThrownBy(() -> result(conclusion))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("a finding forbids a level that holds: level=serializable");
    }

    @Test
    void assumedVersionOrderViolatesNoLevelOfOtherEvidence() {
        Conclusion conclusion = withAbortedRead(EdgeEvidence.TIMESTAMP);

        assertThat(result(conclusion).levels().get(IsolationLevel.SERIALIZABLE).verdict())
                .isEqualTo(Verdict.HOLDS);
    }

    @Test
    void violatedWeakerLevelBySameEvidenceIsAFault() {
        Findings findings = new Findings(0);
        findings.count(IsolationLevel.READ_COMMITTED, Anomaly.G1A, 1);
        Conclusion conclusion = new Conclusion(
                new TestOptions()
                        .levels(IsolationLevel.READ_COMMITTED, IsolationLevel.SERIALIZABLE)
                        .build(),
                history(0),
                null,
                values(findings),
                SerialProof.NONE,
                null,
                1,
                0,
                0,
                MemoryAdvice.MORE,
                null);

        assertThatThrownBy(() -> result(conclusion))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("holds=serializable violated=read-committed evidence=values");
    }

    private static RunResult result(Conclusion conclusion) {
        return conclusion.result("h.txt", "local", null, 0, List.of(), new RunResult.Faults(0, true), List.of());
    }

    /** Timestamps prove serializability, and values find a read that no level allows. */
    private static Conclusion withAbortedRead(EdgeEvidence evidence) {
        Finding finding = new Finding(
                Anomaly.G1A,
                null,
                IsolationLevel.READ_COMMITTED,
                "read-committed",
                "x",
                List.of(new Participant(1, Role.READER, 1, 2)),
                null,
                null,
                false,
                List.of(new Edge(2, 1, EdgeType.WR, "x", "1", "1", evidence)));
        Findings findings = new Findings(1);
        findings.count(IsolationLevel.READ_COMMITTED, Anomaly.G1A, 1);
        findings.keep(1, finding);
        return new Conclusion(
                new TestOptions()
                        .levels(IsolationLevel.READ_COMMITTED, IsolationLevel.SERIALIZABLE)
                        .evidence(CheckOptions.Evidence.AUTO)
                        .build(),
                history(1),
                TimestampOutcome.unchecked(1),
                values(findings),
                SerialProof.NONE,
                null,
                1,
                0,
                0,
                MemoryAdvice.MORE,
                null);
    }

    private static HistorySummary history(long timestamped) {
        return new HistorySummary(
                new HistorySummary.Counts(1, 1, 1, 0, timestamped, 0, 0, 0),
                1,
                false,
                false,
                ValueType.LONG,
                ValueType.LONG,
                List.of(),
                null);
    }

    private static ValueOutcome values(Findings findings) {
        return new ValueOutcome(
                1,
                1,
                findings,
                new ValueOutcome.Basis(false, null, LongSets.EMPTY_SET),
                ValueOutcome.Refuted.NOTHING,
                Map.of(),
                List.of(),
                new ValueOutcome.Orders(List.of(WITNESS), true));
    }

    private static Conclusion conclusion(String valuesUnfit) {
        HistorySummary history = history(0);
        ValueOutcome values = values(new Findings(1));
        CheckOptions options =
                new TestOptions().levels(IsolationLevel.SERIALIZABLE).build();
        return new Conclusion(
                options, history, null, values, SerialProof.NONE, valuesUnfit, 1, 0, 0, MemoryAdvice.MORE, null);
    }

    private static LevelResult serializable(Conclusion conclusion) {
        return conclusion.levels().get(IsolationLevel.SERIALIZABLE);
    }
}
