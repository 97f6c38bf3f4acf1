package io.nightjar.jobs.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.history.InputFault;
import io.nightjar.formats.history.Place;
import org.junit.jupiter.api.Test;

final class RejectionTest {

    @Test
    void isTheSameBehindTheWire() {
        Rejection rejection = new Rejection(
                Place.line("a: b.jsonl", 7).in("status"),
                InputFault.of("unknown status")
                        .with("status=%s", "done: \0 well; go on")
                        .advise("rename the status"));

        assertThat(Rejection.decode(rejection.encode())).isEqualTo(rejection);
    }

    @Test
    void mayHaveNeitherColumnNorDetailsNorAdvice() {
        Rejection rejection = new Rejection(Place.file("a.jsonl"), InputFault.of("no such file or directory"));

        assertThat(Rejection.decode(rejection.encode())).isEqualTo(rejection);
        assertThat(Rejection.decode(rejection.encode()).exception()).hasMessage("[a.jsonl] no such file or directory");
    }
}
