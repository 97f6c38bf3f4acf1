package io.nightjar.jobs.kafka;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.topic.TopicReader;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.IntPredicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** All partitions of one topic, read by one consumer that belongs to no group. */
final class KafkaTopic implements TopicReader {

    private static final Duration WAIT = Duration.ofMillis(100);

    /** How often the broker is asked whether it is there, which a poll does not tell, and for new partitions. */
    static final Duration BETWEEN_QUESTIONS = Duration.ofSeconds(5);

    private final String brokers;
    private final String topic;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private Map<TopicPartition, Long> endOf = Map.of(); // when the reading began
    private IntPredicate wanted = partition -> false; // until the reading begins
    private boolean isThere;
    private long lastAsked;

    KafkaTopic(String brokers, String topic, Properties settings) {
        this.brokers = brokers;
        this.topic = topic;
        this.consumer = new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    @Override
    public void begin(Map<Integer, Long> offsets, IntPredicate isWanted) throws IOException {
        wanted = isWanted;
        try {
            List<TopicPartition> partitions = partitions();
            if (!isThere) {
                throw new IOException(
                        "no such topic: broker=" + brokers + " topic=" + topic + "; create it before it is watched");
            }
            consumer.assign(partitions);
            Map<TopicPartition, Long> firstOf = consumer.beginningOffsets(partitions);
            endOf = consumer.endOffsets(partitions);
            for (TopicPartition partition : partitions) {
                long first = requireNonNull(firstOf.get(partition)); // which there is of each that was asked for
                long next = offsets.getOrDefault(partition.partition(), first);
                if (next < first) {
                    throw gone(partition.partition(), next, first);
                }
                consumer.seek(partition, next);
            }
            lastAsked = System.nanoTime();
        } catch (KafkaException failed) {
            throw unreachable(failed);
        }
    }

    private List<TopicPartition> partitions() {
        List<TopicPartition> partitions = new ArrayList<>();
        List<PartitionInfo> known = consumer.partitionsFor(topic);
        isThere = known != null && !known.isEmpty();
        for (PartitionInfo partition : isThere ? known : List.<PartitionInfo>of()) {
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
            if (consumer.assignment().isEmpty()) {
                Thread.sleep(WAIT.toMillis()); // no partition is ours yet
                records = ConsumerRecords.empty();
            } else {
                records = consumer.poll(WAIT);
            }
            if (System.nanoTime() - lastAsked > BETWEEN_QUESTIONS.toNanos()) {
                ask();
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

    private void ask() {
        List<TopicPartition> now = new ArrayList<>(partitions());
        consumer.beginningOffsets(now);
        now.removeAll(consumer.assignment());
        if (!now.isEmpty()) {
            List<TopicPartition> all = new ArrayList<>(consumer.assignment());
            Map<TopicPartition, Long> next = new HashMap<>();
            all.forEach(partition -> next.put(partition, consumer.position(partition)));
            next.putAll(consumer.beginningOffsets(now));
            consumer.assign(next.keySet());
            next.forEach(consumer::seek);
        }
    }

    @Override
    public boolean isAtEnd() {
        return endOf.entrySet().stream().allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
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

    /** The innermost reason, which names what was tried. */
    static String reason(Throwable failed) {
        Throwable last = failed;
        while (last.getCause() != null) {
            last = last.getCause();
        }
        return last.getMessage() == null ? last.getClass().getSimpleName() : last.getMessage();
    }

    @Override
    public void close() {
        consumer.close();
    }
}
