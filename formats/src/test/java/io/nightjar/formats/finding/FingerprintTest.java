package io.nightjar.formats.finding;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.finding.Finding.Edge;
import io.nightjar.formats.finding.Finding.Participant;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.EdgeEvidence;
import io.nightjar.formats.level.EdgeType;
import io.nightjar.formats.level.IsolationLevel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Stability of fingerprints across runs. */
class FingerprintTest {

    @Test
    void aCycleIsTheSameWhereverItBegins() {
        assertThat(cycle("rw x 1 2", "rw y 2 1").fingerprint())
                .isEqualTo(cycle("rw y 2 1", "rw x 1 2").fingerprint());
    }

    @Test
    void idsOfTransactionsDoNotMatter() {
        assertThat(cycle("rw x 1 2", "rw y 2 1").fingerprint())
                .isEqualTo(cycle("rw x 901 77", "rw y 77 901").fingerprint());
    }

    @Test
    void keysAndKindsOfStepsMatter() {
        String skew = cycle("rw x 1 2", "rw y 2 1").fingerprint();

        assertThat(cycle("rw x 1 2", "rw z 2 1").fingerprint()).isNotEqualTo(skew);
        assertThat(cycle("rw x 1 2", "wr y 2 1").fingerprint()).isNotEqualTo(skew);
    }

    @Test
    void theLevelAskedForDoesNotMatter() {
        Finding finding = cycle("rw x 1 2", "rw y 2 1");
        Finding asked = new Finding(
                finding.anomaly(),
                finding.pattern(),
                IsolationLevel.PREFIX,
                finding.algorithm(),
                finding.key(),
                finding.participants(),
                finding.expectation(),
                finding.slack(),
                finding.dependsOnUnknown(),
                finding.edges());

        assertThat(asked.fingerprint()).isEqualTo(finding.fingerprint());
        assertThat(asked.anomalyId()).isNotEqualTo(finding.anomalyId());
    }

    /** Creates a cycle from steps of type, key, from, to. */
    private static Finding cycle(String... steps) {
        List<Participant> participants = new ArrayList<>();
        List<Edge> edges = new ArrayList<>();
        for (String step : steps) {
            String[] words = step.split(" ");
            long from = Long.parseLong(words[2]);
            edges.add(new Edge(
                    from, Long.parseLong(words[3]), EdgeType.of(words[0]), words[1], null, null, EdgeEvidence.VALUE));
            participants.add(new Participant(from, Role.ON_CYCLE, HistorySlice.NONE, HistorySlice.NONE));
        }
        return new Finding(
                Anomaly.G2_ITEM,
                "write-skew",
                IsolationLevel.SERIALIZABLE,
                "cycle",
                null,
                participants,
                null,
                null,
                false,
                edges);
    }
}
