package io.nightjar.jobs.objects;

import io.nightjar.formats.file.AddressException;
import io.nightjar.jobs.objects.HttpCaller.Answer;
import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.security.GeneralSecurityException;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** A container of Azure Blob Storage. */
final class AzureStore extends ObjectStore {

    private static final String VERSION = "2021-12-02";

    /** RFC 1123 with two digits of the day, which Java's formatter of that name omits. */
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("EEE, dd MMM uuuu HH:mm:ss 'GMT'", Locale.ENGLISH);

    private static final int BLOCK_BYTES = 16 << 20;
    private static final int MAX_BLOCKS = 45_000;
    private static final List<String> SIGNED =
            List.of(("content-encoding content-language content-length content-md5 content-type date "
                            + "if-modified-since if-match if-none-match if-unmodified-since range")
                    .split(" "));

    private final URI endpoint; // of the container
    private final String account;
    private final String key; // empty if a token is used
    private final String token;

    AzureStore(String root, URI endpoint, String account, String key, String token) {
        this(root, endpoint, account, key, token, new HttpCaller(false));
    }

    private AzureStore(String root, URI endpoint, String account, String key, String token, HttpCaller caller) {
        super(root, caller);
        this.endpoint = endpoint;
        this.account = account;
        this.key = key;
        this.token = token;
    }

    @Override
    ObjectStore counted() {
        return new AzureStore(root, endpoint, account, key, token, caller.counted());
    }

    private Answer call(
            String method, String name, Map<String, String> query, Map<String, String> headers, byte @Nullable [] body)
            throws IOException {
        List<String> pairs = new ArrayList<>();
        query.forEach((field, value) -> pairs.add(field + "=" + HttpCaller.encodeValue(value)));
        if (key.isEmpty()) {
            pairs.add(token);
        }
        String path = endpoint + (name.isEmpty() ? "" : "/" + HttpCaller.encode(name));
        URI uri = URI.create(path + (pairs.isEmpty() ? "" : "?" + String.join("&", pairs)));
        return caller.call(root + name, () -> {
            Map<String, String> all = new TreeMap<>(headers);
            all.put("x-ms-version", VERSION);
            all.put("x-ms-date", TIME.format(ZonedDateTime.now(ZoneOffset.UTC)));
            if (!key.isEmpty()) {
                all.put("authorization", signature(method, uri, query, all, body));
            }
            return HttpCaller.request(method, uri, all, body);
        });
    }

    /** Signs a request by the shared key of the account. */
    private String signature(
            String method, URI uri, Map<String, String> query, Map<String, String> headers, byte @Nullable [] body) {
        StringBuilder text = new StringBuilder(method);
        for (String name : SIGNED) {
            int length = body == null || !name.equals("content-length") ? 0 : body.length;
            text.append('\n').append(length > 0 ? Integer.toString(length) : headers.getOrDefault(name, ""));
        }
        text.append('\n');
        headers.forEach((name, value) -> {
            if (name.startsWith("x-ms-")) {
                text.append(name).append(':').append(value).append('\n');
            }
        });
        text.append('/').append(account).append(uri.getRawPath());
        new TreeMap<>(query)
                .forEach((name, value) ->
                        text.append('\n').append(name).append(':').append(value));
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(Base64.getDecoder().decode(key), "HmacSHA256"));
            byte[] signed = mac.doFinal(text.toString().getBytes(StandardCharsets.UTF_8));
            return "SharedKey " + account + ":" + Base64.getEncoder().encodeToString(signed);
        } catch (GeneralSecurityException | IllegalArgumentException wrong) {
            throw new AddressException("[" + root + "] key of the Azure account is not readable; write it again");
        }
    }

    @Override
    @Nullable
    ObjectInfo find(String name) throws IOException {
        Answer answer = call("HEAD", name, Map.of(), Map.of(), null);
        if (answer.status() == 404) {
            return null;
        }
        if (answer.status() != 200 || answer.length() < 0) {
            throw HttpCaller.refused(root + name, answer);
        }
        return answer.header("x-ms-meta-hdi_isfolder").equals("true") // of accounts with real folders
                ? ObjectInfo.folder(name)
                : new ObjectInfo(name, answer.length(), answer.modified(), answer.header("etag"), false);
    }

    @Override
    Answer answer(ObjectInfo object, long start, int length) throws IOException {
        return call("GET", object.key(), Map.of(), rangeHeaders(object, start, length), null);
    }

    @Override
    List<ObjectInfo> list(String folder, int max) throws IOException {
        String prefix = folder.isEmpty() ? "" : folder + "/";
        return ListingPage.entries(root + folder, prefix, max, token -> {
            Map<String, String> query = new TreeMap<>(Map.of(
                    "restype",
                    "container",
                    "comp",
                    "list",
                    "delimiter",
                    "/",
                    "prefix",
                    prefix,
                    "maxresults",
                    Integer.toString((int) Math.min(1_000, (long) max + 1)))); // one may be the folder
            if (!token.isEmpty()) {
                query.put("marker", token);
            }
            return call("GET", "", query, Map.of(), null);
        });
    }

    @Override
    void write(String name, FileChannel content, boolean onlyNew) throws IOException {
        long size = content.size();
        Map<String, String> condition = onlyNew ? Map.of("if-none-match", "*") : Map.of();
        if (size > BLOCK_BYTES) {
            check(name, writeBlocks(name, content, size, condition), onlyNew);
            return;
        }
        Map<String, String> headers = new TreeMap<>(condition);
        headers.put("x-ms-blob-type", "BlockBlob");
        byte[] body = HttpCaller.part(content, 0, (int) size);
        Answer answer = call("PUT", name, Map.of(), headers, body);
        if (answer.status() == 201 || answer.attempts() == 1 || !isWritten(name, body)) {
            check(name, answer, onlyNew);
        }
    }

    private void check(String name, Answer answer, boolean onlyNew) throws IOException {
        if (onlyNew && (answer.status() == 409 || answer.status() == 412)) {
            throw new FileAlreadyExistsException(root + name);
        }
        if (answer.status() != 201) {
            throw HttpCaller.refused(root + name, answer);
        }
    }

    private Answer writeBlocks(String name, FileChannel content, long size, Map<String, String> condition)
            throws IOException {
        int blockBytes = (int) Math.max(BLOCK_BYTES, size / MAX_BLOCKS + 1);
        StringBuilder blocks = new StringBuilder("<?xml version=\"1.0\" encoding=\"utf-8\"?><BlockList>");
        int number = 0;
        for (long start = 0; start < size; start += blockBytes) {
            String id = Base64.getEncoder()
                    .encodeToString("%08d".formatted(number++).getBytes(StandardCharsets.US_ASCII));
            byte[] body = HttpCaller.part(content, start, (int) Math.min(blockBytes, size - start));
            Answer block = call("PUT", name, new TreeMap<>(Map.of("comp", "block", "blockid", id)), Map.of(), body);
            if (block.status() != 201) {
                throw HttpCaller.refused(root + name, block);
            }
            blocks.append("<Latest>").append(id).append("</Latest>");
        }
        byte[] body = blocks.append("</BlockList>").toString().getBytes(StandardCharsets.UTF_8);
        return call("PUT", name, Map.of("comp", "blocklist"), condition, body);
    }

    @Override
    void delete(String name) throws IOException {
        Answer answer = call("DELETE", name, Map.of(), Map.of(), null);
        if (answer.status() != 202 && answer.status() != 404) {
            throw HttpCaller.refused(root + name, answer);
        }
    }
}
