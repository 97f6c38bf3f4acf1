package io.nightjar.jobs.objects;

import java.net.URI;
import java.util.Map;

/** Buckets of Google Cloud Storage, by its XML interface, which accepts the requests of S3. */
public final class GoogleFileSystemProvider extends ObjectFileSystemProvider {

    private static final String SERVER = "https://storage.googleapis.com";

    /** Creates the provider, for {@link java.util.ServiceLoader}. */
    public GoogleFileSystemProvider() {
        super("gs");
    }

    @Override
    ObjectStore open(URI address) {
        return open(address.getAuthority(), System.getenv());
    }

    static ObjectStore open(String bucket, Map<String, String> environment) {
        String root = "gs://" + bucket + "/";
        String emulator = environment.getOrDefault("STORAGE_EMULATOR_HOST", "");
        String server = emulator.isEmpty() || emulator.contains("://") ? emulator : "http://" + emulator;
        URI endpoint = S3FileSystemProvider.endpoint(root, server.isEmpty() ? SERVER : server, bucket);
        RequestSigner signer = new GoogleSigner(root, environment, !server.isEmpty());
        return new S3Store(root, endpoint, signer, Map.of("x-goog-if-generation-match", "0"));
    }
}
