package io.nightjar.formats.level;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.JsonTree;
import io.nightjar.fixtures.PublishedCases;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Equality of the lattice's and Elle's conclusions from the anomalies that Elle reported. */
class ElleLevelsTest {

    /** Elle concludes from all anomalies that it found, including anomalies not reported at the requested level. */
    private static final Map<List<String>, List<String>> CONCLUDED_FROM_UNREPORTED = Map.of(
            List.of("empty-transaction-graph"), List.of("G1b", "future-read", "predicate-read-miss"),
            List.of("strong-session-snapshot-isolation-cycle-exists"), List.of("G2-item"),
            List.of("strong-snapshot-isolation-cycle-exists"), List.of("G2"));

    @Test
    void latticeConclusionsMatchElle() throws IOException {
        List<String> differences = new ArrayList<>();
        int agreed = 0;
        for (Case example : read()) {
            if (agrees(example)) {
                agreed++;
            } else {
                differences.add(example.toString());
            }
        }
        assertThat(differences).isEmpty();
        assertThat(agreed).isGreaterThan(1000);
    }

    private static boolean agrees(Case example) {
        if (example.concludesFrom(example.anomalies)) {
            return true;
        }
        for (String unreported : CONCLUDED_FROM_UNREPORTED.getOrDefault(example.anomalies, List.of())) {
            List<String> all = new ArrayList<>(example.anomalies);
            all.add(unreported);
            if (example.concludesFrom(all)) {
                return true;
            }
        }
        return false;
    }

    private static List<Case> read() throws IOException {
        List<Case> cases = new ArrayList<>();
        for (Map<String, Object> example : PublishedCases.of("elle-verdicts.json")) {
            cases.add(new Case(
                    JsonTree.at(example, "file"),
                    texts(example, "anomalies"),
                    texts(example, "not"),
                    texts(example, "also_not")));
        }
        return cases;
    }

    private static List<String> texts(Map<String, Object> example, String member) {
        List<String> texts = JsonTree.at(example, "expected", member);
        return texts == null ? List.of() : texts;
    }

    private record Case(String file, List<String> anomalies, List<String> not, List<String> alsoNot) {

        boolean concludesFrom(List<String> found) {
            ElleRuledOutLevels ruledOut = LevelLattice.ruledOutBy(found, Map.of(), Map.of());
            return ruledOut.not().equals(not) && ruledOut.alsoNot().equals(alsoNot);
        }
    }
}
