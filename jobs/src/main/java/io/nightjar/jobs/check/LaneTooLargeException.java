package io.nightjar.jobs.check;

/** A lane does not fit into what it may take; more lanes may help if it has several keys. */
final class LaneTooLargeException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final long neededBytes;
    private final int keyCount;

    /**
     * @param neededBytes about what the whole lane would take
     * @param keyCount keys seen until there was no more room
     */
    LaneTooLargeException(int lane, long neededBytes, int keyCount) {
        super("lane does not fit into memory: lane=" + lane + " neededBytes=" + neededBytes + " keys=" + keyCount);
        this.neededBytes = neededBytes;
        this.keyCount = keyCount;
    }

    long neededBytes() {
        return neededBytes;
    }

    int keyCount() {
        return keyCount;
    }
}
