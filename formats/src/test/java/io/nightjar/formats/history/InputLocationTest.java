package io.nightjar.formats.history;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class InputLocationTest {

    @Test
    void locationHasRowUnderNameUsedByFile() {
        assertThat(InputLocation.row("a b.parquet", 17)).hasToString("[a b.parquet row=17]");
        assertThat(InputLocation.line("a.jsonl", 2)).hasToString("[a.jsonl line=2]");
        assertThat(InputLocation.file("parts")).hasToString("[parts]");
        assertThat(InputLocation.line("a.jsonl", 0)).hasToString("[a.jsonl]");
    }

    @Test
    void exceptionHasLocationAsDataAndInMessage() {
        InputLocation location = InputLocation.row("a.parquet", 3).in("txn_id");

        MalformedHistoryException malformed = new MalformedHistoryException(location, InputError.of("is null"));

        assertThat(malformed.location()).isEqualTo(new InputLocation("a.parquet", 3, false, "txn_id"));
        assertThat(malformed).hasMessage("[a.parquet row=3] is null");
    }

    @Test
    void fileMayHaveNameGivenByUser() {
        assertThat(InputLocation.line("/tmp/1/part/a.jsonl", 2).renamed("/tmp/1", "s3://bucket"))
                .isEqualTo(InputLocation.line("s3://bucket/part/a.jsonl", 2));
        assertThat(InputLocation.file("other").renamed("/tmp/1", "s3://bucket")).isEqualTo(InputLocation.file("other"));
    }
}
