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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Topics of a broker in this process. */
@Timeout(120)
@Tag("slow")
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
    void aPartitionThatIsAddedIsReadFromItsBeginningAndTheOthersGoOn() throws Exception {
        broker.create("wide", 1);
        broker.send("wide", 0, List.of("early"));
        List<String> read = new ArrayList<>();
        Path curious = Files.writeString(folder.resolve("curious.properties"), "metadata.max.age.ms=200\n");
        try (TopicReader reader = opener().open(broker.address() + "/wide?config=" + curious)) {
            reader.begin(Map.of(), all -> true);
            readOn(reader, read, 1);
            broker.widen("wide", 2);
            broker.send("wide", 1, List.of("late"));
            readOn(reader, read, 2);
            broker.send("wide", 0, List.of("later"));
            readOn(reader, read, 3);
        }
        assertThat(read).containsExactly("0 0 early", "1 0 late", "0 1 later");
    }

    @Test
    void aBrokerThatGoesAwayIsSilentUntilItIsBackAndNothingIsLostOrReadTwice() throws Exception {
        broker.create("away", 2);
        broker.send("away", 0, List.of("a"));
        List<String> read = new ArrayList<>();
        try (TopicReader reader = openPatiently("away")) {
            reader.begin(Map.of(), all -> true);
            readOn(reader, read, 1);
            assertThat(reader.silence()).isNull();

            broker.stop();
            while (reader.silence() == null) {
                readOn(reader, read, 0);
            }
            broker.startAgain();
            broker.send("away", 1, List.of("b"));
            broker.send("away", 0, List.of("c"));
            while (reader.silence() != null) {
                readOn(reader, read, 0);
            }
            readOn(reader, read, 3);
        }
        assertThat(read).containsExactlyInAnyOrder("0 0 a", "1 0 b", "0 1 c");
    }

    @Test
    void aBrokerThatIsAwayWhenAPatientReaderBeginsIsWaitedFor() throws Exception {
        broker.create("later", 1);
        broker.send("later", 0, List.of("a", "b"));
        broker.stop();
        List<String> read = new ArrayList<>();
        try (TopicReader reader = openPatiently("later")) {
            reader.begin(Map.of(0, 1L), all -> true);
            assertThat(reader.silence()).isNotNull();
            assertThat(reader.isAtEnd()).isFalse();
            broker.startAgain();
            readOn(reader, read, 1);
            assertThat(reader.silence()).isNull();
        }
        assertThat(read).containsExactly("0 1 b");
    }

    @Test
    void missingTopicIsReported() throws Exception {
        try (TopicReader reader = open("nowhere")) {
            assertThatThrownBy(() -> reader.begin(Map.of(), all -> true))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("topic=nowhere");
        }
    }

    @Test
    void missingBrokerIsReported() throws Exception {
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
    void invalidAddressIsRejected() {
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

    private static TopicReader openPatiently(String topic) throws IOException {
        Path patient = Files.writeString(
                folder.resolve("patient.properties"), "default.api.timeout.ms=600000\nrequest.timeout.ms=300000\n");
        return opener().open(broker.address() + "/" + topic + "?config=" + patient);
    }

    private static TopicReader open(String topic) throws IOException {
        return opener().open(broker.address() + "/" + topic);
    }

    /** Polls at least once, and until so much has been read. */
    private static void readOn(TopicReader reader, List<String> read, int count) throws Exception {
        do {
            reader.poll((partition, offset, value) -> read.add(partition + " " + offset + " " + text(value)));
        } while (read.size() < count);
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
