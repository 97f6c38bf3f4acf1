package io.nightjar.jobs.objects;

import io.nightjar.formats.file.AddressException;
import java.net.URI;
import java.util.Map;

/** Buckets of S3, and of other servers with its protocol. */
public final class S3FileSystemProvider extends ObjectFileSystemProvider {

    /** Creates the provider, for {@link java.util.ServiceLoader}. */
    public S3FileSystemProvider() {
        super("s3");
    }

    @Override
    ObjectStore open(URI address) {
        return open(address.getAuthority(), System.getenv());
    }

    static ObjectStore open(String bucket, Map<String, String> environment) {
        String root = "s3://" + bucket + "/";
        AwsCredentials credentials = new AwsCredentials(root, environment);
        String server = credentials.endpoint();
        String region = credentials.region();
        URI endpoint = server == null
                ? URI.create(
                        bucket.contains(".")
                                ? "https://s3." + region + ".amazonaws.com/" + bucket
                                : "https://" + bucket + ".s3." + region + ".amazonaws.com")
                : endpoint(root, server, bucket);
        return new S3Store(root, endpoint, new AwsSigner(credentials, region), Map.of("if-none-match", "*"));
    }

    static URI endpoint(String root, String server, String bucket) {
        if (!server.matches("https?://[^/?#@]+(/[^?#]*)?")) {
            throw new AddressException(
                    "[" + root + "] address of the server is not understood; write http://HOST:PORT or"
                            + " https://HOST into the variable that names it");
        }
        return URI.create(server.replaceAll("/+$", "") + "/" + bucket);
    }
}
