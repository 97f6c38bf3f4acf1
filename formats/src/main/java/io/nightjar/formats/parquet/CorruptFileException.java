package io.nightjar.formats.parquet;

/** Bytes that are not what the format says they are; whoever knows the place makes a located message of it. */
final class CorruptFileException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    CorruptFileException(String message) {
        super(message);
    }
}
