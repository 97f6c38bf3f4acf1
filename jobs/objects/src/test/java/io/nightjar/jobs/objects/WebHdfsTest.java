package io.nightjar.jobs.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.formats.file.AddressException;
import io.nightjar.formats.file.ChangedInputException;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hadoop's file system, as a stub with its documented protocol. */
class WebHdfsTest {

    @TempDir
    Path folder;

    private final StubHadoop hadoop = new StubHadoop();

    @AfterEach
    void stop() {
        hadoop.close();
    }

    private Path root() {
        return hadoop.root(Map.of());
    }

    @Test
    void filesAreWrittenListedReadAndDeleted() throws IOException {
        Path day = root().resolve("day");
        for (String name : new String[] {"a b/ü+c=%&.txt", "1", "2", "empty"}) {
            Files.writeString(day.resolve(name), name.equals("empty") ? "" : name);
        }

        try (Stream<Path> entries = Files.list(day)) {
            assertThat(entries)
                    .containsExactlyInAnyOrder(
                            day.resolve("a b"), day.resolve("1"), day.resolve("2"), day.resolve("empty"));
        }
        assertThat(Files.readString(day.resolve("a b/ü+c=%&.txt"))).isEqualTo("a b/ü+c=%&.txt");
        assertThat(Files.size(day.resolve("empty"))).isZero();
        assertThat(Files.isDirectory(day.resolve("a b"))).isTrue();
        assertThatThrownBy(() -> Files.list(day.resolve("1"))).isInstanceOf(NotDirectoryException.class);
        assertThatThrownBy(() -> Files.delete(day)).isInstanceOf(DirectoryNotEmptyException.class);
        Files.delete(day.resolve("1"));
        assertThat(Files.exists(root().resolve("day/1"))).isFalse();
        assertThatThrownBy(() -> Files.readString(day.resolve("4"))).isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void dataPassThroughDataNodeOnly() throws IOException {
        byte[] content = new byte[(5 << 20) + 3];
        new Random(1).nextBytes(content);

        Files.write(root().resolve("large"), content);
        assertThat(Files.readAllBytes(root().resolve("large"))).isEqualTo(content);

        assertThat(hadoop.files()).containsOnlyKeys("large");
        assertThat(hadoop.requests().stream().filter(request -> request.startsWith("data CREATE")))
                .allMatch(request -> request.matches("data CREATE \\.large\\..*\\.tmp"))
                .hasSize(1);
        assertThat(hadoop.requests()).contains("OPEN large", "data OPEN large");
    }

    @Test
    void fileIsCreatedOnlyIfNewAndElseReplaced() throws IOException {
        Path file = root().resolve("runs/_SUCCESS");
        Files.write(file, new byte[] {1}, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);

        assertThatThrownBy(() ->
                        Files.write(file, new byte[] {2}, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE))
                .isInstanceOf(FileAlreadyExistsException.class);
        assertThat(Files.readAllBytes(root().resolve("runs/_SUCCESS"))).containsExactly(1);
        Files.write(file, new byte[] {3});
        assertThat(hadoop.files()).containsOnlyKeys("runs/_SUCCESS");
        assertThat(hadoop.files().get("runs/_SUCCESS")).containsExactly(3);
    }

    @Test
    void folderIsRenamed() throws IOException {
        Path root = root();
        Files.write(root.resolve("rec/part-1"), new byte[] {1});
        Files.write(root.resolve("new"), new byte[] {2});

        Files.move(root.resolve("rec"), root.resolve("old"));
        Files.move(root.resolve("new"), root.resolve("rec"), StandardCopyOption.ATOMIC_MOVE);

        assertThat(hadoop.files()).containsOnlyKeys("old/part-1", "rec");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void fileThatIsReplacedOrRemovedIsNotReadOn(boolean isReplaced) throws IOException {
        Path file = root().resolve("replaced");
        Files.write(file, new byte[3 << 20]);

        try (FileChannel channel = FileChannel.open(root().resolve("replaced"), StandardOpenOption.READ)) {
            if (isReplaced) {
                Files.write(file, new byte[3 << 20]);
            } else {
                Files.delete(file);
            }

            assertThatThrownBy(() -> channel.read(ByteBuffer.allocate(10), 1 << 20))
                    .isInstanceOf(ChangedInputException.class)
                    .hasMessageContaining("/replaced]");
        }
    }

    @Test
    void passingFailuresOfBothNodesAreRetried() throws IOException {
        Path file = root().resolve("h");
        AtomicInteger count = new AtomicInteger();
        hadoop.failWith(request -> {
            switch (count.incrementAndGet() % 4) {
                case 1 -> StubHadoop.error(request, 403, "StandbyException");
                case 2 -> request.close();
                default -> {
                    return false;
                }
            }
            return true;
        });

        Files.write(file, new byte[] {1, 2, 3});

        assertThat(Files.readAllBytes(root().resolve("h"))).containsExactly(1, 2, 3);
        assertThat(hadoop.files()).containsOnlyKeys("h");
    }

    @Test
    void renamingWhoseAnswerIsLostSucceeds() throws IOException {
        AtomicInteger left = new AtomicInteger(1);
        hadoop.failWith(request -> {
            if (String.valueOf(request.getRequestURI().getQuery()).startsWith("op=RENAME")
                    && left.getAndDecrement() > 0) {
                String hidden = hadoop.files().keySet().iterator().next();
                hadoop.files().put("_SUCCESS", hadoop.files().remove(hidden));
                request.close();
                return true;
            }
            return false;
        });

        Files.write(
                root().resolve("_SUCCESS"), new byte[] {7}, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);

        assertThat(hadoop.files().get("_SUCCESS")).containsExactly(7);
    }

    @Test
    void tokenOfFileOrVariableIsSent() throws IOException {
        hadoop.requireToken();
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(file);
        out.writeBytes("HDTS\0\2");
        byte[] longText = new byte[300];
        writeField(out, "other");
        for (byte[] field : new byte[][] {longText, {1}, "YARN_AM_RM_TOKEN".getBytes(StandardCharsets.US_ASCII), {}}) {
            writeField(out, field);
        }
        writeField(out, "h");
        int start = out.size();
        writeField(out, longText);
        writeField(out, "password");
        writeField(out, "WEBHDFS delegation");
        writeField(out, "127.0.0.1:9870");
        byte[] all = file.toByteArray();
        String encoded =
                Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOfRange(all, start, all.length));
        Path tokens = Files.write(folder.resolve("tokens"), all);

        assertThat(new HadoopIdentity(Map.of("HADOOP_TOKEN_FILE_LOCATION", tokens.toString()))
                        .parameter("webhdfs://h/"))
                .isEqualTo("delegation=" + encoded);
        Files.write(hadoop.root(Map.of("HADOOP_TOKEN", StubHadoop.TOKEN)).resolve("x"), new byte[] {1});
        assertThat(hadoop.files()).containsOnlyKeys("x");
    }

    private static void writeField(DataOutputStream out, String text) throws IOException {
        writeField(out, text.getBytes(StandardCharsets.US_ASCII));
    }

    private static void writeField(DataOutputStream out, byte[] field) throws IOException {
        if (field.length > 127) {
            out.write(-114);
            out.writeShort(field.length);
        } else {
            out.write(field.length);
        }
        out.write(field);
    }

    @Test
    void missingOrWrongCredentialsAreNamed() throws IOException {
        hadoop.requireToken();
        Path broken = Files.write(folder.resolve("tokens"), new byte[] {1, 2});

        assertThatThrownBy(() -> Files.readAllBytes(root().resolve("x")))
                .isInstanceOf(AddressException.class)
                .hasMessageContainingAll("[webhdfs://" + hadoop.host() + "/x]", "HADOOP_TOKEN_FILE_LOCATION");
        assertThatThrownBy(() -> Files.readAllBytes(hadoop.root(Map.of("HADOOP_TOKEN_FILE_LOCATION", broken.toString()))
                        .resolve("x")))
                .isInstanceOf(AddressException.class)
                .hasMessageContaining("hdfs fetchdt");
        assertThatThrownBy(() -> Files.readAllBytes(
                        hadoop.root(Map.of("HADOOP_TOKEN", "secret")).resolve("x")))
                .hasMessageContaining("status=401 code=SecurityException")
                .hasMessageNotContaining("secret");
    }

    @Test
    void serverOfOtherKindIsNamed() throws IOException {
        try (StubBucket other = new StubBucket()) {
            other.failWith(request -> {
                StubBucket.error(request, 200, "Welcome");
                return true;
            });
            Path file = new ObjectFileSystem(
                            new WebHdfsFileSystemProvider(),
                            WebHdfsFileSystemProvider.open(other.url().replace("http://", ""), Map.of()))
                    .path("x");

            assertThatThrownBy(() -> Files.readAllBytes(file))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContainingAll("answer is not that of a NameNode", "check host and port");
        }
    }
}
