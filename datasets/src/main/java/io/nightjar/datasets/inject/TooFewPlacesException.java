package io.nightjar.datasets.inject;

/** A history has too few places for a requested fault. */
public final class TooFewPlacesException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    TooFewPlacesException(Fault fault, int asked, int possible) {
        super("too few places for a fault: fault=" + fault.word() + " asked=" + asked + " possible=" + possible
                + "; generate more transactions, or more that meet (fewer keys, more concurrency)");
    }
}
