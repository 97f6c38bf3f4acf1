package io.nightjar.formats.history;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PlaceTest {

    @Test
    void aPlaceIsShownWithItsRowUnderTheNameThatTheFileHasForIt() {
        assertThat(Place.row("a b.parquet", 17)).hasToString("[a b.parquet row=17]");
        assertThat(Place.line("a.jsonl", 2)).hasToString("[a.jsonl line=2]");
        assertThat(Place.file("parts")).hasToString("[parts]");
        assertThat(Place.line("a.jsonl", 0)).hasToString("[a.jsonl]");
    }

    @Test
    void anExceptionHasItsPlaceAsDataAndInItsMessage() {
        Place place = Place.row("a.parquet", 3).in("txn_id");

        MalformedHistoryException malformed = new MalformedHistoryException(place, InputFault.of("is null"));

        assertThat(malformed.place()).isEqualTo(new Place("a.parquet", 3, false, "txn_id"));
        assertThat(malformed).hasMessage("[a.parquet row=3] is null");
    }

    @Test
    void aFileMayBeCalledByTheNameThatTheUserGaveIt() {
        assertThat(Place.line("/tmp/1/part/a.jsonl", 2).renamed("/tmp/1", "s3://bucket"))
                .isEqualTo(Place.line("s3://bucket/part/a.jsonl", 2));
        assertThat(Place.file("other").renamed("/tmp/1", "s3://bucket")).isEqualTo(Place.file("other"));
    }
}
