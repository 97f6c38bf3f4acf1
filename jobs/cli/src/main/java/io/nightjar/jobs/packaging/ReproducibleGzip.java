package io.nightjar.jobs.packaging;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/**
 * A gzip stream whose header contains neither time nor name, with a fixed compression level, so that the bytes do not
 * depend on the JDK's default.
 */
final class ReproducibleGzip extends GZIPOutputStream {

    private static final int BUFFER_BYTES = 1 << 16;

    ReproducibleGzip(OutputStream out) throws IOException {
        super(out, BUFFER_BYTES);
        def.setLevel(Deflater.DEFAULT_COMPRESSION);
    }

    static byte[] zip(byte[] bytes) throws IOException {
        ByteArrayOutputStream zipped = new ByteArrayOutputStream();
        try (ReproducibleGzip gzip = new ReproducibleGzip(zipped)) {
            gzip.write(bytes);
        }
        return zipped.toByteArray();
    }
}
