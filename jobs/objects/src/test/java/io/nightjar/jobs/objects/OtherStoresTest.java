package io.nightjar.jobs.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import io.nightjar.formats.file.AddressException;
import io.nightjar.formats.file.ChangedInputException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Google Cloud Storage and Azure Blob Storage, as stubs with their documented protocols. */
class OtherStoresTest {

    private static final String TOKEN = "stub-access-token";

    @TempDir
    Path folder;

    private final StubBucket bucket = new StubBucket();
    private final StubContainer container = new StubContainer();
    private final AtomicInteger tokens = new AtomicInteger();
    private Path account;

    /** A store with its kind of credentials. */
    enum Kind {
        GOOGLE,
        AZURE_KEY,
        AZURE_TOKEN
    }

    @BeforeEach
    void createServiceAccount() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        KeyPair keys = generator.generateKeyPair();
        String key = Base64.getEncoder().encodeToString(keys.getPrivate().getEncoded());
        account = Files.writeString(
                folder.resolve("account.json"),
                """
                {"type":"service_account","client_email":"night@stub","token_uri":"%s/token",
                 "private_key":"-----BEGIN PRIVATE KEY-----\\n%s\\n-----END PRIVATE KEY-----\\n"}
                """
                        .formatted(bucket.url(), key));
        bucket.acceptWith(request ->
                ("Bearer " + TOKEN).equals(request.getRequestHeaders().getFirst("authorization")));
        bucket.failWith(request -> request.getRequestURI().getPath().equals("/token") && grant(request, keys));
    }

    /** Answers with a token if the assertion is signed. */
    private boolean grant(HttpExchange request, KeyPair keys) throws IOException {
        String form = new String(request.getRequestBody().readAllBytes(), StandardCharsets.US_ASCII);
        String[] parts = form.replaceAll(".*assertion=", "").split("\\.");
        try {
            Signature signature = Signature.getInstance("SHA256withRSA");
            signature.initVerify(keys.getPublic());
            signature.update((parts[0] + "." + parts[1]).getBytes(StandardCharsets.US_ASCII));
            String claims = new String(Base64.getUrlDecoder().decode(parts[1]), StandardCharsets.UTF_8);
            assertThat(signature.verify(Base64.getUrlDecoder().decode(parts[2])))
                    .isTrue();
            assertThat(claims).contains("\"iss\":\"night@stub\"", "devstorage.read_write");
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
        tokens.incrementAndGet();
        byte[] body = ("{\"access_token\":\"" + TOKEN + "\",\"expires_in\":3600}").getBytes(StandardCharsets.US_ASCII);
        request.sendResponseHeaders(200, body.length);
        request.getResponseBody().write(body);
        request.close();
        return true;
    }

    @AfterEach
    void stop() {
        bucket.close();
        container.close();
    }

    private Map<String, String> google() {
        return Map.of("STORAGE_EMULATOR_HOST", bucket.url(), "GOOGLE_APPLICATION_CREDENTIALS", account.toString());
    }

    private static Path google(Map<String, String> environment) {
        return new ObjectFileSystem(new GoogleFileSystemProvider(), GoogleFileSystemProvider.open("b", environment))
                .path("");
    }

    private Path root(Kind kind) {
        return switch (kind) {
            case GOOGLE -> google(google());
            case AZURE_KEY -> StubContainer.root(container.withKey());
            case AZURE_TOKEN -> StubContainer.root(container.withToken());
        };
    }

    @ParameterizedTest
    @EnumSource
    void objectsAreWrittenListedReadAndDeleted(Kind kind) throws IOException {
        Path day = root(kind).resolve("day");
        for (String name : new String[] {"a b/ü+c=%&.txt", "1", "2", "3"}) {
            Files.writeString(day.resolve(name), name);
        }

        try (Stream<Path> entries = Files.list(day)) {
            assertThat(entries)
                    .containsExactlyInAnyOrder(
                            day.resolve("a b"), day.resolve("1"), day.resolve("2"), day.resolve("3"));
        }
        assertThat(Files.readString(day.resolve("a b/ü+c=%&.txt"))).isEqualTo("a b/ü+c=%&.txt");
        assertThat(Files.isDirectory(day.resolve("a b"))).isTrue();
        Files.delete(day.resolve("1"));
        assertThat(Files.exists(root(kind).resolve("day/1"))).isFalse();
        assertThatThrownBy(() -> Files.readString(day.resolve("4"))).isInstanceOf(NoSuchFileException.class);
        assertThat(tokens).hasValueLessThan(3);
    }

    @ParameterizedTest
    @EnumSource
    void objectIsCreatedOnlyIfNew(Kind kind) throws IOException {
        Path file = root(kind).resolve("_SUCCESS");
        Files.write(file, new byte[] {1}, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);

        assertThatThrownBy(() ->
                        Files.write(file, new byte[] {2}, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE))
                .isInstanceOf(FileAlreadyExistsException.class);
        assertThat(Files.readAllBytes(root(kind).resolve("_SUCCESS"))).containsExactly(1);
    }

    @ParameterizedTest
    @EnumSource
    void largeObjectIsWrittenInParts(Kind kind) throws IOException {
        byte[] content = new byte[(33 << 20) + 5];
        new Random(1).nextBytes(content);
        Path file = root(kind).resolve("large");

        Files.write(file, content);

        assertThat(Files.readAllBytes(file)).isEqualTo(content);
    }

    @ParameterizedTest
    @EnumSource
    void objectThatIsReplacedIsNotReadOn(Kind kind) throws IOException {
        Path file = root(kind).resolve("replaced");
        Files.write(file, new byte[3 << 20]);

        try (FileChannel channel = FileChannel.open(root(kind).resolve("replaced"), StandardOpenOption.READ)) {
            Files.write(file, new byte[] {1, 2, 3});

            assertThatThrownBy(() -> channel.read(ByteBuffer.allocate(10), 1 << 20))
                    .isInstanceOf(ChangedInputException.class);
        }
    }

    @Test
    void creationWhoseAnswerIsLostSucceeds() throws IOException {
        AtomicInteger left = new AtomicInteger(1);
        container.failWith(request -> {
            if (request.getRequestMethod().equals("PUT") && left.getAndDecrement() > 0) {
                container.objects().put("_SUCCESS", request.getRequestBody().readAllBytes());
                request.close();
                return true;
            }
            return false;
        });
        Path file = StubContainer.root(container.withKey()).resolve("_SUCCESS");

        Files.write(file, new byte[] {7}, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);

        assertThat(container.objects().get("_SUCCESS")).containsExactly(7);
    }

    @Test
    void wrongKeyIsDeniedAndInNoMessage() {
        Map<String, String> wrong = new HashMap<>(container.withKey());
        wrong.put("AZURE_STORAGE_KEY", Base64.getEncoder().encodeToString(new byte[] {1, 2, 3}));

        assertThatThrownBy(
                        () -> Files.readAttributes(StubContainer.root(wrong).resolve("x"), BasicFileAttributes.class))
                .isInstanceOf(AccessDeniedException.class)
                .hasMessageContaining("az://c/x")
                .hasMessageNotContaining("AQID");
    }

    @Test
    void missingCredentialsAreNamedAtOnce() {
        assertThatThrownBy(() -> StubContainer.root(Map.of()))
                .isInstanceOf(AddressException.class)
                .hasMessageContainingAll("[az://c/]", "AZURE_STORAGE_ACCOUNT");
        Path file = google(Map.of("HOME", folder.toString())).resolve("x");
        assertThatThrownBy(() -> Files.exists(file))
                .isInstanceOf(AddressException.class)
                .hasMessageContainingAll("[gs://b/]", "GOOGLE_APPLICATION_CREDENTIALS");
    }
}
