package io.nightjar.formats.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class InputErrorTest {

    @Test
    void saysWhatIsWrongThenWhereThenWhatToDo() {
        InputError fault = InputError.of("unknown status")
                .with("status=%s expected=%s", "done", "committed|aborted|unknown")
                .with("column=3")
                .advise("rename the status");

        assertThat(fault.text())
                .isEqualTo(
                        "unknown status: status=done expected=committed|aborted|unknown column=3; rename the status");
        assertThat(fault.complaint())
                .isEqualTo("unknown status: status=done expected=committed|aborted|unknown column=3");
    }

    @Test
    void hasNoSignsAroundWhatIsMissing() {
        InputError plain = InputError.of("gzip data ends early");

        assertThat(plain.text()).isEqualTo("gzip data ends early");
        assertThat(plain.with("").advise("").text()).isEqualTo("gzip data ends early");
        assertThat(plain.with("bytes=7").text()).isEqualTo("gzip data ends early: bytes=7");
        assertThat(plain.advise("fetch it again").text()).isEqualTo("gzip data ends early; fetch it again");
    }

    @Test
    void furtherAdviceFollowsFirst() {
        InputError fault =
                InputError.of("line has no object").advise("one a line").advise("or give an array");

        assertThat(fault.text()).isEqualTo("line has no object; one a line; or give an array");
    }

    @Test
    void detailsAreTakenAsTheyAre() {
        InputError fault = InputError.of("name twice in one object").with("name=100%s; a: b");

        assertThat(fault.kind()).isEqualTo("name twice in one object");
        assertThat(fault.text()).isEqualTo("name twice in one object: name=100%s; a: b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "unknown status: done", "is a directory; give a file", "unknown status=done"})
    void aKindHasNoDetailsAndNoAdvice(String kind) {
        assertThatThrownBy(() -> InputError.of(kind)).isInstanceOf(AssertionError.class);
    }
}
