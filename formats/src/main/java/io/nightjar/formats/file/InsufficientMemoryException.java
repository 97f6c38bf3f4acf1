package io.nightjar.formats.file;

import java.io.IOException;

/** A history takes more memory than there is, in a way that can be told before it is tried. */
public final class InsufficientMemoryException extends IOException {

    private static final long serialVersionUID = 1L;

    /**
     * Says how much would do.
     *
     * @param uri the history
     * @param what takes it
     * @param bytes of heap that it takes
     */
    public InsufficientMemoryException(String uri, String what, long bytes) {
        super("[%s] %s: bytes=%d heapBytes=%d; %s"
                .formatted(uri, what, bytes, Runtime.getRuntime().maxMemory(), HeapSizing.thatWouldDo(bytes)));
    }
}
