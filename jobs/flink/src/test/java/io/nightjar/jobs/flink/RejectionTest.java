package io.nightjar.jobs.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.history.InputError;
import io.nightjar.formats.history.InputLocation;
import org.junit.jupiter.api.Test;

final class RejectionTest {

    @Test
    void isTheSameBehindTheWire() {
        Rejection rejection = new Rejection(
                InputLocation.line("a: b.jsonl", 7).in("status"),
                InputError.of("unknown status")
                        .with("status=%s", "done: \0 well; go on")
                        .advise("rename the status"));

        assertThat(Rejection.decode(rejection.encode())).isEqualTo(rejection);
    }

    @Test
    void mayHaveNeitherColumnNorDetailsNorAdvice() {
        Rejection rejection = new Rejection(InputLocation.file("a.jsonl"), InputError.of("no such file or directory"));

        assertThat(Rejection.decode(rejection.encode())).isEqualTo(rejection);
        assertThat(Rejection.decode(rejection.encode()).exception()).hasMessage("[a.jsonl] no such file or directory");
    }
}
