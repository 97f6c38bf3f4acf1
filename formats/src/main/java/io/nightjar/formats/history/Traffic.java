package io.nightjar.formats.history;

/** Counts of requests to a store, with each repetition, and of bytes in their responses. */
public record Traffic(long requests, long bytes) {

    public static final Traffic NONE = new Traffic(0, 0);

    public Traffic since(Traffic earlier) {
        return new Traffic(requests - earlier.requests, bytes - earlier.bytes);
    }
}
