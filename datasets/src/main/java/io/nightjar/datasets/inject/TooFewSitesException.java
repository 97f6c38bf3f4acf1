package io.nightjar.datasets.inject;

/** A history has too few sites for a requested fault. */
public final class TooFewSitesException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    TooFewSitesException(Fault fault, int asked, int possible) {
        super("too few sites for a fault: fault=" + fault.word() + " asked=" + asked + " possible=" + possible
                + "; generate more transactions, or more that meet (fewer keys, more concurrency)");
    }
}
