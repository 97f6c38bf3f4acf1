package io.nightjar.pipeline.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Expectation;
import io.nightjar.formats.finding.Finding.Origin;
import io.nightjar.formats.finding.Finding.Participant;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.level.Anomaly;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The line about what was read says something true for every type. */
class ReadLineTest {

    @Test
    void wrongReadHasExpectedAndObservedValue() {
        assertThat(line(Anomaly.EXT, new Expectation("2", 8L, "1", 9L, Origin.STALE)))
                .isEqualTo("expected 2 of T8, observed 1 of T9 (stale)");
        assertThat(line(Anomaly.EXT, new Expectation(null, null, "1", 9L, Origin.FUTURE)))
                .isEqualTo("expected the initial state, observed 1 of T9 (future)");
    }

    @Test
    void onlyEndOfListWithOwnAppendsIsExpected() {
        assertThat(line(Anomaly.INTERNAL, new Expectation("[3]", 7L, "[1,2]", null, null)))
                .isEqualTo("expected a list that ends with [3] of T7, observed [1,2]");
    }

    @Test
    void readWithoutExpectationMentionsNone() {
        assertThat(line(Anomaly.DUPLICATE_ELEMENTS, new Expectation(null, null, "1", null, null)))
                .isEqualTo("a list in which 1 occurs twice");
        assertThat(line(Anomaly.DUPLICATE_WRITE, new Expectation("5", 7L, "5", 8L, null)))
                .isEqualTo("5, written by T7 and again by T8");
        assertThat(line(Anomaly.DUPLICATE_WRITE, new Expectation("5", 7L, "5", 7L, null)))
                .isEqualTo("5, written twice by T7");
        assertThat(line(Anomaly.DIRTY_UPDATE, new Expectation(null, null, "1", null, null)))
                .isEqualTo("1, which an aborted transaction wrote and a committed one built on");
        assertThat(line(Anomaly.LOST_UPDATE, new Expectation(null, null, null, null, null)))
                .isEqualTo("the initial state, the version that each of them replaced");
        assertThat(line(Anomaly.GARBAGE_READ, new Expectation(null, null, "9", null, Origin.NEVER)))
                .isEqualTo("9, which no transaction wrote");
        assertThat(line(Anomaly.G1A, new Expectation(null, null, "1", 8L, Origin.ABORTED)))
                .isEqualTo("1 of T8, which aborted");
    }

    @Test
    void listsKeepWhereTheyDiffer() {
        String one = "[" + "1,".repeat(60) + "2," + "3,".repeat(60) + "4]";
        String other = "[" + "1,".repeat(60) + "7," + "3,".repeat(60) + "4]";

        assertThat(line(Anomaly.INCOMPATIBLE_ORDER, new Expectation(one, null, other, null, null)))
                .matches(".*\\b7\\b.*, where another read returned .*\\b2\\b.*");
    }

    private static String line(Anomaly anomaly, Expectation read) {
        List<Participant> participants = List.of(new Participant(7, Role.READER, 0, 0));
        return ReadLine.of(
                new Finding(anomaly, null, null, "cycle", "x", participants, read, null, false, List.of()), 60);
    }
}
