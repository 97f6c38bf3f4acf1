package io.nightjar.jobs.kafka;

import io.nightjar.formats.topic.TopicOpener;
import io.nightjar.formats.topic.TopicReader;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.config.ConfigException;

/** Opens {@code kafka://BROKER/TOPIC}: {@code HOST:PORT[,HOST:PORT]/TOPIC[?config=FILE]}. */
public final class KafkaTopics implements TopicOpener {

    private static final Pattern ADDRESS =
            Pattern.compile("([^/?,]+:\\d{1,5}(?:,[^/?,]+:\\d{1,5})*)/([A-Za-z0-9._-]{1,249})(?:\\?config=(.+))?");

    @Override
    public String scheme() {
        return "kafka";
    }

    @Override
    public TopicReader open(String address) throws IOException {
        Matcher match = ADDRESS.matcher(address);
        if (!match.matches()) {
            throw new IllegalArgumentException("expected=kafka://HOST:PORT/TOPIC, several brokers with commas,"
                    + " append ?config=FILE for further settings of the client");
        }
        Properties settings = new Properties();
        if (match.group(3) != null) {
            try (Reader file = Files.newBufferedReader(Path.of(match.group(3)))) {
                settings.load(file);
            }
        }
        settings.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, match.group(1));
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false"); // offsets are part of a watch's checkpoints
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none"); // deleted messages must not remain unnoticed
        settings.putIfAbsent(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        settings.putIfAbsent(
                ConsumerConfig.METADATA_MAX_AGE_CONFIG, Long.toString(KafkaTopic.BETWEEN_QUESTIONS.toMillis()));
        settings.putIfAbsent(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, "5000");
        settings.putIfAbsent(
                ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, Long.toString(KafkaTopic.PATIENCE.toMillis()));
        settings.putIfAbsent(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, Long.toString(KafkaTopic.PATIENCE.toMillis()));
        try {
            return new KafkaTopic(match.group(1), match.group(2), settings);
        } catch (ConfigException wrong) {
            throw new IllegalArgumentException(wrong.getMessage(), wrong);
        } catch (org.apache.kafka.common.KafkaException wrong) {
            throw new IOException(KafkaTopic.reason(wrong), wrong);
        }
    }
}
