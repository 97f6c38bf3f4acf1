package io.nightjar.pipeline.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.Seeds;
import io.nightjar.formats.finding.EdgeReason;
import io.nightjar.formats.finding.EdgeReason.LinkSource;
import io.nightjar.formats.finding.EdgeReason.VersionLink;
import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Edge;
import io.nightjar.formats.finding.Finding.Expectation;
import io.nightjar.formats.finding.Finding.Origin;
import io.nightjar.formats.finding.Finding.Participant;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.EdgeEvidence;
import io.nightjar.formats.level.EdgeType;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Random findings with every null there can be; those of real checks are in the tests of the checks. */
@Tag(Seeds.TAG)
public class ResultCodecTest {

    private static final String[] TEXTS = {null, "", "x", "größe", "[1,2,3]", "a longer text that says why"};

    @Test
    void findingsCountsAndLimitSurvive() {
        for (long seed : Seeds.upTo(500)) {
            Findings findings = random(new Random(seed));

            Findings decoded = throughBytes(findings);

            assertThat(decoded.inTime()).as("seed=%d", seed).isEqualTo(findings.inTime());
            assertThat(decoded.total()).isEqualTo(findings.total());
            assertThat(decoded.limit()).isEqualTo(findings.limit());
            for (IsolationLevel level : IsolationLevel.values()) {
                assertThat(decoded.counts(level)).isEqualTo(findings.counts(level));
            }
        }
    }

    @Test
    void theOrderInTimeSurvivesAMerge() {
        for (long seed : Seeds.upTo(200)) {
            Random random = new Random(seed);
            Findings first = random(random);
            Findings second = random(random);
            Findings merged = new Findings(20);
            merged.merge(first);
            merged.merge(second);

            Findings mergedLater = new Findings(20);
            mergedLater.merge(throughBytes(first));
            mergedLater.merge(throughBytes(second));

            assertThat(mergedLater.inTime()).as("seed=%d", seed).isEqualTo(merged.inTime());
            assertThat(mergedLater.total()).isEqualTo(merged.total());
        }
    }

    public static Findings throughBytes(Findings findings) {
        ByteWriter sink = new ByteWriter(16);
        ResultCodec.encode(findings, sink);
        ByteReader feed = new ByteReader(Arrays.copyOf(sink.bytes(), sink.size()), 0, sink.size());
        Findings decoded = ResultCodec.decode(Findings.class, feed);
        assertThat(feed.isEmpty()).isTrue();
        return decoded;
    }

    private static Findings random(Random random) {
        Findings findings = new Findings(random.nextInt(30));
        int count = random.nextInt(40);
        findings.countRows(count);
        for (int i = 0; i < count; i++) {
            findings.keep(number(random), finding(random));
            findings.count(oneOf(IsolationLevel.values(), random), oneOf(Anomaly.values(), random), random.nextInt(9));
        }
        return findings;
    }

    /** One of each kind, with and without what may be missing. */
    private static final EdgeReason[] REASONS = {
        null,
        new EdgeReason.InSession(-3),
        new EdgeReason.InTime(5, Long.MAX_VALUE),
        new EdgeReason.WasRead("append"),
        new EdgeReason.Missed(List.of()),
        new EdgeReason.Missed(List.of(new VersionLink(LinkSource.VERSION, 1, null, 2, "a"))),
        new EdgeReason.MissedInList(7, true),
        new EdgeReason.MissedInSet(),
        new EdgeReason.WasVisible(null, null),
        new EdgeReason.WasVisible(8L, IsolationLevel.CAUSAL),
        new EdgeReason.NoOverlap(null, null),
        new EdgeReason.NoOverlap("x", "é"),
        new EdgeReason.Listed(9L, true),
        new EdgeReason.Listed(null, false),
        new EdgeReason.Numbered(),
        new EdgeReason.Replaced(List.of(
                new VersionLink(LinkSource.SESSION, 1, "a", 2, "b", 4, HistorySlice.NONE),
                new VersionLink(LinkSource.REAL_TIME, 2, "b", 3, "c", 5, 6))),
        new EdgeReason.Linked(new VersionLink(LinkSource.READ_THEN_WRITTEN, 1, "a", 1, "b")),
        new EdgeReason.OfRows(EdgeReason.RowFact.OVERLAP),
        new EdgeReason.OfRows(EdgeReason.RowFact.EARLY_START, 5L, -6L),
        new EdgeReason.Explained("so it is"),
    };

    private static Finding finding(Random random) {
        List<Participant> participants = new ArrayList<>();
        for (int i = random.nextInt(4); i >= 0; i--) {
            participants.add(
                    new Participant(number(random), oneOf(Role.values(), random), number(random), number(random)));
        }
        List<Edge> edges = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            edges.add(new Edge(
                    number(random),
                    number(random),
                    oneOf(EdgeType.values(), random),
                    text(random),
                    text(random),
                    text(random),
                    oneOf(EdgeEvidence.values(), random),
                    oneOf(REASONS, random),
                    text(random)));
        }
        return new Finding(
                oneOf(Anomaly.values(), random),
                text(random),
                random.nextInt(5) == 0 ? null : oneOf(IsolationLevel.values(), random),
                "algorithm " + text(random), // never missing
                text(random),
                participants,
                random.nextBoolean() ? null : expectation(random),
                nullable(random),
                random.nextBoolean(),
                edges);
    }

    private static Expectation expectation(Random random) {
        Origin origin = random.nextInt(3) == 0 ? null : oneOf(Origin.values(), random);
        return new Expectation(text(random), nullable(random), text(random), nullable(random), origin);
    }

    private static Long nullable(Random random) {
        return random.nextInt(3) == 0 ? null : (Long) number(random);
    }

    private static long number(Random random) {
        return switch (random.nextInt(6)) {
            case 0 -> HistorySlice.NONE;
            case 1 -> Long.MAX_VALUE;
            case 2 -> random.nextLong();
            default -> random.nextInt(1_000) - 500;
        };
    }

    private static String text(Random random) {
        return oneOf(TEXTS, random);
    }

    private static <T> T oneOf(T[] choices, Random random) {
        return choices[random.nextInt(choices.length)];
    }
}
