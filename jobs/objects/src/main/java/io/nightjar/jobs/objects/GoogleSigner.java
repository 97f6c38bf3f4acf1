package io.nightjar.jobs.objects;

import io.nightjar.formats.file.AddressException;
import io.nightjar.formats.text.JsonItems;
import io.nightjar.jobs.objects.HttpCaller.Answer;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;

/** Adds the access token of a service account or of a user to requests, and renews it in time. */
final class GoogleSigner implements RequestSigner {

    private static final String SCOPE = "https://www.googleapis.com/auth/devstorage.read_write";
    private static final String TOKEN_SERVER = "https://oauth2.googleapis.com/token";
    private static final long SPARE_SECONDS = 120;

    private final String root;
    private final Map<String, String> environment;
    private final boolean isEmulated;
    private final HttpCaller caller = new HttpCaller(false);
    private String token = "";
    private Instant end = Instant.EPOCH;

    /** @param isEmulated whether requests go to an emulator, which needs no credentials */
    GoogleSigner(String root, Map<String, String> environment, boolean isEmulated) {
        this.root = root;
        this.environment = environment;
        this.isEmulated = isEmulated;
    }

    @Override
    public synchronized Map<String, String> headers(String method, URI uri, Map<String, String> headers, byte[] body)
            throws IOException {
        String given = environment.getOrDefault("GOOGLE_OAUTH_ACCESS_TOKEN", "");
        if (!given.isEmpty()) {
            return Map.of("authorization", "Bearer " + given);
        }
        Path file = file();
        if (isEmulated && !Files.isRegularFile(file)) {
            return Map.of();
        }
        if (Instant.now().isAfter(end)) {
            renew(file);
        }
        return Map.of("authorization", "Bearer " + token);
    }

    private Path file() {
        String named = environment.getOrDefault("GOOGLE_APPLICATION_CREDENTIALS", "");
        String home = environment.getOrDefault("HOME", System.getProperty("user.home"));
        return named.isEmpty()
                ? Path.of(home, ".config", "gcloud", "application_default_credentials.json")
                : Path.of(named);
    }

    private void renew(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new AddressException("[" + root + "] no credentials for Google Cloud Storage: file=" + file
                    + "; set GOOGLE_APPLICATION_CREDENTIALS to the file of a service account");
        }
        Map<?, ?> account = JsonItems.parse(Files.readString(file)) instanceof Map<?, ?> map ? map : Map.of();
        String server = text(account, "token_uri").isEmpty() ? TOKEN_SERVER : text(account, "token_uri");
        String form = text(account, "type").equals("service_account")
                ? "grant_type=" + HttpCaller.encodeValue("urn:ietf:params:oauth:grant-type:jwt-bearer") + "&assertion="
                        + assertion(file, account, server)
                : "grant_type=refresh_token&client_id=" + HttpCaller.encodeValue(text(account, "client_id"))
                        + "&client_secret=" + HttpCaller.encodeValue(text(account, "client_secret"))
                        + "&refresh_token=" + HttpCaller.encodeValue(text(account, "refresh_token"));
        Map<String, String> type = Map.of("content-type", "application/x-www-form-urlencoded");
        byte[] body = form.getBytes(StandardCharsets.US_ASCII);
        Answer answer = caller.call(root, () -> HttpCaller.request("POST", URI.create(server), type, body));
        Map<?, ?> granted =
                answer.status() == 200 && JsonItems.parse(answer.text()) instanceof Map<?, ?> map ? map : Map.of();
        if (text(granted, "access_token").isEmpty()) {
            throw new AddressException("[" + root + "] credentials for Google Cloud Storage are refused: file=" + file
                    + " status=" + answer.status() + "; renew them");
        }
        token = text(granted, "access_token");
        long seconds = granted.get("expires_in") instanceof Number number ? number.longValue() : SPARE_SECONDS;
        end = Instant.now().plusSeconds(seconds - SPARE_SECONDS);
    }

    private String assertion(Path file, Map<?, ?> account, String server) {
        long now = Instant.now().getEpochSecond();
        String claims = "{\"iss\":\"%s\",\"scope\":\"%s\",\"aud\":\"%s\",\"iat\":%d,\"exp\":%d}"
                .formatted(text(account, "client_email"), SCOPE, server, now, now + 3600);
        String unsigned = encode("{\"alg\":\"RS256\",\"typ\":\"JWT\"}".getBytes(StandardCharsets.UTF_8)) + "."
                + encode(claims.getBytes(StandardCharsets.UTF_8));
        try {
            String key = text(account, "private_key").replaceAll("-----[A-Z ]+-----|\\s", "");
            Signature signature = Signature.getInstance("SHA256withRSA");
            signature.initSign(KeyFactory.getInstance("RSA")
                    .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(key))));
            signature.update(unsigned.getBytes(StandardCharsets.US_ASCII));
            return unsigned + "." + encode(signature.sign());
        } catch (GeneralSecurityException | IllegalArgumentException wrong) {
            throw new AddressException("[" + root + "] private key of the service account is not readable: file=" + file
                    + "; write the file again");
        }
    }

    private static String encode(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static String text(Map<?, ?> members, String name) {
        return members.get(name) instanceof String text ? text : "";
    }
}
