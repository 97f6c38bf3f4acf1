package io.nightjar.pipeline.primitive;

/** Bit mixing for hash tables and lanes; fixed constants, so that every run hashes alike. */
public final class Mix {

    private Mix() {}

    public static long hash(long value) {
        long mixed = value * 0x9E3779B97F4A7C15L;
        mixed ^= mixed >>> 32;
        mixed *= 0xD6E8FEB86659FD93L;
        return mixed ^ (mixed >>> 29);
    }

    public static long hash(long first, long second) {
        return hash(first * 0xC2B2AE3D27D4EB4FL + second);
    }

    /** Returns the hash of the bytes of a name. */
    public static long hash(byte[] bytes, int offset, int length) {
        long hash = 0xCBF29CE484222325L;
        for (int i = offset; i < offset + length; i++) {
            hash = (hash ^ bytes[i]) * 0x100000001B3L;
        }
        return hash(hash);
    }
}
