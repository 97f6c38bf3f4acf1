package io.nightjar.jobs.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.formats.topic.TopicOpener;
import io.nightjar.formats.topic.TopicReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Topics of a broker in this process. */
@Timeout(120)
class KafkaTopicTest {

    @TempDir
    private static Path folder;

    private static TestBroker broker;

    @BeforeAll
    static void startBroker() throws Exception {
        broker = TestBroker.start(Files.createDirectory(folder.resolve("logs")));
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
    }

    @Test
    void everyPartitionIsReadInItsOrder() throws Exception {
        broker.create("both", 2);
        broker.send("both", 0, List.of("a", "b"));
        broker.send("both", 1, List.of("c", "d"));

        assertThat(readToEnd(open("both"), Map.of()))
                .containsExactlyInAnyOrder("0 0 a", "0 1 b", "1 0 c", "1 1 d")
                .containsSubsequence("0 0 a", "0 1 b")
                .containsSubsequence("1 0 c", "1 1 d");
    }

    @Test
    void itGoesOnAtAnOffsetWhateverTheOtherPartitionsDo() throws Exception {
        broker.create("further", 2);
        broker.send("further", 0, List.of("a", "b", "c"));
        broker.send("further", 1, List.of("d"));

        assertThat(readToEnd(open("further"), Map.of(0, 2L))).containsExactlyInAnyOrder("0 2 c", "1 0 d");
    }

    @Test
    void aPartitionThatIsAddedIsReadFromItsBeginning() throws Exception {
        broker.create("wide", 1);
        List<String> read = new ArrayList<>();
        Path curious = Files.writeString(folder.resolve("curious.properties"), "metadata.max.age.ms=200\n");
        try (TopicReader reader = opener().open(broker.address() + "/wide?config=" + curious)) {
            reader.begin(Map.of(), all -> true);
            broker.widen("wide", 2);
            broker.send("wide", 1, List.of("late"));
            while (read.isEmpty()) {
                reader.poll((partition, offset, value) -> read.add(partition + " " + offset + " " + text(value)));
            }
        }
        assertThat(read).containsExactly("1 0 late");
    }

    @Test
    void aTopicThatIsNotThereIsSaidSo() throws Exception {
        try (TopicReader reader = open("nowhere")) {
            assertThatThrownBy(() -> reader.begin(Map.of(), all -> true))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("topic=nowhere");
        }
    }

    @Test
    void aBrokerThatIsNotThereIsSaidSo() throws Exception {
        Path impatient = Files.writeString(
                folder.resolve("impatient.properties"), "default.api.timeout.ms=500\nrequest.timeout.ms=500\n");
        try (TopicReader reader = opener().open("127.0.0.1:1/any?config=" + impatient)) {
            assertThatThrownBy(() -> reader.begin(Map.of(), all -> true))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("cannot read from the broker: broker=127.0.0.1:1 topic=any reason=");
        }
    }

    @Test
    void anOffsetOfAnotherTopicIsNotTakenForOneOfThis() throws Exception {
        broker.create("short", 1);
        broker.send("short", 0, List.of("a"));
        try (TopicReader reader = open("short")) {
            reader.begin(Map.of(0, 7L), all -> true);
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 100; i++) {
                            reader.poll((partition, offset, value) -> {});
                        }
                    })
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("partition=0 offset=7");
        }
    }

    @Test
    void whatIsNoAddressIsSaidToBeNone() {
        for (String address : List.of("", "host/topic", "host:9092", "host:9092/", "host:9092/a b")) {
            assertThatThrownBy(() -> opener().open(address))
                    .as(address)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("kafka://HOST:PORT/TOPIC");
        }
    }

    private static TopicOpener opener() {
        return TopicOpener.of("kafka").orElseThrow();
    }

    private static TopicReader open(String topic) throws IOException {
        return opener().open(broker.address() + "/" + topic);
    }

    private static List<String> readToEnd(TopicReader reader, Map<Integer, Long> offsets) throws Exception {
        List<String> read = new ArrayList<>();
        try (reader) {
            reader.begin(offsets, all -> true);
            while (!reader.isAtEnd()) {
                reader.poll((partition, offset, value) -> read.add(partition + " " + offset + " " + text(value)));
            }
        }
        return read;
    }

    private static String text(byte[] value) {
        return new String(value, StandardCharsets.UTF_8);
    }
}
