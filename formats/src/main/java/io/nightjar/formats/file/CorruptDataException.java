package io.nightjar.formats.file;

import io.nightjar.formats.history.InputError;
import java.io.IOException;

/** Thrown if compressed data ends early or contradicts its checksums: an error of the file, not of the storage. */
public final class CorruptDataException extends IOException {

    private static final long serialVersionUID = 1L;

    private final InputError fault;

    public CorruptDataException(InputError fault) {
        super(fault.text());
        this.fault = fault;
    }

    public CorruptDataException(InputError fault, Throwable cause) {
        super(fault.text(), cause);
        this.fault = fault;
    }

    public InputError fault() {
        return fault;
    }
}
