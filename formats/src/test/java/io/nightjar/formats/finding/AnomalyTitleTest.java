package io.nightjar.formats.finding;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.level.Anomaly;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class AnomalyTitleTest {

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "NOCONFLICT,             lost-update,         -,            lost update (NOCONFLICT)",
                "NOCONFLICT,             -,                   -,            write conflict (NOCONFLICT)",
                "EXT,                    -,                   stale,        stale read (EXT)",
                "EXT,                    -,                   aborted,      aborted read (EXT)",
                "EXT,                    -,                   intermediate, intermediate read (EXT)",
                "EXT,                    -,                   future,       future read (EXT)",
                "EXT,                    -,                   never,        garbage read (EXT)",
                "EXT,                    -,                   -,            wrong read (EXT)",
                "EXT,                    non-repeatable-read, stale,        non-repeatable read (EXT)",
                "G1a,                    -,                   aborted,      aborted read (G1a)",
                "G1b,                    -,                   intermediate, intermediate read (G1b)",
                "G2-item,                write-skew,          -,            write skew (G2-item)",
                "G2-item-realtime,       -,                   -,            anti-dependency cycle (G2-item-realtime)",
                "commit-order-cycle,     fractured-read,      -,            fractured read (commit-order-cycle)",
                "commit-order-cycle,     -,                   -,            dependency cycle (commit-order-cycle)",
                "lost-update,            lost-update,         -,            lost update (lost-update)",
                "garbage-read,           -,                   never,        garbage read (garbage-read)",
                "of-another-version,     -,                   -,            of-another-version"
            })
    void classicNameStandsFirst(String type, String pattern, String origin, String title) {
        assertThat(AnomalyTitle.of(type, pattern, origin)).isEqualTo(title);
    }

    @ParameterizedTest
    @EnumSource(Anomaly.class)
    void everyNameContainsTheType(Anomaly anomaly) {
        String type = anomaly.spelling();

        assertThat(AnomalyTitle.of(type, null, null)).matches("[a-z -]+ \\(\\Q" + type + "\\E\\)");
    }
}
