package io.nightjar.jobs.objects;

import io.nightjar.formats.file.ChangedInputException;
import io.nightjar.formats.history.InputLocation;
import io.nightjar.formats.history.Traffic;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Sends requests to one store, repeats failed requests, and explains the failures that remain. */
final class HttpCaller {

    /*
     * A store that has failed for PATIENCE gets one attempt for each request that follows: a command that inspects its
     * input again after a failure must not wait again.
     */

    private static final Duration PATIENCE = Duration.ofSeconds(25);
    private static final Duration CONNECTING = Duration.ofSeconds(10);
    private static final Duration ANSWERING = Duration.ofSeconds(20);
    private static final Duration FETCHING = Duration.ofMinutes(30);
    private static final long FIRST_PAUSE_MS = 100;
    private static final long MAX_PAUSE_MS = 5_000;
    private static final Pattern CODE =
            Pattern.compile("(?:<Code>|\"exception\" ?: ?\")([A-Za-z0-9_.-]{1,80})(?:</Code>|\")");
    private static final Pattern LATER_OF_HADOOP =
            Pattern.compile("StandbyException|RetriableException|SafeModeException");

    private final HttpClient client;
    private final AtomicLong failingUntil;
    private final LongAdder requests = new LongAdder();
    private final LongAdder bytes = new LongAdder();

    HttpCaller(boolean followsRedirects) {
        this(
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .connectTimeout(CONNECTING)
                        .followRedirects(followsRedirects ? HttpClient.Redirect.NORMAL : HttpClient.Redirect.NEVER)
                        .build(),
                new AtomicLong(System.nanoTime()));
    }

    private HttpCaller(HttpClient client, AtomicLong failingUntil) {
        this.client = client;
        this.failingUntil = failingUntil;
    }

    /** Returns this caller with separate counts. */
    HttpCaller counted() {
        return new HttpCaller(client, failingUntil);
    }

    Traffic traffic() {
        return new Traffic(requests.sum(), bytes.sum());
    }

    /** Makes a request, anew for each attempt, since its signature is valid for some minutes only. */
    @FunctionalInterface
    interface Maker {
        HttpRequest make() throws IOException;

        /** Makes the second request of an attempt; null if the answer to the first is the result. */
        default @Nullable HttpRequest makeRedirected(URI location) throws IOException {
            return null;
        }
    }

    /**
     * A response.
     *
     * @param attempts how often the request was sent
     */
    record Answer(int status, Map<String, String> headers, byte[] body, int attempts) {

        String header(String name) {
            return headers.getOrDefault(name, "");
        }

        /** Returns the length of the object, which a response to HEAD states without a body. */
        long length() {
            String length = header("content-length");
            return length.isEmpty() ? -1 : Long.parseLong(length);
        }

        Instant modified() {
            try {
                return ZonedDateTime.parse(header("last-modified"), DateTimeFormatter.RFC_1123_DATE_TIME)
                        .toInstant();
            } catch (DateTimeParseException noneStated) {
                return Instant.EPOCH;
            }
        }

        String text() {
            return new String(body, StandardCharsets.UTF_8);
        }

        private String code() {
            Matcher code = CODE.matcher(text());
            return code.find()
                    ? " code=" + code.group(1)
                    : header("x-ms-error-code").isEmpty() ? "" : " code=" + header("x-ms-error-code");
        }
    }

    /**
     * Sends a request until the store answers it, except with a failure of the server.
     *
     * @param address the address of the object, without secrets
     */
    Answer call(String address, Maker maker) throws IOException {
        return call(address, maker, HttpResponse.BodyHandlers.ofByteArray(), ANSWERING);
    }

    /** Sends a request like {@link #call}, and writes a whole object in the answer, of any size, to a file. */
    Answer fetch(String address, Maker maker, Path file) throws IOException {
        BodyHandler<byte[]> toFile = answer -> answer.statusCode() == 200
                ? BodySubscribers.mapping(BodySubscribers.ofFile(file), written -> new byte[0])
                : BodySubscribers.ofByteArray();
        Answer answer = call(address, maker, toFile, FETCHING);
        bytes.add(answer.status() == 200 ? Files.size(file) : 0);
        return answer;
    }

    private Answer call(String address, Maker maker, BodyHandler<byte[]> body, Duration limit) throws IOException {
        long begin = System.nanoTime();
        long end = failingUntil.get() > begin ? begin : begin + PATIENCE.toNanos();
        long pause = FIRST_PAUSE_MS;
        for (int attempt = 1; ; attempt++) {
            String failure;
            try {
                Answer answer = send(maker, body, limit, attempt);
                if (!isPassing(answer)) {
                    failingUntil.set(System.nanoTime());
                    return answer;
                }
                failure = "status=" + answer.status() + answer.code();
            } catch (InterruptedIOException stopped) {
                throw stopped;
            } catch (IOException lost) {
                failure = "reason=" + reason(lost);
            }
            long now = System.nanoTime();
            if (now + pause * 1_000_000 >= end) {
                failingUntil.set(now + PATIENCE.toNanos());
                throw new IOException("[" + address + "] object store does not answer: " + failure + " attempts="
                        + attempt + " seconds=" + (now - begin) / 1_000_000_000 + "; try again later");
            }
            sleep(pause / 2 + ThreadLocalRandom.current().nextLong(pause / 2 + 1));
            pause = Math.min(MAX_PAUSE_MS, 2 * pause);
        }
    }

    private static boolean isPassing(Answer answer) {
        return answer.status() == 408
                || answer.status() == 429
                || answer.status() >= 500 && answer.status() != 501 && answer.status() != 505
                || answer.status() == 403
                        && LATER_OF_HADOOP.matcher(answer.text()).find()
                || answer.status() == 409 && answer.text().contains("ConditionalRequestConflict")
                || answer.status() == 400 && answer.text().contains("RequestTimeout");
    }

    private static String reason(IOException lost) {
        String message = lost.getMessage();
        return lost.getClass().getSimpleName() + (message == null || message.isBlank() ? "" : " (" + message + ")");
    }

    private Answer send(Maker maker, BodyHandler<byte[]> body, Duration limit, int attempt) throws IOException {
        Answer answer = send(maker.make(), body, limit, attempt);
        if (answer.status() != 307) {
            return answer;
        }
        URI location;
        try {
            location = new URI(answer.header("location"));
        } catch (URISyntaxException wrong) { // its text may contain a token
            throw new IOException("redirection to no address");
        }
        HttpRequest second = location.getHost() == null ? null : maker.makeRedirected(location);
        return second == null ? answer : send(second, body, second.timeout().orElse(limit), attempt);
    }

    private Answer send(HttpRequest request, BodyHandler<byte[]> body, Duration limit, int attempt) throws IOException {
        requests.increment();
        CompletableFuture<HttpResponse<byte[]>> sent = client.sendAsync(request, body);
        try {
            HttpResponse<byte[]> response = sent.get(limit.toMillis(), TimeUnit.MILLISECONDS);
            Map<String, String> headers = new HashMap<>();
            response.headers()
                    .map()
                    .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values.get(0)));
            bytes.add(response.body().length);
            return new Answer(response.statusCode(), headers, response.body(), attempt);
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof IOException cause ? cause : new IOException(failed.getCause());
        } catch (TimeoutException slow) {
            sent.cancel(true);
            throw new IOException("no whole answer within " + limit.toSeconds() + " s");
        } catch (InterruptedException stopped) {
            sent.cancel(true);
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while a store was called");
        }
    }

    private static void sleep(long millis) throws InterruptedIOException {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while a store was called");
        }
    }

    // ---------------------------------------------------------------- answers that are the same at each attempt

    /** Returns the exception for an answer that is no success. */
    static IOException refused(String address, Answer answer) {
        String what = "status=" + answer.status() + answer.code();
        return switch (answer.status()) {
            case 401, 403 -> new AccessDeniedException(address, null, "access denied, " + what);
            case 404 -> new NoSuchFileException(address, null, what);
            default -> new IOException("[" + address + "] object store refuses the request: " + what);
        };
    }

    /**
     * Returns the bytes of a range.
     *
     * @throws ChangedInputException if the object is another one, or has gone
     */
    static byte[] range(String address, ObjectInfo object, long start, int length, Answer answer) throws IOException {
        if (answer.status() == 412 || answer.status() == 416 || answer.status() == 404) {
            throw changed(address, object, "status=" + answer.status());
        }
        if (answer.status() != 206 && answer.status() != 200) {
            throw refused(address, answer);
        }
        String etag = answer.header("etag");
        if (!etag.isEmpty() && !object.etag().isEmpty() && !etag.equals(object.etag())) {
            throw changed(address, object, "etagBefore=" + object.etag() + " etagNow=" + etag);
        }
        byte[] body = answer.body();
        if (answer.status() == 200 && body.length == object.size()) { // a server that ignores ranges
            return start == 0 && length == body.length
                    ? body
                    : Arrays.copyOfRange(body, (int) start, (int) start + length);
        }
        String stated = answer.header("content-range");
        if (!stated.isEmpty() && !stated.startsWith("bytes " + start + "-" + (start + length - 1) + "/")
                || !stated.isEmpty() && !stated.endsWith("/" + object.size()) && !stated.endsWith("/*")
                || body.length != length) {
            throw changed(address, object, "bytes=" + body.length + " expected=" + length);
        }
        return body;
    }

    private static ChangedInputException changed(String address, ObjectInfo object, String difference) {
        return new ChangedInputException(InputLocation.file(address), difference + " bytesBefore=" + object.size());
    }

    // ---------------------------------------------------------------- names in addresses

    /** Encodes a key for a path as S3 signs it; slashes remain. */
    static String encode(String key) {
        return encode(key, true);
    }

    /** Encodes a value for a query. */
    static String encodeValue(String value) {
        return encode(value, false);
    }

    private static String encode(String text, boolean keepsSlashes) {
        StringBuilder encoded = new StringBuilder();
        for (byte one : text.getBytes(StandardCharsets.UTF_8)) {
            char letter = (char) (one & 0xff);
            boolean isPlain = letter >= 'A' && letter <= 'Z'
                    || letter >= 'a' && letter <= 'z'
                    || letter >= '0' && letter <= '9'
                    || "-._~".indexOf(letter) >= 0
                    || keepsSlashes && letter == '/';
            if (isPlain) {
                encoded.append(letter);
            } else {
                encoded.append("%" + Character.toUpperCase(Character.forDigit(letter >> 4, 16))
                        + Character.toUpperCase(Character.forDigit(letter & 15, 16)));
            }
        }
        return encoded.toString();
    }

    /** Reads a part of a file into memory. */
    static byte[] part(FileChannel content, long start, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(length);
        while (buffer.hasRemaining()) {
            if (content.read(buffer, start + buffer.position()) < 0) {
                throw new IOException("file became shorter while it was written to a store");
            }
        }
        return buffer.array();
    }

    static HttpRequest request(String method, URI uri, Map<String, String> headers, byte @Nullable [] body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri)
                .timeout(ANSWERING)
                .method(
                        method,
                        body == null
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofByteArray(body));
        headers.forEach(request::header);
        return request.build();
    }

    /** Makes a request with a body of any size. */
    static HttpRequest upload(String method, URI uri, HttpRequest.BodyPublisher body) {
        return HttpRequest.newBuilder(uri)
                .timeout(FETCHING)
                .method(method, body)
                .header("content-type", "application/octet-stream")
                .build();
    }
}
