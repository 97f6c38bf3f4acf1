package io.nightjar.jobs.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import io.nightjar.formats.file.AddressException;
import io.nightjar.formats.file.Addresses;
import io.nightjar.formats.file.ChangedInputException;
import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.HistoryWriter;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SliceBuilder;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.history.Traffic;
import io.nightjar.formats.registry.Histories;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ObjectHistoryTest {

    private final StubBucket bucket = new StubBucket();

    @AfterEach
    void stop() {
        bucket.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"h.parquet", "h.arrow", "h.jsonl", "h.jsonl.gz", "h.jsonl.zst", "h.txt", "a b/ü+c=%.jsonl"})
    void historyIsReadAsWritten(String key) throws IOException {
        write(bucket.root().resolve(key), 500, 1);

        assertThat(sumOf(bucket.root().resolve(key), ColumnGroup.all())).isEqualTo(sum(500, 1));
        assertThat(bucket.objects()).containsOnlyKeys(key);
    }

    @Test
    void partsOfFolderAreOneHistory() throws IOException {
        for (int part = 0; part < 5; part++) {
            write(bucket.root().resolve("day/part-" + part + ".parquet"), 100, part * 1000 + 1);
        }
        bucket.objects().put("day/_SUCCESS", new byte[0]);
        bucket.objects().put("day/", new byte[0]); // some programs write an object for a folder

        try (HistorySource source = Histories.open(bucket.root().resolve("day"), null)) {
            assertThat(source.splits()).hasSize(5);
            assertThat(source.uri()).isEqualTo("s3://b/day");
        }
    }

    @Test
    void largeParquetIsReadByColumnsInFewRequests() throws IOException {
        Path local = Files.createTempFile("large", ".parquet");
        write(local, 400_000, 1);
        bucket.objects().put("large.parquet", Files.readAllBytes(local));
        long size = Files.size(local);
        Files.delete(local);
        assertThat(size).isGreaterThan(4 << 20);

        try (HistorySource source = Histories.open(bucket.root().resolve("large.parquet"), null)) {
            assertThat(bucket.takeRequests().stream().filter(request -> request.startsWith("GET large")))
                    .as("head and footer")
                    .hasSizeLessThanOrEqualTo(3);
            read(source, EnumSet.noneOf(ColumnGroup.class));
            List<String> requests = bucket.takeRequests();
            assertThat(bytesOf(requests)).isLessThan(size * 3 / 4);
            assertThat(requests).hasSizeLessThan(8 * source.splits().size());
        }
    }

    @Test
    void requestsOfHistoryAreCounted() throws IOException {
        write(bucket.root().resolve("day/part-1.parquet"), 3000, 1);
        write(bucket.root().resolve("day/part-2.parquet"), 3000, 5000);
        Path root = bucket.root();
        Path folder = root.resolve("day");
        bucket.takeRequests();
        AtomicInteger count = new AtomicInteger();
        bucket.failWith(request -> count.incrementAndGet() % 3 == 0 && fail(request, "503"));

        try (HistorySource source = Histories.open(folder, null)) {
            read(source, ColumnGroup.all());
            // a block that was fetched ahead may still be on its way: it is counted when it is sent
            List<String> requests = new ArrayList<>();
            for (int i = 0; i < 200 && requests.size() < source.traffic().requests(); i++) {
                requests.addAll(bucket.takeRequests());
                LockSupport.parkNanos(10_000_000);
            }

            // a request that is cancelled, or of which the connection is lost, is counted but may never arrive
            assertThat(source.traffic().requests()).isBetween((long) requests.size(), 2L * requests.size());
            assertThat(source.traffic().bytes()).isGreaterThan(10_000);
        }
        assertThat(Addresses.traffic(bucket.root().resolve("day"))).isEqualTo(Traffic.NONE);
        assertThat(Addresses.traffic(Path.of("day"))).isNull();
    }

    private static long bytesOf(List<String> requests) {
        long bytes = 0;
        for (String request : requests) {
            if (request.contains(" bytes=")) {
                String[] bounds = request.replaceAll(".* bytes=", "").split("-");
                bytes += Long.parseLong(bounds[1]) - Long.parseLong(bounds[0]) + 1;
            }
        }
        return bytes;
    }

    @Test
    void objectLargerThanPartIsWrittenInParts() throws IOException {
        byte[] content = new byte[(33 << 20) + 5];
        new Random(1).nextBytes(content);

        Files.write(bucket.root().resolve("big"), content);

        assertThat(bucket.takeRequests().stream().filter(request -> request.contains("partNumber")))
                .hasSize(3);
        assertThat(bucket.objects().get("big")).isEqualTo(content);
        assertThat(Files.readAllBytes(bucket.root().resolve("big"))).isEqualTo(content);
    }

    @Test
    void writerThatFailsLeavesNothing() throws IOException {
        try (HistoryWriter writer = Histories.create(bucket.root().resolve("h.parquet"), null)) {
            writer.write(slice("h", 10, 1));
        }

        assertThat(bucket.objects()).isEmpty();
    }

    @Test
    void objectIsCreatedOnlyIfNew() throws IOException {
        Path file = bucket.root().resolve("_SUCCESS");
        Files.write(file, new byte[] {1}, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);

        assertThatThrownBy(() ->
                        Files.write(file, new byte[] {2}, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE))
                .isInstanceOf(FileAlreadyExistsException.class);
        assertThat(bucket.objects().get("_SUCCESS")).containsExactly(1);
    }

    @Test
    void creationWhoseAnswerIsLostSucceeds() throws IOException {
        AtomicInteger left = new AtomicInteger(1);
        bucket.failWith(request -> {
            if (request.getRequestMethod().equals("PUT") && left.getAndDecrement() > 0) {
                bucket.objects().put("_SUCCESS", request.getRequestBody().readAllBytes());
                request.close();
                return true;
            }
            return false;
        });

        Files.write(
                bucket.root().resolve("_SUCCESS"),
                new byte[] {7},
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.WRITE);

        assertThat(bucket.objects().get("_SUCCESS")).containsExactly(7);
    }

    @Test
    void folderEndsWithItsLastObject() throws IOException {
        Path folder = bucket.root().resolve("rows");
        Path part = folder.resolve("part-0");
        Files.write(folder.resolve(".part"), new byte[] {1});
        Files.copy(folder.resolve(".part"), part);
        Files.delete(folder.resolve(".part"));
        assertThat(part).hasBinaryContent(new byte[] {1});
        assertThat(Files.isDirectory(folder)).isTrue();
        try (DirectoryStream<Path> others = Files.newDirectoryStream(folder, "*.txt")) {
            assertThat(others).isEmpty();
        }

        Files.delete(part);

        assertThat(Files.exists(folder)).isFalse();
        assertThatThrownBy(() -> Files.newDirectoryStream(folder)).isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void folderIsListedAndDeleted() throws IOException {
        for (String key : List.of("l/a", "l/b/c", "l/b/d", "l/e")) {
            bucket.objects().put(key, new byte[] {1, 2});
        }
        Path folder = bucket.root().resolve("l");

        try (Stream<Path> entries = Files.list(folder)) {
            assertThat(entries.map(Path::toString)).containsExactlyInAnyOrder("s3://b/l/a", "s3://b/l/b", "s3://b/l/e");
        }
        assertThat(Files.isDirectory(folder.resolve("b"))).isTrue();
        assertThat(Files.size(folder.resolve("b/d"))).isEqualTo(2);
        Files.delete(folder.resolve("a"));
        assertThat(Files.exists(folder.resolve("a"))).isFalse();
        assertThatThrownBy(() -> Files.delete(folder.resolve("none"))).isInstanceOf(NoSuchFileException.class);
    }

    // ---------------------------------------------------------------- failures

    @ParameterizedTest
    @ValueSource(strings = {"500", "503", "429", "reset", "truncated"})
    void passingFailuresAreRetried(String kind) throws IOException {
        write(bucket.root().resolve("h.parquet"), 2000, 1);
        AtomicInteger count = new AtomicInteger();
        bucket.failWith(request -> count.incrementAndGet() % 3 != 0 && fail(request, kind));

        assertThat(sumOf(bucket.root().resolve("h.parquet"), ColumnGroup.all())).isEqualTo(sum(2000, 1));
    }

    private static boolean fail(HttpExchange request, String kind) throws IOException {
        switch (kind) {
            case "reset" -> request.close();
            case "truncated" -> {
                if (request.getRequestMethod().equals("HEAD")) {
                    return false;
                }
                request.sendResponseHeaders(206, 1000);
                request.getResponseBody().write(new byte[10]);
                request.getResponseBody().flush();
                request.close();
            }
            default -> StubBucket.error(request, Integer.parseInt(kind), "SlowDown");
        }
        return true;
    }

    @Test
    void storeThatKeepsFailingIsNamedOnceWithinItsPatience() throws IOException {
        write(bucket.root().resolve("h.parquet"), 10, 1);
        Path file = bucket.root().resolve("h.parquet");
        bucket.failWith(request -> fail(request, "503"));
        long begin = System.nanoTime();

        for (int call = 0; call < 3; call++) {
            assertThatThrownBy(() -> Histories.open(file, null))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContainingAll("[s3://b/h.parquet]", "status=503", "attempts=")
                    .hasMessageNotContaining(StubBucket.SECRET);
        }
        assertThat((System.nanoTime() - begin) / 1e9).isLessThan(45);
    }

    @Test
    void deniedAccessRejectsHistory() throws IOException {
        write(bucket.root().resolve("h.jsonl"), 10, 1);
        bucket.failWith(request -> fail403(request));

        assertThatThrownBy(() -> Histories.open(bucket.root().resolve("h.jsonl"), null))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessageContainingAll("[s3://b/h.jsonl]", "may not be read", "403");
    }

    @Test
    void deniedObjectIsNotAbsent() throws IOException {
        Path manifest = bucket.root().resolve("day/_manifest.json");
        assertThat(Addresses.isFile(manifest)).isFalse();
        Files.writeString(manifest, "{\"complete\":false}");
        assertThat(Addresses.isFile(manifest)).isTrue();

        bucket.failWith(request -> fail403(request));

        assertThatThrownBy(() -> Addresses.isFile(bucket.root().resolve("day/other.json")))
                .isInstanceOf(AccessDeniedException.class);
    }

    private static boolean fail403(HttpExchange request) throws IOException {
        StubBucket.error(request, 403, "AccessDenied");
        return true;
    }

    @Test
    void missingObjectRejectsHistory() {
        assertThatThrownBy(() -> Histories.open(bucket.root().resolve("none.parquet"), null))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessageContaining("[s3://b/none.parquet] no such file");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 404, 416})
    void objectThatChangesIsNoHistory(int how) throws IOException {
        Path file = bucket.root().resolve("h.jsonl");
        write(file, 300_000, 1);
        assertThat(bucket.objects().get("h.jsonl").length).isGreaterThan(1 << 20);

        try (HistorySource source = Histories.open(file, null)) {
            try (SliceReader reader = source.open(0, ColumnGroup.all(), BadRowHandler.REJECT)) {
                reader.next();
                if (how == 1) {
                    bucket.objects()
                            .put("h.jsonl", "{\"ops\":[]}\n".repeat(2_000_000).getBytes(StandardCharsets.UTF_8));
                } else {
                    bucket.failWith(request -> {
                        if (request.getRequestMethod().equals("GET")
                                && request.getRequestURI().getQuery() == null) {
                            StubBucket.error(request, how, "Gone");
                            return true;
                        }
                        return false;
                    });
                }
                assertThatThrownBy(() -> {
                            while (reader.next() != null) {
                                continue;
                            }
                        })
                        .isInstanceOf(ChangedInputException.class)
                        .hasMessageContaining("changed while it was read");
            }
        }
    }

    @Test
    void serverThatIgnoresConditionIsNoticed() throws IOException {
        Path file = bucket.root().resolve("h.parquet");
        write(file, 1000, 1);
        bucket.failWith(request -> {
            if (request.getRequestMethod().equals("GET")
                    && request.getRequestURI().getQuery() == null) {
                request.getResponseHeaders().set("etag", "\"other\"");
                byte[] content = bucket.objects().get("h.parquet");
                request.sendResponseHeaders(200, content.length);
                try (OutputStream out = request.getResponseBody()) {
                    out.write(content);
                }
                return true;
            }
            return false;
        });

        assertThatThrownBy(() -> Histories.open(file, null)).isInstanceOf(ChangedInputException.class);
    }

    @Test
    void missingCredentialsAreNamedAtOnce() {
        Path file = StubBucket.root("b", Map.of("NIGHTJAR_S3_ENDPOINT", bucket.url(), "HOME", "/none"))
                .resolve("h.parquet");

        assertThatThrownBy(() -> Histories.open(file, null))
                .isInstanceOf(AddressException.class)
                .hasMessageContainingAll("s3://b/", "AWS_ACCESS_KEY_ID");
        assertThat(bucket.takeRequests()).isEmpty();
    }

    @Test
    void profilesHaveCredentialsAndRegion() throws IOException {
        Path folder = Files.createTempDirectory("aws");
        Path file = Files.writeString(
                folder.resolve("credentials"),
                "[default]\naws_access_key_id = no\n[night]\naws_access_key_id = A\naws_secret_access_key = B\n");
        Path config = Files.writeString(folder.resolve("config"), "[profile night]\nregion = eu-x-1\n");
        AwsCredentials credentials = new AwsCredentials(
                "s3://b/",
                Map.of(
                        "AWS_PROFILE", "night",
                        "AWS_SHARED_CREDENTIALS_FILE", file.toString(),
                        "AWS_CONFIG_FILE", config.toString()));

        assertThat(credentials.keys().id()).isEqualTo("A");
        assertThat(credentials.keys().secret()).isEqualTo("B");
        assertThat(credentials.keys().toString()).doesNotContain("B");
        assertThat(credentials.region()).isEqualTo("eu-x-1");
    }

    @Test
    void addressIsItsOwnName() {
        for (String address :
                List.of("s3://bucket/a/b.parquet", "s3://bucket/a b/ü%41?x#y.txt", "http://host:1/a.txt")) {
            Path path = Addresses.path(address);

            assertThat(path.toString()).isEqualTo(address);
            assertThat(Addresses.isRemote(path)).isTrue();
            assertThat(Addresses.path(path.toString())).isEqualTo(path);
        }
        assertThat(Addresses.path("http://host/a.txt?sig=secret").toString()).isEqualTo("http://host/a.txt");
        assertThat(Addresses.isRemote(Addresses.path("a/b.txt"))).isFalse();
        assertThatThrownBy(() -> Addresses.path("s3://")).isInstanceOf(AddressException.class);
        assertThatThrownBy(() -> Addresses.path("http://user:pw@host/x"))
                .isInstanceOf(AddressException.class)
                .hasMessageNotContaining("pw@");
    }

    // ---------------------------------------------------------------- histories

    private static void write(Path file, int txns, int firstId) throws IOException {
        try (HistoryWriter writer = Histories.create(file, null)) {
            for (int txn = 0; txn < txns; txn += 10_000) {
                writer.write(slice(file.toString(), Math.min(10_000, txns - txn), firstId + txn));
            }
            writer.finish();
        }
    }

    private static HistorySlice slice(String file, int txns, int firstId) {
        SliceBuilder slice = new SliceBuilder(file);
        slice.keysAreLongs();
        slice.valuesAreLongs();
        Random random = new Random(firstId);
        for (int txn = 0; txn < txns; txn++) {
            slice.beginTxn(txn + 1L, firstId + txn, 1, firstId + txn);
            slice.op(OpKind.WRITE, random.nextInt(), random.nextInt());
            slice.endTxn();
        }
        return slice.build(ColumnGroup.all());
    }

    private static long sum(int txns, int firstId) {
        return (long) txns * firstId + (long) txns * (txns - 1) / 2;
    }

    private static long sumOf(Path file, Set<ColumnGroup> wanted) throws IOException {
        try (HistorySource source = Histories.open(file, null)) {
            long sum = read(source, wanted);
            source.checkUnchanged();
            return sum;
        }
    }

    /** Returns the sum of all ids. */
    private static long read(HistorySource source, Set<ColumnGroup> wanted) throws IOException {
        long sum = 0;
        for (int split = 0; split < source.splits().size(); split++) {
            try (SliceReader reader = source.open(split, wanted, BadRowHandler.REJECT)) {
                for (HistorySlice slice = reader.next(); slice != null; slice = reader.next()) {
                    for (int txn = 0; txn < slice.txnCount; txn++) {
                        sum += slice.txnId[txn];
                    }
                }
            }
        }
        return sum;
    }
}
