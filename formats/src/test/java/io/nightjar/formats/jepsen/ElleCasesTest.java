package io.nightjar.formats.jepsen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.fixtures.HistoryRows;
import io.nightjar.fixtures.PublishedCases;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.registry.Histories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The histories of Elle's own tests. */
class ElleCasesTest {

    @ParameterizedTest
    @ValueSource(strings = {"list-append", "rw-register", "sim", "gen", "examples"})
    void everyHistoryOfListsAndRegistersIsRead(String suite) throws IOException {
        for (Path file : files(suite)) {
            String text = Files.readString(file);
            long completions = text.lines()
                    .filter(line -> line.contains(":type :") && !line.contains(":type :invoke"))
                    .count();
            long invocations =
                    text.lines().filter(line -> line.contains(":type :invoke")).count();

            List<String> rows = HistoryRows.at(file);

            assertThat(rows).as(file.toString()).hasSize((int) Math.max(completions, invocations));
        }
    }

    @Test
    void completionsOfDoubleInvocationAreDistinguishedByOperations() throws IOException {
        assertThat(HistoryRows.at(PublishedCases.at("elle/rw-register/checker-test--initial-state.edn")))
                .containsExactly(
                        "txn=2 session=0 seq=0 committed ts=_.._ client=1..2"
                                + " w(STRING<y>,LONG<1>,v_,w_) w(STRING<x>,LONG<2>,v_,w_) extra=null",
                        "txn=3 session=0 seq=1 committed ts=_.._ client=0..3"
                                + " r(STRING<x>,nothing,v_,w_) r(STRING<y>,LONG<1>,v_,w_) extra=null");
    }

    @Test
    void predicateReadsHaveTheirRowsBehindThem() throws IOException {
        assertThat(HistoryRows.at(PublishedCases.at("elle/closed-predicate/failure-to-observe-test.edn")))
                .element(1)
                .asString()
                .contains("<((value % ?) + ?) % ? = ?><[2,2,2,1]>#0^_ p(", "<value = ?><[3]>#0^_ p(");
        for (Path file : files("closed-predicate")) {
            read(file);
        }
    }

    @Test
    void countersOfElleCoreAreRefusedWithTheirPlace() throws IOException {
        for (Path file : files("core")) {
            assertThatThrownBy(() -> read(file))
                    .isInstanceOf(MalformedHistoryException.class)
                    .hasMessageContaining(" unexpected text: expected=a transaction, which is a vector of operations");
        }
    }

    private static void read(Path file) throws IOException {
        try (HistorySource source = Histories.open(file, null)) {
            HistoryRows.of(source);
        }
    }

    private static List<Path> files(String suite) throws IOException {
        try (Stream<Path> files = Files.list(PublishedCases.at("elle/" + suite))) {
            return files.sorted().toList();
        }
    }
}
