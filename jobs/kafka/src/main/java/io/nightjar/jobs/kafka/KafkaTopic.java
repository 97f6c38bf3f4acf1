package io.nightjar.jobs.kafka;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.topic.TopicReader;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.function.IntPredicate;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/** All partitions of one topic, read by one consumer that belongs to no group. */
final class KafkaTopic implements TopicReader {

    private static final Duration WAIT = Duration.ofMillis(100);

    /** Maximum wait for an unavailable broker: others may have messages. */
    private static final Duration WAIT_FOR_SILENT = Duration.ofSeconds(1);

    /** A broker that is silent for this long is away. */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    /**
     * Time between two requests to the broker for its availability, which a poll does not report, and for new
     * partitions.
     */
    static final Duration BETWEEN_QUESTIONS = Duration.ofSeconds(5);

    private final String brokers;
    private final String topic;
    private final Duration patience; // also of a client with a longer time-out, so that delays are reported
    private final KafkaConsumer<byte[], byte[]> consumer;
    private Map<TopicPartition, Long> endOf = Map.of(); // when the reading began
    private IntPredicate wanted = partition -> false; // until the reading begins
    private Map<Integer, Long> offsetOf = Map.of(); // offset of the next message, by partition, at the beginning
    private long triesLeft; // attempts left to begin
    private boolean hasBegun;
    private boolean isThere;
    private @Nullable String silence; // null while the broker responds
    private long lastAsked;

    KafkaTopic(String brokers, String topic, Properties settings) {
        this.brokers = brokers;
        this.topic = topic;
        this.consumer = new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        String timeout = settings.getProperty(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG)
                .strip();
        this.patience = Duration.ofMillis(Math.min(PATIENCE.toMillis(), Long.parseLong(timeout)));
        this.triesLeft = Long.parseLong(timeout) / Math.max(1, patience.toMillis());
    }

    @Override
    public void begin(Map<Integer, Long> offsets, IntPredicate isWanted) throws IOException {
        offsetOf = offsets;
        wanted = isWanted;
        tryToBegin();
    }

    /** Begins if the broker responds. Otherwise the next poll tries again, until the client's time-out. */
    private void tryToBegin() throws IOException {
        try {
            List<TopicPartition> partitions = partitions(consumer.partitionsFor(topic, patience));
            if (!isThere) {
                throw new IOException(
                        "no such topic: broker=" + brokers + " topic=" + topic + "; create it before it is watched");
            }
            Map<TopicPartition, Long> firstOf = consumer.beginningOffsets(partitions, patience);
            endOf = consumer.endOffsets(partitions, patience);
            consumer.assign(partitions);
            for (TopicPartition partition : partitions) {
                long first = requireNonNull(firstOf.get(partition)); // the map contains each requested partition
                long next = offsetOf.getOrDefault(partition.partition(), first);
                if (next < first) {
                    throw gone(partition.partition(), next, first);
                }
                consumer.seek(partition, next);
            }
            hasBegun = true;
            silence = null;
            lastAsked = System.nanoTime();
        } catch (InterruptException stopped) {
            throw stopped;
        } catch (RetriableException away) {
            if (--triesLeft <= 0) {
                throw unreachable(away);
            }
            silence = reason(away);
        } catch (KafkaException failed) {
            throw unreachable(failed);
        }
    }

    private List<TopicPartition> partitions(@Nullable List<PartitionInfo> known) {
        List<TopicPartition> partitions = new ArrayList<>();
        List<PartitionInfo> all = known == null ? List.of() : known;
        isThere = !all.isEmpty();
        for (PartitionInfo partition : all) {
            if (wanted.test(partition.partition())) {
                partitions.add(new TopicPartition(topic, partition.partition()));
            }
        }
        return partitions;
    }

    @Override
    public void poll(Visitor to) throws IOException, InterruptedException {
        ConsumerRecords<byte[], byte[]> records;
        try {
            if (!hasBegun) {
                tryToBegin();
                records = ConsumerRecords.empty();
            } else if (consumer.assignment().isEmpty()) {
                Thread.sleep(WAIT.toMillis()); // no partition is ours yet
                records = ConsumerRecords.empty();
            } else {
                records = consumer.poll(WAIT);
            }
            if (hasBegun && System.nanoTime() - lastAsked > BETWEEN_QUESTIONS.toNanos()) {
                silence = ask(silence == null ? patience : WAIT_FOR_SILENT);
                lastAsked = System.nanoTime();
            }
        } catch (InterruptException | WakeupException stopped) {
            Thread.interrupted();
            throw new InterruptedException();
        } catch (OffsetOutOfRangeException outOfRange) {
            Map.Entry<TopicPartition, Long> one = outOfRange
                    .offsetOutOfRangePartitions()
                    .entrySet()
                    .iterator()
                    .next();
            throw gone(one.getKey().partition(), one.getValue(), -1);
        } catch (KafkaException failed) {
            throw unreachable(failed);
        }
        for (ConsumerRecord<byte[], byte[]> message : records) {
            to.message(message.partition(), message.offset(), message.value());
        }
    }

    /** Requests new partitions; returns why the response did not arrive in time, or null. */
    private @Nullable String ask(Duration inTime) {
        try {
            List<TopicPartition> now = partitions(consumer.partitionsFor(topic, inTime));
            if (!isThere) {
                return "the topic is not there";
            }
            Map<TopicPartition, Long> firstOf = consumer.beginningOffsets(now, inTime); // requests each partition anew
            Set<TopicPartition> all = new HashSet<>(consumer.assignment());
            now.removeAll(all);
            if (!now.isEmpty()) {
                all.addAll(now);
                consumer.assign(all); // previous partitions keep their position
                now.forEach(partition -> consumer.seek(partition, requireNonNull(firstOf.get(partition))));
            }
            return null;
        } catch (RetriableException away) {
            return reason(away);
        }
    }

    @Override
    public @Nullable String silence() {
        return silence;
    }

    @Override
    public boolean isAtEnd() {
        if (!hasBegun) {
            return false;
        }
        try {
            for (Map.Entry<TopicPartition, Long> end : endOf.entrySet()) {
                if (consumer.position(end.getKey(), Duration.ZERO) < end.getValue()) {
                    return false;
                }
            }
            return true;
        } catch (TimeoutException notSure) {
            return false; // where it is must be confirmed by a broker that was away
        }
    }

    private IOException gone(int partition, long offset, long first) {
        return new IOException("messages are gone that were not read yet: topic=" + topic + " partition=" + partition
                + " offset=" + offset + (first < 0 ? "" : " oldest=" + first)
                + "; the broker keeps them too short, or the topic is another one; begin a new watch");
    }

    private IOException unreachable(KafkaException failed) {
        return new IOException(
                "cannot read from the broker: broker=" + brokers + " topic=" + topic + " reason=" + reason(failed),
                failed);
    }

    /** Returns the innermost reason, which names the failed action. */
    static String reason(Throwable failed) {
        Throwable last = failed;
        while (last.getCause() != null) {
            last = last.getCause();
        }
        return last.getMessage() == null ? last.getClass().getSimpleName() : last.getMessage();
    }

    @Override
    public void close() {
        consumer.close(CloseOptions.timeout(Duration.ofSeconds(1))); // an unavailable broker need not be informed
    }
}
