package io.nightjar.pipeline.check;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.finding.EdgeReason;
import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Edge;
import io.nightjar.formats.finding.Finding.Expectation;
import io.nightjar.formats.finding.Finding.Origin;
import io.nightjar.formats.finding.Finding.Participant;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.EdgeEvidence;
import io.nightjar.formats.level.EdgeType;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import io.nightjar.pipeline.primitive.TextFeed;
import io.nightjar.pipeline.primitive.TextSink;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Findings with their counts as bytes, for the wire. */
public final class FindingsCodec {

    /*
     * Layout. Every number is a varint, signed ones zigzag; every text occurs once:
     *
     *   limit total
     *   levelCount { level typeCount { type count } }
     *   partlyCountedCount { level }
     *   withAllCyclesCount { level }
     *   findingCount { at finding }
     *
     * Marks record which fields of a finding are null; levels, types, roles and origins are ordinals.
     */

    private static final int HAS_LEVEL = 1;
    private static final int HAS_EXPECTATION = 2;
    private static final int HAS_EXPECTED_WRITER = 4;
    private static final int HAS_OBSERVED_WRITER = 8;
    private static final int HAS_ORIGIN = 16;
    private static final int HAS_SLACK = 32;
    private static final int DEPENDS_ON_UNKNOWN = 64;

    private static final IsolationLevel[] LEVELS = IsolationLevel.values();
    private static final Anomaly[] ANOMALIES = Anomaly.values();
    private static final Role[] ROLES = Role.values();
    private static final EdgeType[] EDGE_TYPES = EdgeType.values();
    private static final EdgeEvidence[] EDGE_EVIDENCE = EdgeEvidence.values();
    private static final Origin[] ORIGINS = Origin.values();

    private FindingsCodec() {}

    public static void encode(Findings findings, ByteWriter to) {
        to.putVarint(findings.limit());
        to.putVarint(findings.total());
        to.putVarint(findings.countedLevels().size());
        for (IsolationLevel level : findings.countedLevels()) {
            to.putVarint(level.ordinal());
            to.putVarint(findings.counts(level).size());
            findings.counts(level).forEach((anomaly, count) -> {
                to.putVarint(anomaly.ordinal());
                to.putVarint(count);
            });
        }
        to.putVarint(findings.partlyCounted().size());
        findings.partlyCounted().forEach(level -> to.putVarint(level.ordinal()));
        to.putVarint(findings.withAllCycles().size());
        findings.withAllCycles().forEach(level -> to.putVarint(level.ordinal()));
        to.putVarint(findings.keptCount());
        TextSink texts = new TextSink(to);
        findings.forEachKept((at, finding) -> {
            to.putSigned(at);
            put(finding, to, texts);
        });
    }

    public static Findings decode(ByteReader from) {
        Findings findings = new Findings(from.getCount());
        findings.countRows(from.getVarint());
        for (int levels = from.getCount(); levels > 0; levels--) {
            IsolationLevel level = LEVELS[from.getCount()];
            for (int types = from.getCount(); types > 0; types--) {
                findings.count(level, ANOMALIES[from.getCount()], from.getVarint());
            }
        }
        for (int levels = from.getCount(); levels > 0; levels--) {
            findings.countPartly(LEVELS[from.getCount()]);
        }
        for (int levels = from.getCount(); levels > 0; levels--) {
            findings.countAllCycles(LEVELS[from.getCount()]);
        }
        TextFeed texts = new TextFeed(from);
        for (int left = from.getCount(); left > 0; left--) {
            findings.keep(from.getSigned(), get(from, texts));
        }
        return findings;
    }

    // ---------------------------------------------------------------- one finding

    private static void put(Finding finding, ByteWriter to, TextSink texts) {
        to.putVarint(marks(finding));
        to.putVarint(finding.anomaly().ordinal());
        if (finding.level() != null) {
            to.putVarint(finding.level().ordinal());
        }
        texts.put(finding.pattern());
        texts.put(finding.algorithm());
        texts.put(finding.key());
        if (finding.slack() != null) {
            to.putSigned(finding.slack());
        }
        if (finding.expectation() != null) {
            putExpectation(finding.expectation(), to, texts);
        }
        to.putVarint(finding.participants().size());
        for (Participant participant : finding.participants()) {
            to.putSigned(participant.txnId());
            to.putVarint(participant.role().ordinal());
            to.putSigned(participant.startTs());
            to.putSigned(participant.commitTs());
        }
        to.putVarint(finding.edges().size());
        for (Edge edge : finding.edges()) {
            putEdge(edge, to, texts);
        }
    }

    private static int marks(Finding finding) {
        int marks = finding.level() != null ? HAS_LEVEL : 0;
        marks |= finding.slack() != null ? HAS_SLACK : 0;
        marks |= finding.dependsOnUnknown() ? DEPENDS_ON_UNKNOWN : 0;
        Expectation expectation = finding.expectation();
        if (expectation != null) {
            marks |= HAS_EXPECTATION;
            marks |= expectation.expectedWriter() != null ? HAS_EXPECTED_WRITER : 0;
            marks |= expectation.observedWriter() != null ? HAS_OBSERVED_WRITER : 0;
            marks |= expectation.origin() != null ? HAS_ORIGIN : 0;
        }
        return marks;
    }

    private static void putExpectation(Expectation expectation, ByteWriter to, TextSink texts) {
        texts.put(expectation.expected());
        texts.put(expectation.observed());
        if (expectation.expectedWriter() != null) {
            to.putSigned(expectation.expectedWriter());
        }
        if (expectation.observedWriter() != null) {
            to.putSigned(expectation.observedWriter());
        }
        if (expectation.origin() != null) {
            to.putVarint(expectation.origin().ordinal());
        }
    }

    private static void putEdge(Edge edge, ByteWriter to, TextSink texts) {
        to.putSigned(edge.fromTxnId());
        to.putSigned(edge.toTxnId());
        to.putVarint(edge.type().ordinal());
        texts.put(edge.key());
        texts.put(edge.fromValue());
        texts.put(edge.toValue());
        to.putVarint(edge.evidence().ordinal());
        putReason(edge.reason(), to, texts);
        texts.put(edge.predicate());
    }

    private static Finding get(ByteReader from, TextFeed texts) {
        int marks = from.getCount();
        Anomaly anomaly = ANOMALIES[from.getCount()];
        IsolationLevel level = has(marks, HAS_LEVEL) ? LEVELS[from.getCount()] : null;
        String pattern = texts.get();
        String algorithm = requireNonNull(texts.get());
        String key = texts.get();
        Long slack = nullable(from, has(marks, HAS_SLACK));
        Expectation expectation = has(marks, HAS_EXPECTATION) ? getExpectation(marks, from, texts) : null;
        List<Participant> participants = new ArrayList<>();
        for (int left = from.getCount(); left > 0; left--) {
            long txnId = from.getSigned();
            participants.add(new Participant(txnId, ROLES[from.getCount()], from.getSigned(), from.getSigned()));
        }
        List<Edge> edges = new ArrayList<>();
        for (int left = from.getCount(); left > 0; left--) {
            edges.add(getEdge(from, texts));
        }
        boolean dependsOnUnknown = has(marks, DEPENDS_ON_UNKNOWN);
        return new Finding(
                anomaly, pattern, level, algorithm, key, participants, expectation, slack, dependsOnUnknown, edges);
    }

    private static Expectation getExpectation(int marks, ByteReader from, TextFeed texts) {
        String expected = texts.get();
        String observed = texts.get();
        Long expectedWriter = nullable(from, has(marks, HAS_EXPECTED_WRITER));
        Long observedWriter = nullable(from, has(marks, HAS_OBSERVED_WRITER));
        Origin origin = has(marks, HAS_ORIGIN) ? ORIGINS[from.getCount()] : null;
        return new Expectation(expected, expectedWriter, observed, observedWriter, origin);
    }

    private static Edge getEdge(ByteReader from, TextFeed texts) {
        return new Edge(
                from.getSigned(),
                from.getSigned(),
                EDGE_TYPES[from.getCount()],
                texts.get(),
                texts.get(),
                texts.get(),
                EDGE_EVIDENCE[from.getCount()],
                getReason(from, texts),
                texts.get());
    }

    private static void putReason(@Nullable EdgeReason reason, ByteWriter to, TextSink texts) {
        texts.put(reason == null ? null : reason.word());
        if (reason != null) {
            List<String> fields = reason.fields();
            to.putVarint(fields.size());
            fields.forEach(texts::put);
        }
    }

    private static @Nullable EdgeReason getReason(ByteReader from, TextFeed texts) {
        String word = texts.get();
        if (word == null) {
            return null;
        }
        List<String> fields = new ArrayList<>();
        for (int left = from.getCount(); left > 0; left--) {
            fields.add(texts.get());
        }
        return EdgeReason.of(word, fields);
    }

    private static @Nullable Long nullable(ByteReader from, boolean isThere) {
        return isThere ? (Long) from.getSigned() : null;
    }

    private static boolean has(int marks, int mark) {
        return (marks & mark) != 0;
    }
}
