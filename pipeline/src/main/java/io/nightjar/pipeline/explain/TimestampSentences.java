package io.nightjar.pipeline.explain;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Expectation;
import io.nightjar.formats.finding.Finding.Origin;
import io.nightjar.formats.finding.Finding.Participant;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.level.IsolationLevel;

/** Says in two or three sentences what a finding of the timestamp checks means. */
public final class TimestampSentences {

    private static final int LONGEST_VALUE = 60;

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

    private static String mismatch(Finding finding) {
        Participant reader = finding.participants().get(0);
        Expectation read = finding.expectation();
        boolean serial = finding.level() == IsolationLevel.SERIALIZABLE;
        String moment = serial
                ? "in commit-timestamp order, just before its commit at " + reader.commitTs() + ","
                : "its snapshot at " + reader.startTs();
        Participant writer = find(finding, Role.EXPECTED_WRITER);
        String truth = serial
                ? " %s was %s".formatted(finding.key(), cut(read.expected()))
                : " shows %s=%s".formatted(finding.key(), cut(read.expected()));
        String by = writer == null
                ? read.expected() == null ? ": nobody had written it yet" : ", as it was before the first write"
                : ", committed by T%d at %d".formatted(writer.txnId(), writer.commitTs());
        return "T%d read %s=%s, but %s%s%s. %s%s"
                .formatted(
                        reader.txnId(),
                        finding.key(),
                        cut(read.observed()),
                        moment,
                        truth,
                        by,
                        origin(finding, read),
                        shift(finding, serial));
    }

    private static String origin(Finding finding, Expectation read) {
        Participant writer = find(finding, Role.OBSERVED_WRITER);
        if (read.origin() == Origin.NEVER) {
            return "Nobody ever wrote that value.";
        }
        if (read.origin() == null) {
            return "Who wrote that value, if anybody did, is not known any more.";
        }
        if (writer == null) {
            return "What it read is the initial state, which had been replaced.";
        }
        return switch (read.origin()) {
            case ABORTED -> "The value it read was written by T%d, which did not commit.".formatted(writer.txnId());
            case INTERMEDIATE ->
                "The value it read is intermediate: T%d replaced it itself before committing."
                        .formatted(writer.txnId());
            case STALE ->
                "The value it read is stale: T%d committed it at %d.".formatted(writer.txnId(), writer.commitTs());
            case FUTURE ->
                "The value it read comes from the future: T%d committed it at %d."
                        .formatted(writer.txnId(), writer.commitTs());
            case NEVER -> throw new AssertionError("cannot happen: answered above");
        };
    }

    private static String shift(Finding finding, boolean serial) {
        if (finding.slack() == null || finding.slack() == 0) {
            return "";
        }
        long slack = finding.slack();
        return " A %s %d %s would have been right."
                .formatted(serial ? "commit" : "snapshot", Math.abs(slack), slack < 0 ? "earlier" : "later");
    }

    private static String ownRead(Finding finding) {
        Expectation read = finding.expectation();
        return "T%d read %s=%s, but after what it had itself read and written before it must read %s%s."
                .formatted(
                        finding.participants().get(0).txnId(),
                        finding.key(),
                        cut(read.observed()),
                        ReadLine.endsWithOwn(finding) ? "a list that ends with " : "",
                        cut(read.expected()));
    }

    private static String conflict(Finding finding) {
        Participant earlier = finding.participants().get(0);
        Participant later = finding.participants().get(1);
        String together = earlier.commitTs() == later.commitTs()
                ? "Both committed at the same timestamp"
                : "T%d was still running when T%d committed".formatted(later.txnId(), earlier.txnId());
        return "T%d [%d, %d] and T%d [%d, %d] both wrote %s. %s, so the second to commit had to abort."
                .formatted(
                        earlier.txnId(),
                        earlier.startTs(),
                        earlier.commitTs(),
                        later.txnId(),
                        later.startTs(),
                        later.commitTs(),
                        finding.key(),
                        together);
    }

    private static String session(Finding finding) {
        Participant subject = finding.participants().get(0);
        Participant previous = finding.participants().get(1);
        if (finding.level() == IsolationLevel.SERIALIZABLE) {
            return "T%d committed at %d, not after T%d, the transaction before it in its session, which committed at %d."
                    .formatted(subject.txnId(), subject.commitTs(), previous.txnId(), previous.commitTs());
        }
        return ("T%d started at %d, before T%d committed at %d. T%d is the transaction before it in its session, so its"
                        + " snapshot may miss what its own client already saw.")
                .formatted(subject.txnId(), subject.startTs(), previous.txnId(), previous.commitTs(), previous.txnId());
    }

    private static String timestampOrder(Finding finding) {
        Participant subject = finding.participants().get(0);
        return ("T%d started at %d, after it committed at %d. No snapshot is known for it, so its reads were not"
                        + " judged against one.")
                .formatted(subject.txnId(), subject.startTs(), subject.commitTs());
    }

    private static Participant find(Finding finding, Role role) {
        for (Participant participant : finding.participants()) {
            if (participant.role() == role) {
                return participant;
            }
        }
        return null;
    }

    private static String cut(String value) {
        if (value == null) {
            return "nothing";
        }
        return value.length() <= LONGEST_VALUE
                ? value
                : value.substring(0, LONGEST_VALUE / 2) + " … " + value.substring(value.length() - LONGEST_VALUE / 2);
    }
}
