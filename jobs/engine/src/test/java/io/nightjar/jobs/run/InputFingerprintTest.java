package io.nightjar.jobs.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InputFingerprintTest {

    private static final int MEGABYTE = 1 << 20;

    @TempDir
    private Path folder;

    @Test
    void anyByteCountsAndTheDateDoesNot() throws IOException {
        for (int size : new int[] {0, 1, 1000, MEGABYTE, MEGABYTE + 1, 3 * MEGABYTE + 77}) {
            byte[] bytes = new byte[size];
            new Random(size).nextBytes(bytes);
            Path file = Files.write(folder.resolve("h" + size), bytes);
            String fingerprint = InputFingerprint.of(file);
            Files.setLastModifiedTime(file, FileTime.fromMillis(size));
            assertThat(InputFingerprint.of(file)).isEqualTo(fingerprint);
            assertThat(InputFingerprint.isOf(file, fingerprint)).isTrue();
            for (int at : new int[] {0, size / 2, size - 1}) {
                if (size > 0) {
                    bytes[at] ^= 4;
                    Files.write(file, bytes);
                    assertThat(InputFingerprint.of(file)).isNotEqualTo(fingerprint);
                    bytes[at] ^= 4;
                }
            }
            Files.write(file, bytes);
            assertThat(InputFingerprint.of(file)).isEqualTo(fingerprint);
        }
    }

    /** Runs of earlier versions have SHA-256 of every byte. */
    @Test
    void fingerprintsOfEarlierVersionsAreRecognized() throws IOException, NoSuchAlgorithmException {
        byte[] bytes = new byte[2 * MEGABYTE];
        new Random(1).nextBytes(bytes);
        Path file = Files.write(folder.resolve("h"), bytes);
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        digest.update((byte) 'h');
        digest.update(new byte[] {0, 0, 0, 0, 0, 0x20, 0, 0});
        digest.update(bytes);
        String earlier = "sha256:" + HexFormat.of().formatHex(digest.digest());

        assertThat(InputFingerprint.of(file)).startsWith("blocks:");
        assertThat(InputFingerprint.isOf(file, earlier)).isTrue();
        bytes[5]++;
        Files.write(file, bytes);
        assertThat(InputFingerprint.isOf(file, earlier)).isFalse();
    }
}
