package io.nightjar.pipeline.explain;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Expectation;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.history.SanitizedText;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Summary of a read and its expected result in a line; of other anomalies, their value. */
public final class ReadLine {

    private final Finding finding;
    private final Expectation read;
    private final String expected;
    private final String observed;

    private ReadLine(Finding finding, Expectation read, int maxChars) {
        this.finding = finding;
        this.read = read;
        int difference = firstDifference(read.expected(), read.observed());
        this.expected = shown(read.expected(), difference, maxChars);
        this.observed = shown(read.observed(), difference, maxChars);
    }

    /**
     * @param maxChars about how long a value may be
     * @return null for a finding without a value
     */
    public static @Nullable String of(Finding finding, int maxChars) {
        Expectation read = finding.expectation();
        return read == null ? null : SanitizedText.flat(new ReadLine(finding, read, maxChars).text());
    }

    private String text() {
        return switch (finding.anomaly()) {
            case EXT, INT, INTERNAL ->
                "expected " + ownElements() + expected + writer(read.expectedWriter()) + ", observed " + observed
                        + writer(read.observedWriter()) + origin();
            case G1A -> observed + writer(read.observedWriter()) + ", which aborted";
            case G1B ->
                observed + writer(read.observedWriter()) + ", which replaced it by " + expected
                        + " before it committed";
            case GARBAGE_READ -> observed + ", which no transaction wrote";
            case FUTURE_READ -> observed + ", which its reader wrote only afterwards";
            case DUPLICATE_ELEMENTS -> "a list in which " + observed + " occurs twice";
            case INCOMPATIBLE_ORDER -> observed + ", where another read returned " + expected;
            case DUPLICATE_WRITE -> observed + ", written" + by();
            case DIRTY_UPDATE -> observed + ", which an aborted transaction wrote and a committed one built on";
            case LOST_UPDATE -> observed + ", the version that each of them replaced";
            default -> observed;
        };
    }

    private String by() {
        boolean isOne = read.observedWriter() == null || read.observedWriter().equals(read.expectedWriter());
        return isOne
                ? " twice" + (read.expectedWriter() == null ? "" : " by T" + read.expectedWriter())
                : " by T" + read.expectedWriter() + " and again by T" + read.observedWriter();
    }

    /** Returns words for a list of which only the end is known, as after own appends. */
    private String ownElements() {
        return endsWithOwn(finding, read) ? "a list that ends with " : "";
    }

    /** Returns whether the expected value is only the end of a list: the reader's own appends. */
    static boolean endsWithOwn(Finding finding, Expectation read) {
        return read.expected() != null
                && read.expected().startsWith("[")
                && read.expectedWriter() != null
                && finding.participants().stream()
                        .anyMatch(txn -> txn.role() == Role.READER && txn.txnId() == read.expectedWriter());
    }

    private String origin() {
        return read.origin() == null ? "" : " (" + read.origin().word() + ")";
    }

    private static String writer(@Nullable Long txnId) {
        return txnId == null ? "" : " of T" + txnId;
    }

    private static String shown(@Nullable String value, int difference, int maxChars) {
        if (value == null) {
            return "the initial state";
        }
        return value.startsWith("[")
                ? ListCut.cut(value, elementAt(value, difference), maxChars)
                : ListCut.cutText(value, maxChars);
    }

    /** Returns the element of a list in which a position lies, so that a cut keeps where two lists differ. */
    private static List<String> elementAt(String list, int position) {
        if (position < 0 || position >= list.length()) {
            return List.of();
        }
        int start = Math.max(list.lastIndexOf(',', position - 1), 0) + 1;
        int end = list.indexOf(',', position);
        end = end < 0 ? Math.max(start, list.lastIndexOf(']')) : end;
        return start < end ? List.of(list.substring(start, end).strip()) : List.of();
    }

    private static int firstDifference(@Nullable String one, @Nullable String other) {
        if (one == null || other == null) {
            return -1;
        }
        int at = 0;
        while (at < Math.min(one.length(), other.length()) && one.charAt(at) == other.charAt(at)) {
            at++;
        }
        return at;
    }
}
