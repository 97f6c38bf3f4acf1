package io.nightjar.jobs.objects;

import io.nightjar.formats.file.AddressException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Keys and region for S3, from environment variables and the files of AWS's own tools. */
final class AwsCredentials {

    private final String root;
    private final Map<String, String> environment;
    private @Nullable Keys keys;

    /** @param token of temporary keys; empty for others */
    record Keys(String id, String secret, String token) {

        @Override
        public String toString() {
            return "Keys[" + id.length() + "]"; // secrets are in no message
        }
    }

    AwsCredentials(String root, Map<String, String> environment) {
        this.root = root;
        this.environment = environment;
    }

    /**
     * Returns the keys.
     *
     * @throws AddressException if none are set
     */
    synchronized Keys keys() {
        if (keys == null) {
            keys = find();
        }
        return keys;
    }

    private Keys find() {
        String id = environment.getOrDefault("AWS_ACCESS_KEY_ID", "");
        String secret = environment.getOrDefault("AWS_SECRET_ACCESS_KEY", "");
        if (!id.isEmpty() && !secret.isEmpty()) {
            return new Keys(id, secret, environment.getOrDefault("AWS_SESSION_TOKEN", ""));
        }
        Map<String, String> profile = new HashMap<>(section(file("AWS_CONFIG_FILE", "config"), "profile "));
        profile.putAll(section(file("AWS_SHARED_CREDENTIALS_FILE", "credentials"), ""));
        id = profile.getOrDefault("aws_access_key_id", "");
        secret = profile.getOrDefault("aws_secret_access_key", "");
        if (id.isEmpty() || secret.isEmpty()) {
            throw new AddressException("[" + root + "] no credentials for S3: profile=" + profileName()
                    + "; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or write them into ~/.aws/credentials");
        }
        return new Keys(id, secret, profile.getOrDefault("aws_session_token", ""));
    }

    /** Returns the region that is set, or the first one of S3. */
    String region() {
        for (String name : List.of("AWS_REGION", "AWS_DEFAULT_REGION")) {
            if (!environment.getOrDefault(name, "").isEmpty()) {
                return environment.getOrDefault(name, "");
            }
        }
        return section(file("AWS_CONFIG_FILE", "config"), "profile ").getOrDefault("region", "us-east-1");
    }

    /** Returns the server that is set; null for that of AWS. */
    @Nullable
    String endpoint() {
        for (String name : List.of("NIGHTJAR_S3_ENDPOINT", "AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL")) {
            if (!environment.getOrDefault(name, "").isEmpty()) {
                return environment.getOrDefault(name, "");
            }
        }
        return section(file("AWS_CONFIG_FILE", "config"), "profile ").get("endpoint_url");
    }

    private String profileName() {
        return environment.getOrDefault("AWS_PROFILE", "default");
    }

    private Path file(String variable, String name) {
        String named = environment.getOrDefault(variable, "");
        return named.isEmpty()
                ? Path.of(environment.getOrDefault("HOME", System.getProperty("user.home")), ".aws", name)
                : Path.of(named);
    }

    private Map<String, String> section(Path file, String prefix) {
        Map<String, String> values = new HashMap<>();
        if (!Files.isRegularFile(file)) {
            return values;
        }
        String profile = profileName();
        List<String> headings = List.of("[" + profile + "]", "[" + prefix + profile + "]");
        boolean isIn = false;
        try {
            for (String line : Files.readAllLines(file)) {
                if (line.startsWith("[")) {
                    isIn = headings.contains(line.strip());
                } else if (isIn && line.indexOf('=') > 0) {
                    values.put(
                            line.substring(0, line.indexOf('=')).strip(),
                            line.substring(line.indexOf('=') + 1).strip());
                }
            }
        } catch (IOException failed) {
            throw new UncheckedIOException("[" + file + "] credentials cannot be read", failed);
        }
        return values;
    }
}
