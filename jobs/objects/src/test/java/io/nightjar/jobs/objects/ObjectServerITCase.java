package io.nightjar.jobs.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.formats.file.ChangedInputException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the protocol of S3 against a server by other authors. */
@Tag("slow")
class ObjectServerITCase {

    @TempDir
    static Path folder;

    private static S3ProxyServer server;

    @BeforeAll
    static void start() throws Exception {
        server = S3ProxyServer.start(folder);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "a b/ü+c=%.jsonl", "x&y/z;(1)*'~$,:@!", "two  spaces/#?"})
    void keyIsWrittenListedReadAndDeleted(String key) throws IOException {
        Path file = server.root().resolve("keys/" + key);

        Files.writeString(file, "content");

        assertThat(Files.readString(server.root().resolve("keys/" + key))).isEqualTo("content");
        try (Stream<Path> entries = Files.list(file.getParent())) {
            assertThat(entries).containsExactly(file);
        }
        Files.delete(file);
        assertThat(Files.exists(server.root().resolve("keys/" + key))).isFalse();
    }

    @Test
    void folderOfManyObjectsIsListedByPages() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        Path root = server.root();
        List<Callable<Path>> writes = new ArrayList<>();
        for (int i = 0; i < 1_100; i++) {
            Path file = root.resolve("many/%04d".formatted(i));
            writes.add(() -> Files.write(file, new byte[1]));
        }
        for (Future<Path> write : threads.invokeAll(writes)) {
            write.get();
        }
        threads.shutdown();

        try (Stream<Path> entries = Files.list(server.root().resolve("many"))) {
            assertThat(entries.map(Path::toString))
                    .hasSize(1_100)
                    .contains("s3://archive/many/0000", "s3://archive/many/1099")
                    .doesNotHaveDuplicates();
        }
    }

    @Test
    void largeObjectIsWrittenInPartsAndReadByRanges() throws IOException {
        byte[] content = new byte[(40 << 20) + 7];
        new Random(3).nextBytes(content);
        Path file = server.root().resolve("large");

        Files.write(file, content);

        assertThat(Files.size(file)).isEqualTo(content.length);
        try (FileChannel channel = FileChannel.open(server.root().resolve("large"), StandardOpenOption.READ)) {
            ByteBuffer range = ByteBuffer.allocate(10);
            assertThat(channel.read(range, 33_333_333)).isEqualTo(10);
            assertThat(range.array()).isEqualTo(Arrays.copyOfRange(content, 33_333_333, 33_333_343));
        }
        assertThat(Files.readAllBytes(server.root().resolve("large"))).isEqualTo(content);
    }

    @Test
    void onlyOneOfManyWritersCreatesObject() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        List<Callable<Boolean>> writes = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            byte[] own = {(byte) i};
            Path file = server.root().resolve("new/_SUCCESS");
            writes.add(() -> {
                try {
                    Files.write(file, own, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
                    return true;
                } catch (FileAlreadyExistsException second) {
                    return false;
                }
            });
        }
        int created = 0;
        for (Future<Boolean> write : threads.invokeAll(writes)) {
            created += write.get() ? 1 : 0;
        }
        threads.shutdown();

        assertThat(created).isEqualTo(1);
    }

    @Test
    void objectThatIsReplacedIsNotReadOn() throws IOException {
        byte[] content = new byte[3 << 20];
        Path file = server.root().resolve("replaced");
        Files.write(file, content);

        try (FileChannel channel = FileChannel.open(server.root().resolve("replaced"), StandardOpenOption.READ)) {
            assertThat(channel.read(ByteBuffer.allocate(10), 0)).isEqualTo(10);
            content[1] = 1;
            Files.write(file, content);

            assertThatThrownBy(() -> channel.read(ByteBuffer.allocate(10), 1 << 20))
                    .isInstanceOf(ChangedInputException.class)
                    .hasMessageContaining("[s3://archive/replaced]");
        }
    }

    @Test
    void objectThatIsDeletedIsNotReadOn() throws IOException {
        Path file = server.root().resolve("deleted");
        Files.write(file, new byte[3 << 20]);

        try (FileChannel channel = FileChannel.open(server.root().resolve("deleted"), StandardOpenOption.READ)) {
            Files.delete(file);

            assertThatThrownBy(() -> channel.read(ByteBuffer.allocate(10), 1 << 20))
                    .isInstanceOf(ChangedInputException.class);
        }
    }

    @Test
    void wrongSecretIsDenied() {
        Map<String, String> wrong = new HashMap<>(server.environment());
        wrong.put("AWS_SECRET_ACCESS_KEY", "wrong");

        assertThatThrownBy(() ->
                        Files.readAttributes(StubBucket.root("archive", wrong).resolve("x"), BasicFileAttributes.class))
                .isInstanceOf(AccessDeniedException.class);
    }

    @Test
    void missingObjectIsAbsent() {
        assertThatThrownBy(() -> Files.readString(server.root().resolve("none")))
                .isInstanceOf(NoSuchFileException.class);
        assertThat(Files.exists(server.root().resolve("none/at/all"))).isFalse();
    }
}
