package io.nightjar.formats.level;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** From the anomalies that Elle reported, the lattice draws the conclusions that Elle drew. */
class ElleAgreementTest {

    private static final Path VERDICTS = Path.of("../../shared/cases/elle-verdicts.json"); // from the module's folder

    /** Elle concludes from all that it found, also from what it does not report at the level asked for. */
    private static final Map<List<String>, List<String>> CONCLUDED_FROM_UNREPORTED = Map.of(
            List.of("empty-transaction-graph"), List.of("G1b", "future-read", "predicate-read-miss"),
            List.of("strong-session-snapshot-isolation-cycle-exists"), List.of("G2-item"),
            List.of("strong-snapshot-isolation-cycle-exists"), List.of("G2"));

    @Test
    void theLatticeConcludesWhatElleConcludes() throws IOException {
        assumeTrue(Files.isRegularFile(VERDICTS), "no folder of shared cases: " + VERDICTS.toAbsolutePath());
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
        try (JsonParser json = new JsonFactory().createParser(VERDICTS.toFile())) {
            json.nextToken();
            while (json.nextToken() == JsonToken.START_OBJECT) {
                cases.add(readCase(json));
            }
        }
        return cases;
    }

    private static Case readCase(JsonParser json) throws IOException {
        String file = null;
        Case expected = null;
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String name = json.currentName();
            json.nextToken();
            switch (name) {
                case "file" -> file = json.getText();
                case "expected" -> expected = readExpected(json);
                default -> json.skipChildren();
            }
        }
        return new Case(file, expected.anomalies, expected.not, expected.alsoNot);
    }

    private static Case readExpected(JsonParser json) throws IOException {
        List<String> anomalies = List.of();
        List<String> not = List.of();
        List<String> alsoNot = List.of();
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String name = json.currentName();
            json.nextToken();
            switch (name) {
                case "anomalies" -> anomalies = texts(json);
                case "not" -> not = texts(json);
                case "also_not" -> alsoNot = texts(json);
                default -> json.skipChildren();
            }
        }
        return new Case(null, anomalies, not, alsoNot);
    }

    private static List<String> texts(JsonParser json) throws IOException {
        List<String> texts = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
            texts.add(json.getText());
        }
        return texts;
    }

    private record Case(String file, List<String> anomalies, List<String> not, List<String> alsoNot) {

        boolean concludesFrom(List<String> found) {
            RuledOut ruledOut = LevelLattice.ruledOutBy(found, Map.of(), Map.of());
            return ruledOut.not().equals(not) && ruledOut.alsoNot().equals(alsoNot);
        }
    }
}
