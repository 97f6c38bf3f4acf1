package io.nightjar.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Histories that are built, read and checked from code. */
class NightjarTest {

    @TempDir
    private Path folder;

    @Test
    void whatHoldsHolds() {
        History.Builder builder = History.builder();
        builder.begin(1).write("x", 1).commit();
        builder.begin(2).read("x", 1).read("y", null).commit();

        Verdicts verdicts = Nightjar.check(builder.build(), "rc", "snapshot-isolation", "serializable");

        assertThat(verdicts.hold()).isTrue();
        assertThat(verdicts.levels()).containsOnlyKeys("read-committed", "snapshot-isolation", "serializable");
        assertThat(verdicts.stories()).isEmpty();
    }

    @Test
    void aWriteSkewIsExplained() {
        History.Builder builder = History.builder();
        builder.begin(1).write("x", 1).write("y", 1).commit();
        builder.begin(2).read("x", 1).read("y", 1).write("x", 2).commit();
        builder.begin(3).read("x", 1).read("y", 1).write("y", 3).commit();

        Verdicts verdicts = Nightjar.check(builder.build());

        assertThat(verdicts.levels().get("snapshot-isolation").verdict()).isEqualTo(Verdicts.Answer.HOLDS);
        assertThat(verdicts.levels().get("serializable").verdict()).isEqualTo(Verdicts.Answer.VIOLATED);
        assertThat(verdicts.stories().get(0).transactions()).contains(2L, 3L);
        assertThat(verdicts.explanation()).contains("serializable violated").contains("write-skew");
    }

    @Test
    void timestampsDecideWhereTheyAreGiven() {
        History.Builder builder = History.builder();
        builder.begin(1).write(5, 1).timestamps(1, 2).commit();
        builder.begin(2).read(5, null).timestamps(3, 4).commit();

        Verdicts verdicts = Nightjar.check(builder.build(), "si");

        assertThat(verdicts.levels().get("snapshot-isolation").evidence()).isEqualTo("timestamps");
        assertThat(verdicts.stories()).extracting(Verdicts.Story::type).containsExactly("EXT");
    }

    @Test
    void listsAbortedAndUnknownTransactionsAreUnderstood() {
        History.Builder builder = History.builder();
        builder.begin(1).append("l", "a").commit();
        builder.begin(2).append("l", "b").abort();
        builder.begin(3).append("l", "c"); // never ends
        try (History.Txn txn = builder.begin(4)) {
            txn.readList("l", List.of("a", "b"));
            txn.commit();
        }

        assertThat(Nightjar.check(builder.build(), "rc").stories())
                .extracting(Verdicts.Story::type)
                .contains("G1a");
    }

    @Test
    void aRecorderTakesRealTimeDown() {
        Recorder recorder = new Recorder();
        recorder.begin().write("x", 1).commit();
        recorder.begin().read("x", null).commit();

        assertThat(Nightjar.check(recorder.history(), "sser").verdict()).isEqualTo(Verdicts.Answer.VIOLATED);
    }

    @Test
    void filesOfAnyFormatAreRead() throws IOException {
        Path file = Files.writeString(folder.resolve("history.txt"), "s1 T1: w(x,1)\ns2 T2: r(x,1)\n");

        assertThat(Nightjar.check(History.read(file), "ser").hold()).isTrue();
        Files.writeString(file, "nonsense\n");
        assertThatThrownBy(() -> Nightjar.check(History.read(file), "ser"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("history.txt");
    }

    @Test
    void misuseThrowsAtCall() {
        History.Builder builder = History.builder();
        History.Txn txn = builder.begin(1).write("x", 1);
        txn.commit();
        assertThatThrownBy(() -> txn.write("x", 2)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> builder.begin(1).write(null, 2)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Nightjar.check(builder.build(), "serialisable"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("serializable");
        builder.begin(2).write(7, 1).commit();
        assertThatThrownBy(builder::build).hasMessageContaining("numbers and strings mixed");
    }
}
