package io.nightjar.formats.file;

import io.nightjar.formats.history.InputLocation;
import java.io.IOException;

/** Thrown if a file has changed since it was first read: no verdict is possible, but the file may be read again. */
public final class ChangedInputException extends IOException {

    private static final long serialVersionUID = 1L;

    private final InputLocation location;
    private final String difference;

    /**
     * @param location the file
     * @param difference the earlier and the current state, as {@code name=value} pairs
     */
    public ChangedInputException(InputLocation location, String difference) {
        super(location + " the file changed while it was read: " + difference
                + "; check it again when no process writes to it");
        this.location = location;
        this.difference = difference;
    }

    public InputLocation location() {
        return location;
    }

    /** Returns a copy with a name instead of the path at the beginning of the file's name. */
    public ChangedInputException renamed(String path, String name) {
        ChangedInputException renamed = new ChangedInputException(location.renamed(path, name), difference);
        renamed.initCause(this);
        return renamed;
    }
}
