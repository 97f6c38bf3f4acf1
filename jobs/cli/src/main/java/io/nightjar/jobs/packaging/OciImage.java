package io.nightjar.jobs.packaging;

import io.nightjar.jobs.JsonObject;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;

/** A container image as a folder in the layout of the Open Container Initiative, written without any daemon. */
public final class OciImage {

    /*
     *   oci-layout             the version of the layout
     *   index.json             names the manifest
     *   blobs/sha256/<hash>    the manifest, the configuration, a zipped tar for each layer
     */

    private static final String LAYER = "application/vnd.oci.image.layer.v1.tar+gzip";
    private static final String CONFIG = "application/vnd.oci.image.config.v1+json";
    private static final String MANIFEST = "application/vnd.oci.image.manifest.v1+json";
    private static final String CREATED = "1980-01-01T00:00:00Z";

    private record Blob(String mediaType, String digest, long size) {}

    private final Path folder;
    private final List<Blob> layers = new ArrayList<>();
    private final List<String> diffIds = new ArrayList<>();

    private OciImage(Path folder) {
        this.folder = folder;
    }

    /** Begins an image from scratch in a folder that is empty or not there. */
    public static OciImage begin(Path folder) throws IOException {
        Files.createDirectories(folder.resolve("blobs").resolve("sha256"));
        return new OciImage(folder);
    }

    /** Adds a layer of files over the previous ones. */
    public OciImage addLayer(TarArchive files) throws IOException {
        MessageDigest ofTar = Digests.of("SHA-256");
        MessageDigest ofZipped = Digests.of("SHA-256");
        Path unnamed = folder.resolve("layer.part");
        try (OutputStream out = Files.newOutputStream(unnamed);
                OutputStream zipped = new DigestOutputStream(out, ofZipped);
                ReproducibleGzip gzip = new ReproducibleGzip(zipped);
                OutputStream tar = new DigestOutputStream(gzip, ofTar)) {
            files.writeTar(tar);
        }
        String digest = Digests.hex(ofZipped);
        long size = Files.size(unnamed);
        Files.move(unnamed, blob(digest), StandardCopyOption.REPLACE_EXISTING);
        layers.add(new Blob(LAYER, digest, size));
        diffIds.add("sha256:" + Digests.hex(ofTar));
        return this;
    }

    /**
     * Writes the remaining files; the image is complete with the last one.
     *
     * @param architecture as Go names it: amd64, arm64
     * @param environment as {@code NAME=value}
     */
    public void finish(
            String reference,
            String architecture,
            List<String> environment,
            List<String> entryPoint,
            List<String> arguments)
            throws IOException {
        Blob config = put(
                CONFIG,
                new JsonObject()
                        .put("created", CREATED)
                        .put("architecture", architecture)
                        .put("os", "linux")
                        .put(
                                "config",
                                new JsonObject()
                                        .put("User", "9999:9999")
                                        .put("Env", environment)
                                        .put("Entrypoint", entryPoint)
                                        .put("Cmd", arguments)
                                        .put("WorkingDir", "/tmp"))
                        .put("rootfs", new JsonObject().put("type", "layers").put("diff_ids", diffIds)));
        Blob manifest = put(
                MANIFEST,
                new JsonObject()
                        .put("schemaVersion", 2)
                        .put("mediaType", MANIFEST)
                        .put("config", descriptor(config))
                        .putEach("layers", layers, OciImage::descriptor));
        write(folder.resolve("oci-layout"), bytes(new JsonObject().put("imageLayoutVersion", "1.0.0")));
        JsonObject named = descriptor(manifest)
                .put("annotations", new JsonObject().put("org.opencontainers.image.ref.name", reference));
        write(
                folder.resolve("index.json"),
                bytes(new JsonObject()
                        .put("schemaVersion", 2)
                        .put("mediaType", "application/vnd.oci.image.index.v1+json")
                        .put("manifests", List.of(named))));
    }

    private static byte[] bytes(JsonObject object) {
        return object.text().getBytes(StandardCharsets.UTF_8);
    }

    private static JsonObject descriptor(Blob blob) {
        return new JsonObject()
                .put("mediaType", blob.mediaType())
                .put("digest", "sha256:" + blob.digest())
                .put("size", blob.size());
    }

    private Blob put(String mediaType, JsonObject object) throws IOException {
        byte[] bytes = bytes(object);
        MessageDigest digest = Digests.of("SHA-256");
        digest.update(bytes);
        String hex = Digests.hex(digest);
        write(blob(hex), bytes);
        return new Blob(mediaType, hex, bytes.length);
    }

    private static void write(Path file, byte[] bytes) throws IOException {
        Files.write(file, bytes);
    }

    private Path blob(String digest) {
        return folder.resolve("blobs").resolve("sha256").resolve(digest);
    }
}
