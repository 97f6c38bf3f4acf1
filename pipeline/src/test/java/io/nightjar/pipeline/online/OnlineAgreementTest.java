package io.nightjar.pipeline.online;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.Seeds;
import io.nightjar.fixtures.small.RandomHistory;
import io.nightjar.fixtures.small.Shrinker;
import io.nightjar.fixtures.small.SmallHistory;
import io.nightjar.fixtures.small.SmallHistory.Txn;
import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.Axiom;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.check.Findings;
import io.nightjar.pipeline.check.timestamp.Lane;
import io.nightjar.pipeline.check.timestamp.LaneCheck;
import io.nightjar.pipeline.check.timestamp.PromotedTxns;
import io.nightjar.pipeline.check.timestamp.SessionOrder;
import io.nightjar.pipeline.partition.TransactionScan;
import it.unimi.dsi.fastutil.longs.LongSets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** In whatever order transactions arrive and wherever they are sealed, what is found is what a check of all rows finds. */
@Tag(Seeds.TAG)
class OnlineAgreementTest {

    private static final long FIRST_SEED = Long.getLong("nightjar.seed", 1);
    private static final int HISTORIES = Seeds.rounds(4_000);

    private static final String LEFT = "left to segments";

    private static final List<IsolationLevel> BOTH =
            List.of(IsolationLevel.SNAPSHOT_ISOLATION, IsolationLevel.COMMIT_ORDER_SERIALIZABLE);

    @Test
    void snapshotIsolationAgreesWithTheCheckOfAllRows() {
        agree(8, HISTORIES, List.of(IsolationLevel.SNAPSHOT_ISOLATION));
    }

    @Test
    void serializabilityAgreesWithTheCheckOfAllRows() {
        agree(8, HISTORIES, List.of(IsolationLevel.COMMIT_ORDER_SERIALIZABLE));
    }

    @Test
    void bothLevelsAgreeInLongerHistories() {
        agree(60, HISTORIES / 10, BOTH);
    }

    private static void agree(int maxTxns, int histories, List<IsolationLevel> levels) {
        int compared = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + histories; seed++) {
            SmallHistory history = withoutUnknown(RandomHistory.of(seed, maxTxns));
            String difference = difference(history, levels, seed);
            compared += difference == LEFT ? 0 : 1;
            if (difference != null && difference != LEFT) {
                long failed = seed;
                SmallHistory smaller = Shrinker.shrink(history, small -> {
                    String other = difference(small, levels, failed);
                    return other != null && other != LEFT;
                });
                assertThat(difference(smaller, levels, seed))
                        .as("seed=%d levels=%s shrunk to%n%s", seed, levels, smaller)
                        .isNull();
            }
        }
        assertThat(compared)
                .as("histories of which nothing was left to segments")
                .isGreaterThan(histories / 3);
    }

    /** Who of the unknown counts is known when all rows are. */
    private static SmallHistory withoutUnknown(SmallHistory history) {
        return history.withTxns(history.txns().stream()
                .map(txn -> txn.status() != TxnStatus.UNKNOWN
                        ? txn
                        : new Txn(
                                txn.id(),
                                txn.session(),
                                txn.seq(),
                                TxnStatus.ABORTED,
                                txn.start(),
                                txn.commit(),
                                txn.ops()))
                .toList());
    }

    private static String difference(SmallHistory history, List<IsolationLevel> levels, long seed) {
        Map<String, Integer> offline = offline(history, levels);
        FinalFindings finalFindings = new FinalFindings(seed % 2 == 0);
        OnlineCheck online = online(history, levels, seed, finalFindings);
        if (online.leftToSegments() > 0) {
            return LEFT;
        }
        Map<String, Integer> found = texts(finalFindings.all());
        if (!offline.equals(found)) {
            return "offline=" + offline + " online=" + found;
        }
        return online.provisional() == 0 ? null : "provisional=" + online.provisional();
    }

    // ---------------------------------------------------------------- the check of all rows

    private static Map<String, Integer> offline(SmallHistory history, List<IsolationLevel> levels) {
        Map<String, Integer> texts = new TreeMap<>();
        for (IsolationLevel level : levels) {
            Map<IsolationLevel, Set<Axiom>> axioms = Map.of(level, Axiom.of(level));
            TransactionScan scan = new TransactionScan(1, history.initialValue());
            Lane lane = new Lane();
            SessionOrder sessions = SessionOrder.gathering(axioms, 10_000, LongSets.EMPTY_SET);
            for (HistorySlice slice : history.slices(1_000)) {
                scan.scan(slice);
                lane.append(scan.chunk(0));
                sessions.observe(slice);
            }
            Findings findings = new Findings(10_000);
            new LaneCheck(lane, axioms, history.initialValue(), PromotedTxns.NONE, findings).run();
            findings.merge(sessions.finish());
            findings.inTime().forEach(finding -> texts.merge(text(finding), 1, Integer::sum));
        }
        return texts;
    }

    private static String text(Finding finding) {
        Long other = finding.participants().stream()
                .filter(participant -> participant.role() == Role.EXPECTED_WRITER
                        || participant.role() == Role.LATER_WRITER
                        || participant.role() == Role.PREVIOUS)
                .map(Finding.Participant::txnId)
                .findFirst()
                .orElse(null);
        boolean isOwn = finding.anomaly() == Anomaly.INT;
        boolean isList = isOwn
                || finding.expectation() == null
                || String.valueOf(finding.expectation().expected()).startsWith("[")
                || String.valueOf(finding.expectation().observed()).startsWith("[");
        return text(
                finding.level(),
                finding.anomaly(),
                finding.key(),
                finding.participants().get(0).txnId(),
                isOwn ? null : other,
                isList
                        ? ""
                        : finding.expectation().expected() + "/"
                                + finding.expectation().observed());
    }

    // ---------------------------------------------------------------- the check of arrivals

    private static OnlineCheck online(
            SmallHistory history, List<IsolationLevel> levels, long seed, OnlineListener listener) {
        Random random = new Random(seed * 31);
        OnlineCheck online = new OnlineCheck(levels, history.initialValue(), listener);
        boolean sealsInTime = random.nextBoolean();
        List<HistorySlice> slices = history.shuffled(seed).slices(1 + random.nextInt(4));
        for (int next = 0; next < slices.size(); next++) {
            HistorySlice slice = slices.get(next);
            assertThat(online.hasSameTypesAs(slice)).isTrue();
            online.buffer(slice, 0);
            if (random.nextInt(3) == 0) {
                online.placeBuffered();
            }
            if (random.nextInt(3) == 0) {
                online.placeBuffered();
                online.seal(
                        sealsInTime
                                ? firstCommit(slices.subList(next + 1, slices.size())) - 1
                                : random.nextInt(24) - 2);
            }
        }
        online.placeBuffered();
        if (random.nextBoolean()) {
            online.seal(Long.MAX_VALUE);
        } else {
            online.sealAll();
            online.close();
        }
        return online;
    }

    private static long firstCommit(List<HistorySlice> slices) {
        long first = 1_000; // beyond all
        for (HistorySlice slice : slices) {
            for (int txn = 0; slice.commitTs != null && txn < slice.txnCount; txn++) {
                first = Math.min(first, Math.max(-1_000, slice.commitTs[txn]));
            }
        }
        return first;
    }

    private static Map<String, Integer> texts(List<OnlineFinding> findings) {
        Map<String, Integer> texts = new TreeMap<>();
        findings.forEach(finding -> texts.merge(text(finding), 1, Integer::sum));
        return texts;
    }

    private static String text(OnlineFinding finding) {
        boolean isList = finding.anomaly() != Anomaly.EXT
                || String.valueOf(finding.reading().expected()).startsWith("[")
                || String.valueOf(finding.reading().observed()).startsWith("[");
        return text(
                finding.level(),
                finding.anomaly(),
                finding.key(),
                finding.subject().txnId(),
                finding.other() == null ? null : finding.other().txnId(),
                isList
                        ? ""
                        : finding.reading().expected() + "/" + finding.reading().observed());
    }

    private static String text(
            IsolationLevel level, Anomaly anomaly, String key, long subject, Long other, String values) {
        return level + " " + anomaly + " " + key + " " + subject + " " + other + " " + values;
    }
}
