package io.nightjar.formats.file;

import io.nightjar.formats.history.InputLocation;
import java.io.IOException;

/** Thrown if a file has changed since it was first read: no verdict is possible, but the file may be read again. */
public final class ChangedInputException extends IOException {

    private static final long serialVersionUID = 1L;

    private final InputLocation place;
    private final String difference;

    /**
     * @param place the file
     * @param difference the earlier and the current state, as {@code name=value} pairs
     */
    public ChangedInputException(InputLocation place, String difference) {
        super(place + " the file changed while it was read: " + difference
                + "; check it again when no process writes to it");
        this.place = place;
        this.difference = difference;
    }

    public InputLocation place() {
        return place;
    }

    /** Returns a copy with a name in place of the path at the beginning of the file's name. */
    public ChangedInputException renamed(String path, String name) {
        ChangedInputException renamed = new ChangedInputException(place.renamed(path, name), difference);
        renamed.initCause(this);
        return renamed;
    }
}
