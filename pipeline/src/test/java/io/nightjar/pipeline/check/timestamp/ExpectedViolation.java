package io.nightjar.pipeline.check.timestamp;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Expectation;
import io.nightjar.formats.finding.Finding.Origin;
import io.nightjar.formats.finding.Finding.Participant;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One violation in a form that can be compared: what a {@link Finding} says, without its sentences, timestamps and edges.
 *
 * @param roles transaction by role word
 * @param expected null for the initial state and for the empty list
 * @param observed null for the initial state and for the empty list
 */
record ExpectedViolation(
        Anomaly anomaly,
        IsolationLevel level,
        Map<String, Long> roles,
        String key,
        String expected,
        Long expectedWriter,
        String observed,
        Long observedWriter,
        Origin origin,
        Long slack,
        boolean dependsOnUnknown) {

    static ExpectedViolation of(Finding finding) {
        Map<String, Long> roles = new TreeMap<>();
        for (Participant participant : finding.participants()) {
            roles.put(participant.role().word(), participant.txnId());
        }
        Expectation read = finding.expectation();
        if (read == null) {
            read = new Expectation(null, null, null, null, null);
        }
        return new ExpectedViolation(
                finding.anomaly(),
                finding.level(),
                roles,
                finding.key(),
                emptyListIsNothing(read.expected()),
                read.expectedWriter(),
                emptyListIsNothing(read.observed()),
                read.observedWriter(),
                read.origin(),
                finding.slack(),
                finding.dependsOnUnknown());
    }

    /** In short, as the catalogue names it: {@code EXT(T2,x)}. */
    String name() {
        List<String> parts = new ArrayList<>();
        switch (anomaly) {
            case EXT, INT -> parts.add("T" + roles.get(Role.READER.word()));
            case NOCONFLICT -> {
                long earlier = roles.get(Role.EARLIER_WRITER.word());
                long later = roles.get(Role.LATER_WRITER.word());
                parts.add("T" + Math.min(earlier, later));
                parts.add("T" + Math.max(earlier, later));
            }
            default -> parts.add("T" + roles.get(Role.SUBJECT.word()));
        }
        if (key != null) {
            parts.add(key);
        }
        return anomaly.spelling() + "(" + String.join(",", parts) + ")";
    }

    /** The name and everything else, for tests that look closely. */
    String inFull() {
        StringBuilder text = new StringBuilder(name());
        if (origin != null || expected != null || observed != null) {
            text.append(" expected ").append(value(expected, expectedWriter));
            text.append(" observed ").append(value(observed, observedWriter));
        }
        if (origin != null) {
            text.append(' ').append(origin.word());
        }
        if (slack != null) {
            text.append(" slack ").append(slack);
        }
        return text.append(dependsOnUnknown ? " unknown" : "").toString();
    }

    private static String value(String value, Long writer) {
        return (value == null ? "_" : value) + (writer == null ? "" : " of T" + writer);
    }

    private static String emptyListIsNothing(String text) {
        return "[]".equals(text) ? null : text;
    }
}
