package io.nightjar.pipeline.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.Seeds;
import io.nightjar.fixtures.small.RandomHistory;
import io.nightjar.fixtures.small.RandomReads;
import io.nightjar.fixtures.small.Shrinker;
import io.nightjar.fixtures.small.SmallHistory;
import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.infer.VersionSource;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What dependencies show of registers, lists and sets is confirmed, and refuted once one thing is changed. */
@Tag(Seeds.TAG)
class DependencyReplayPropertyTest {

    private static final int HISTORIES = 2_000;
    private static final Set<IsolationLevel> OTHERS = EnumSet.complementOf(EnumSet.copyOf(IsolationLevel.all()));

    @Test
    void findingsAreConfirmed() {
        for (long seed : Seeds.upTo(HISTORIES)) {
            SmallHistory history = history(seed);
            VersionSource[] sources = sources(seed);
            if (isRefuted(history, sources)) {
                SmallHistory smallest = Shrinker.shrink(history, fewer -> isRefuted(fewer, sources));
                ReplayedHistory replayed = new ReplayedHistory(smallest);
                assertThat(replayed.refuted(findings(replayed, sources)))
                        .as("nightjar.seed=%d, smallest history:%n%s", seed, smallest)
                        .isEmpty();
            }
        }
    }

    @Test
    void anyChangeIsRefuted() {
        for (long seed : Seeds.upTo(HISTORIES / 4)) {
            ReplayedHistory history = new ReplayedHistory(history(seed));
            for (Finding honest : findings(history, sources(seed))) {
                for (Finding changed : FindingChanges.of(honest)) {
                    assertThat(history.refuted(List.of(changed)))
                            .as("nightjar.seed=%d honest=%s%nchanged=%s%n%s", seed, honest, changed, history.small)
                            .isNotEmpty();
                }
            }
        }
    }

    @Test
    @Tag("slow")
    void everyKindOccurs() {
        Map<Anomaly, Integer> countBy = new EnumMap<>(Anomaly.class);
        for (long seed : Seeds.upTo(HISTORIES)) {
            for (Finding finding : findings(new ReplayedHistory(history(seed)), sources(seed))) {
                countBy.merge(finding.anomaly(), 1, Integer::sum);
            }
        }

        assertThat(countBy)
                .containsKeys(
                        Anomaly.G1C,
                        Anomaly.G_SINGLE_ITEM,
                        Anomaly.G2_ITEM,
                        Anomaly.G_SINGLE_ITEM_PROCESS,
                        Anomaly.LOST_UPDATE,
                        Anomaly.INCOMPATIBLE_ORDER,
                        Anomaly.G_NONADJACENT_ITEM,
                        Anomaly.G1C_PROCESS,
                        Anomaly.DUPLICATE_ELEMENTS,
                        Anomaly.DUPLICATE_WRITE,
                        Anomaly.CYCLIC_VERSIONS);
    }

    private static SmallHistory history(long seed) {
        return seed % 3 == 0 ? RandomReads.of(seed) : RandomHistory.of(seed);
    }

    private static VersionSource[] sources(long seed) {
        return switch ((int) (seed % 4)) {
            case 0 -> new VersionSource[0];
            case 1 -> new VersionSource[] {VersionSource.WRITES_FOLLOW_READS};
            case 2 -> new VersionSource[] {VersionSource.WRITES_FOLLOW_READS, VersionSource.SESSION};
            default -> new VersionSource[] {VersionSource.TIMESTAMP};
        };
    }

    private static boolean isRefuted(SmallHistory history, VersionSource... sources) {
        ReplayedHistory replayed = new ReplayedHistory(history);
        return !replayed.refuted(findings(replayed, sources)).isEmpty();
    }

    private static List<Finding> findings(ReplayedHistory history, VersionSource... sources) {
        Set<Finding> findings = new LinkedHashSet<>(history.readFindings());
        findings.addAll(history.dependencyFindings(IsolationLevel.all(), sources));
        findings.addAll(history.dependencyFindings(OTHERS, sources));
        return List.copyOf(findings);
    }
}
