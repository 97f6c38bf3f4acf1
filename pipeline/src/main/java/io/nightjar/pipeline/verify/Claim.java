package io.nightjar.pipeline.verify;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Expectation;
import org.jspecify.annotations.Nullable;

/** A finding during verification: the first contradiction by the rows, and the classic name of the replayed anomaly. */
class Claim {

    final Finding finding;
    private @Nullable String reason;
    private @Nullable String pattern;
    private boolean isOpen;

    Claim(Finding finding) {
        this.finding = finding;
    }

    void refute(String why) {
        if (reason == null) {
            reason = why;
        }
    }

    boolean isRefuted() {
        return reason != null;
    }

    String reason() {
        return requireNonNull(reason);
    }

    /** Ends without a result: the replay was too long. */
    void leaveOpen() {
        isOpen = true;
    }

    boolean isOpen() {
        return isOpen;
    }

    /** Sets the name of the replayed anomaly; null retains the name that the finding has. */
    void name(@Nullable String classic) {
        pattern = classic;
    }

    /** Sets the name of the replayed anomaly, null if none fits; refutes a finding with a different name. */
    void nameOnly(@Nullable String classic) {
        name(classic);
        if (finding.pattern() != null && !finding.pattern().equals(classic)) {
            refute("another pattern: expected=" + classic + " claimed=" + finding.pattern());
        }
    }

    /** Returns the finding with its classic name. */
    Finding named() {
        return pattern == null ? finding : finding.withPattern(pattern);
    }

    /** Returns the read of a finding about a read. */
    Expectation read() {
        return requireNonNull(finding.expectation());
    }
}
