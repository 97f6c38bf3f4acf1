package io.nightjar.jobs.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.history.InputError;
import io.nightjar.formats.history.InputLocation;
import io.nightjar.formats.history.MalformedHistoryException;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RowProblemsTest {

    private static final InputError UNKNOWN_STATUS = InputError.of("unknown status");

    private final RowProblems problems = new RowProblems();

    @Test
    void rowsWithSameFaultAreOneProblem() {
        problems.add("a.jsonl", 7, UNKNOWN_STATUS.with("status=%s", "done: well; go on"), null);
        problems.add(
                "a.jsonl",
                3,
                UNKNOWN_STATUS.with("status=%s row=%s", "; x: y", "9").advise("rename it"),
                null);
        problems.add("a.jsonl", 5, UNKNOWN_STATUS, null);

        assertThat(problems.inOrder(true, null))
                .containsExactly(new InspectedProblem(
                        "unknown status", 3, "[a.jsonl line=3] unknown status: status=; x: y row=9; rename it", false));
        assertThat(problems.rowCount()).isEqualTo(3);
    }

    @Test
    void problemsAreSortedByRowCountBeforeEndOfReading() {
        MalformedHistoryException end = new MalformedHistoryException(
                InputLocation.file("a.jsonl"),
                InputError.of("gzip data is damaged").with("reason=wrong: checksum"));
        problems.add("a.jsonl", 1, InputError.of("session missing"), null);
        problems.add("a.jsonl", 2, UNKNOWN_STATUS.with("status=a"), null);
        problems.add("a.jsonl", 3, UNKNOWN_STATUS.with("status=b"), null);

        List<InspectedProblem> found = problems.inOrder(false, end);

        assertThat(found)
                .extracting(InspectedProblem::description)
                .containsExactly("unknown status", "session missing", "gzip data is damaged");
        assertThat(found).extracting(InspectedProblem::count).containsExactly(2L, 1L, 1L);
        assertThat(found).extracting(InspectedProblem::endsReading).containsExactly(false, false, true);
    }

    @Test
    void theFirstOfAllBadRowsRejectsTheHistory() {
        problems.add("b.jsonl", 1, UNKNOWN_STATUS.with("status=b"), null);
        problems.add("a.jsonl", 9, InputError.of("session missing").with("every transaction needs one"), null);

        assertThat(problems.first(true)).hasMessage("[a.jsonl line=9] session missing: every transaction needs one");
    }
}
