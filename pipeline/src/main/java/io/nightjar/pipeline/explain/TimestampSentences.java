package io.nightjar.pipeline.explain;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Expectation;
import io.nightjar.formats.finding.Finding.Origin;
import io.nightjar.formats.finding.Finding.Participant;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.level.IsolationLevel;
import org.jspecify.annotations.Nullable;

/** Explanation of a finding of the timestamp checks in two or three sentences. */
public final class TimestampSentences {

    private static final int MAX_VALUE_LENGTH = 60;

    private TimestampSentences() {}

    public static String explain(Finding finding) {
        String text =
                switch (finding.anomaly()) {
                    case EXT -> mismatch(finding);
                    case INT -> ownRead(finding);
                    case NOCONFLICT -> conflict(finding);
                    case SESSION -> session(finding);
                    case TIMESTAMP_ORDER -> timestampOrder(finding);
                    default -> throw new IllegalArgumentException("not found by timestamps: " + finding.anomaly());
                };
        return finding.dependsOnUnknown()
                ? text + " This needs a transaction whose outcome the client never learned."
                : text;
    }

    /*
     * Composed without a formatter: a million findings have a million sentences.
     */

    private static String mismatch(Finding finding) {
        Participant reader = finding.participants().get(0);
        Expectation read = requireNonNull(finding.expectation());
        boolean serial = finding.level() != IsolationLevel.SNAPSHOT_ISOLATION;
        StringBuilder text = new StringBuilder(160).append('T').append(reader.txnId());
        text.append(" read ").append(finding.key()).append('=').append(cut(read.observed()));
        if (serial) {
            text.append(", but in commit-timestamp order, just before its commit at ");
            text.append(reader.commitTs()).append(", ").append(finding.key()).append(" was ");
        } else {
            text.append(", but its snapshot at ").append(reader.startTs());
            text.append(" shows ").append(finding.key()).append('=');
        }
        text.append(cut(read.expected()));
        Participant writer = finding.by(Role.EXPECTED_WRITER);
        if (writer != null) {
            text.append(", committed by T" + writer.txnId() + " at " + writer.commitTs());
        } else {
            text.append(
                    read.expected() == null
                            ? ": no transaction had written it yet"
                            : ", as it was before the first write");
        }
        text.append(". ");
        appendOrigin(text, finding, read);
        appendShift(text, finding, serial);
        return text.toString();
    }

    private static void appendOrigin(StringBuilder text, Finding finding, Expectation read) {
        Participant writer = finding.by(Role.OBSERVED_WRITER);
        if (read.origin() == Origin.NEVER) {
            text.append("No transaction wrote that value.");
        } else if (read.origin() == null) {
            text.append("The writer of that value is unknown.");
        } else if (writer == null) {
            text.append("It read the initial state, which had been replaced.");
        } else {
            text.append(
                    switch (read.origin()) {
                        case ABORTED -> "The value it read was written by T";
                        case INTERMEDIATE -> "The value it read is intermediate: T";
                        case STALE -> "The value it read is stale: T";
                        case FUTURE -> "The value it read comes from the future: T";
                        case NEVER -> throw new AssertionError("bug: answered above");
                    });
            text.append(writer.txnId());
            switch (read.origin()) {
                case ABORTED -> text.append(", which did not commit.");
                case INTERMEDIATE -> text.append(" replaced it itself before committing.");
                default ->
                    text.append(" committed it at ").append(writer.commitTs()).append('.');
            }
        }
    }

    private static void appendShift(StringBuilder text, Finding finding, boolean serial) {
        if (finding.slack() == null || finding.slack() == 0) {
            return;
        }
        long slack = finding.slack();
        text.append(serial ? " A commit " : " A snapshot ").append(Math.abs(slack));
        text.append(slack < 0 ? " earlier" : " later").append(" would have been right.");
    }

    private static String ownRead(Finding finding) {
        Expectation read = requireNonNull(finding.expectation());
        return "T" + finding.participants().get(0).txnId() + " read " + finding.key() + "=" + cut(read.observed())
                + ", but after its own earlier reads and writes it must read "
                + (ReadLine.endsWithOwn(finding, read) ? "a list that ends with " : "") + cut(read.expected()) + ".";
    }

    private static String conflict(Finding finding) {
        Participant earlier = finding.participants().get(0);
        Participant later = finding.participants().get(1);
        String together = earlier.commitTs() == later.commitTs()
                ? "Both committed at the same timestamp"
                : "T" + later.txnId() + " was still running when T" + earlier.txnId() + " committed";
        return withTimes(earlier) + " and " + withTimes(later) + " both wrote " + finding.key() + ". " + together
                + ", so the second to commit had to abort.";
    }

    private static String withTimes(Participant txn) {
        return "T" + txn.txnId() + " [" + txn.startTs() + ", " + txn.commitTs() + "]";
    }

    private static String session(Finding finding) {
        Participant subject = finding.participants().get(0);
        Participant previous = finding.participants().get(1);
        if (finding.level() != IsolationLevel.SNAPSHOT_ISOLATION) {
            return "T" + subject.txnId() + " committed at " + subject.commitTs() + ", not after T" + previous.txnId()
                    + ", the transaction before it in its session, which committed at " + previous.commitTs() + ".";
        }
        return "T" + subject.txnId() + " started at " + subject.startTs() + ", before T" + previous.txnId()
                + " committed at " + previous.commitTs() + ". T" + previous.txnId()
                + " is the transaction before it in its session, so its snapshot may miss changes that its own client already saw.";
    }

    private static String timestampOrder(Finding finding) {
        Participant subject = finding.participants().get(0);
        return "T" + subject.txnId() + " started at " + subject.startTs() + ", after it committed at "
                + subject.commitTs() + ". No snapshot is known for it, so its reads were not checked against one.";
    }

    private static String cut(@Nullable String value) {
        if (value == null) {
            return "nothing";
        }
        return value.length() <= MAX_VALUE_LENGTH
                ? value
                : value.substring(0, MAX_VALUE_LENGTH / 2) + " … "
                        + value.substring(value.length() - MAX_VALUE_LENGTH / 2);
    }
}
