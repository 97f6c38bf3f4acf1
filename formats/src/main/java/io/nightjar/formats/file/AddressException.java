package io.nightjar.formats.file;

/** Thrown if an address cannot be used as it is given, or as this process is configured: wrong usage. */
public final class AddressException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    /** @param message the location, the problem and the remedy, without any secret */
    public AddressException(String message) {
        super(message);
    }
}
