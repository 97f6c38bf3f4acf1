package io.nightjar.formats.file;

import io.nightjar.formats.history.InputFault;
import java.io.IOException;

/** Compressed data that ends early or contradicts its own checksums: a fault of the file, not of the storage. */
public final class DamagedDataException extends IOException {

    private static final long serialVersionUID = 1L;

    private final InputFault fault;

    public DamagedDataException(InputFault fault) {
        super(fault.text());
        this.fault = fault;
    }

    public DamagedDataException(InputFault fault, Throwable cause) {
        super(fault.text(), cause);
        this.fault = fault;
    }

    public InputFault fault() {
        return fault;
    }
}
