package io.nightjar.pipeline.validate;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.MalformedHistoryException;
import org.junit.jupiter.api.Test;

class ValidationTest {

    @Test
    void aWholeRowRepeatedInALaterSliceIsADuplicateId() {
        Rows rows = new Rows().row(1, 1, 0).row(2, 1, 1).row(1, 1, 0).rowsPerSlice(1);

        assertThatThrownBy(() -> validate(rows))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessageStartingWith(
                        "[t.jsonl row=3] duplicate transaction id: txn_id=1 first-row=[t.jsonl row=1];");
    }

    @Test
    void aPositionTakenTwiceInDistantSlicesNamesBothRows() {
        Rows rows = new Rows().row(1, 1, 0).row(2, 1, 1).row(3, 1, 0).rowsPerSlice(1);

        assertThatThrownBy(() -> validate(rows))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessageContaining("row=3")
                .hasMessageContaining("row=1");
    }

    private static void validate(Rows rows) {
        Validation validation = new Validation(1 << 20);
        do {
            for (HistorySlice slice : rows.slices()) {
                if (!validation.isSettled()) {
                    validation.add(slice);
                }
            }
        } while (validation.needsAnotherPass());
    }
}
