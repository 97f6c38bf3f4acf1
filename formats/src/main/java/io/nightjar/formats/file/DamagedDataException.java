package io.nightjar.formats.file;

import java.io.IOException;

/** Compressed data that ends early or contradicts its own checksums: a fault of the file, not of the storage. */
public final class DamagedDataException extends IOException {

    private static final long serialVersionUID = 1L;

    public DamagedDataException(String reason) {
        super(reason);
    }

    public DamagedDataException(String reason, Throwable cause) {
        super(reason, cause);
    }
}
