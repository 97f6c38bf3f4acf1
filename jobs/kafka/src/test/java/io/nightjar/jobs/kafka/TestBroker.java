package io.nightjar.jobs.kafka;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.MetadataVersion;

/** A real broker of Kafka in this process, alone and on the loopback interface. */
public final class TestBroker implements AutoCloseable {

    private final int port;
    private final KafkaConfig config;
    private KafkaRaftServer server;

    private TestBroker(int port, KafkaConfig config) {
        this.port = port;
        this.config = config;
    }

    /** Starts a broker that stores its logs in a folder. */
    public static TestBroker start(Path folder) throws Exception {
        int port = freePort();
        int controller = freePort();
        Properties settings = new Properties();
        settings.put("process.roles", "broker,controller");
        settings.put("node.id", "1");
        settings.put("controller.quorum.voters", "1@127.0.0.1:" + controller);
        settings.put("listeners", "PLAINTEXT://127.0.0.1:" + port + ",CONTROLLER://127.0.0.1:" + controller);
        settings.put("advertised.listeners", "PLAINTEXT://127.0.0.1:" + port);
        settings.put("controller.listener.names", "CONTROLLER");
        settings.put("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT");
        settings.put("log.dirs", folder.toString());
        settings.put("offsets.topic.replication.factor", "1");
        settings.put("auto.create.topics.enable", "false");
        settings.put("log.cleaner.enable", "false");
        new Formatter()
                .setClusterId(Uuid.randomUuid().toString())
                .setNodeId(1)
                .addDirectory(folder.toString())
                .setControllerListenerName("CONTROLLER")
                .setMetadataLogDirectory(folder.toString())
                .setReleaseVersion(MetadataVersion.LATEST_PRODUCTION)
                .run();
        TestBroker broker = new TestBroker(port, new KafkaConfig(settings, false));
        broker.startAgain();
        return broker;
    }

    /** Starts a stopped broker, at the same address and with its data. */
    public void startAgain() {
        server = new KafkaRaftServer(config, Time.SYSTEM);
        server.startup();
    }

    public void stop() {
        server.shutdown();
        server.awaitShutdown();
        server = null;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    /** Returns host and port. */
    public String address() {
        return "127.0.0.1:" + port;
    }

    /** Creates a topic and waits until the broker announces it, which is later than the response to the client. */
    public void create(String topic, int partitions) throws ExecutionException, InterruptedException {
        try (Admin admin = Admin.create(settings())) {
            admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1)))
                    .all()
                    .get();
            while (!admin.listTopics().names().get().contains(topic)) {
                Thread.sleep(10);
            }
        }
    }

    public void widen(String topic, int partitions) throws ExecutionException, InterruptedException {
        try (Admin admin = Admin.create(settings())) {
            admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(partitions)))
                    .all()
                    .get();
        }
    }

    /**
     * Sends messages to a partition and waits until the broker has them. One request is in flight: a broker that has just started
     * may refuse the first, take the second, and then find the first out of order for ever.
     */
    public void send(String topic, int partition, List<String> messages)
            throws ExecutionException, InterruptedException {
        Map<String, Object> inTurn = new HashMap<>(settings());
        inTurn.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1);
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(inTurn, new ByteArraySerializer(), new ByteArraySerializer())) {
            List<Future<?>> sent = new ArrayList<>();
            for (String message : messages) {
                byte[] value = message == null ? null : message.getBytes(StandardCharsets.UTF_8);
                sent.add(producer.send(new ProducerRecord<>(topic, partition, null, value)));
            }
            for (Future<?> one : sent) {
                one.get();
            }
        }
    }

    private Map<String, Object> settings() {
        return Map.of("bootstrap.servers", address());
    }

    @Override
    public void close() {
        if (server != null) {
            stop();
        }
    }
}
