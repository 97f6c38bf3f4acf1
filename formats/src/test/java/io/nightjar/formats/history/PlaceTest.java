package io.nightjar.formats.history;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PlaceTest {

    @Test
    void aMessageIsReadBackAsThePlaceItBeginsWith() {
        assertThat(Place.parse(
                        Place.row("a b.parquet", 17) + " duplicate transaction id: txn_id=1 first-row=[x row=3]"))
                .isEqualTo(new Place("a b.parquet", 17));
        assertThat(Place.parse(Place.line("a.jsonl", 2) + " bad\nindeed")).isEqualTo(new Place("a.jsonl", 2));
        assertThat(Place.parse("[a.parquet row-group=3 row=1047] unknown kind"))
                .isEqualTo(new Place("a.parquet", 1047));
        assertThat(Place.parse(Place.file("parts") + " holds no history")).isEqualTo(new Place("parts", 0));
    }

    @Test
    void aMessageThatNamesNoPlaceHasNone() {
        assertThat(Place.parse("storage failed: disk full")).isNull();
        assertThat(Place.parse("[")).isNull();
    }
}
