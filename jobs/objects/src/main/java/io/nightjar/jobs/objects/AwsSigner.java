package io.nightjar.jobs.objects;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signs requests by AWS Signature Version 4. */
final class AwsSigner implements RequestSigner {

    private static final String ALGORITHM = "AWS4-HMAC-SHA256";
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final AwsCredentials credentials;
    private volatile String region;

    AwsSigner(AwsCredentials credentials, String region) {
        this.credentials = credentials;
        this.region = region;
    }

    @Override
    public boolean useRegion(String other) {
        boolean isOther = !other.isEmpty() && !other.equals(region);
        region = isOther ? other : region;
        return isOther;
    }

    @Override
    public Map<String, String> headers(String method, URI uri, Map<String, String> headers, byte[] body) {
        return headers(method, uri, headers, body, Instant.now());
    }

    Map<String, String> headers(String method, URI uri, Map<String, String> headers, byte[] body, Instant now) {
        AwsCredentials.Keys keys = credentials.keys();
        String time = TIME.format(now);
        String hash = hex(sha256(body));
        Map<String, String> added = new TreeMap<>();
        added.put("x-amz-date", time);
        added.put("x-amz-content-sha256", hash);
        if (!keys.token().isEmpty()) {
            added.put("x-amz-security-token", keys.token());
        }
        TreeMap<String, String> signed = new TreeMap<>(added);
        headers.forEach((name, value) -> signed.put(name.toLowerCase(Locale.ROOT), value.strip()));
        signed.put("host", uri.getRawAuthority());
        StringBuilder lines = new StringBuilder();
        signed.forEach(
                (name, value) -> lines.append(name).append(':').append(value).append('\n'));
        String names = String.join(";", signed.keySet());
        String query = uri.getRawQuery() == null ? "" : uri.getRawQuery();
        String request = method + "\n" + uri.getRawPath() + "\n" + query + "\n" + lines + "\n" + names + "\n" + hash;
        String date = time.substring(0, 8);
        String used = region;
        String scope = date + "/" + used + "/s3/aws4_request";
        String text =
                ALGORITHM + "\n" + time + "\n" + scope + "\n" + hex(sha256(request.getBytes(StandardCharsets.UTF_8)));
        byte[] key = hmac(("AWS4" + keys.secret()).getBytes(StandardCharsets.UTF_8), date);
        key = hmac(hmac(hmac(key, used), "s3"), "aws4_request");
        added.put(
                "authorization",
                ALGORITHM + " Credential=" + keys.id() + "/" + scope + ", SignedHeaders=" + names + ", Signature="
                        + hex(hmac(key, text)));
        return added;
    }

    static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (GeneralSecurityException impossible) {
            throw new AssertionError("bug: every JDK has SHA-256", impossible);
        }
    }

    static byte[] hmac(byte[] key, String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException impossible) {
            throw new AssertionError("bug: every JDK has HmacSHA256", impossible);
        }
    }
}
