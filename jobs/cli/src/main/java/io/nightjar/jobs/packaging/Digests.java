package io.nightjar.jobs.packaging;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Digests that every JDK has. */
final class Digests {

    private Digests() {}

    static MessageDigest of(String algorithm) {
        try {
            return MessageDigest.getInstance(algorithm);
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError("bug: every JDK has " + algorithm, impossible);
        }
    }

    /** Returns the digest as hexadecimal digits, and resets it. */
    static String hex(MessageDigest digest) {
        return HexFormat.of().formatHex(digest.digest());
    }
}
