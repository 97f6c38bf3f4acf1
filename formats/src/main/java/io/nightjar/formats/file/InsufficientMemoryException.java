package io.nightjar.formats.file;

import java.io.IOException;

/** Thrown before an attempt that would require more memory than the process has. */
public final class InsufficientMemoryException extends IOException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception; its message states the sufficient amount of memory.
     *
     * @param uri the history
     * @param consumer the consumer of the memory
     * @param bytes heap that it requires
     */
    public InsufficientMemoryException(String uri, String consumer, long bytes) {
        super("[%s] %s: bytes=%d heapBytes=%d; %s"
                .formatted(uri, consumer, bytes, Runtime.getRuntime().maxMemory(), HeapSizing.thatWouldDo(bytes)));
    }
}
