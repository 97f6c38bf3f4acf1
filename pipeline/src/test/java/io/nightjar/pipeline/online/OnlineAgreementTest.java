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
import java.util.ArrayList;
import java.util.HashMap;
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

    @Test
    void whatComesTooLateIsRefusedAndAllElseAgrees() {
        int refused = 0;
        int taken = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES / 4; seed++) {
            SmallHistory history = withoutUnknown(RandomHistory.of(seed, 40));
            List<Txn> inTime = new ArrayList<>();
            Told finalFindings = new Told();
            OnlineCheck online = onlineWithLittleRoom(history, seed, finalFindings, inTime);
            if (online.unsettledKeys() > 0) {
                continue; // and says so
            }
            refused += history.txns().size() - inTime.size();
            taken += inTime.size();
            assertThat(texts(online.finalFindings()))
                    .as("seed=%d%n%s", seed, history.withTxns(inTime))
                    .isEqualTo(offline(history.withTxns(inTime), BOTH))
                    .isEqualTo(finalFindings.standing);
        }
        assertThat(refused).as("some are refused, of " + taken).isBetween(taken / 100, taken);
    }

    /** The attic keeps a few pages, of which each holds a few rows. */
    private static OnlineCheck onlineWithLittleRoom(SmallHistory history, long seed, Told listener, List<Txn> inTime) {
        Random random = new Random(seed * 37);
        KeyPageCache capacity = KeyRooms.any(random);
        SealedRowLog attic = new SealedRowLog(128, 2, new PageMap(2 + random.nextInt(16)), capacity);
        OnlineCheck online = new OnlineCheck(
                BOTH, history.initialValue(), attic, capacity, listener, 100_000, 2 << random.nextInt(3), 8);
        Map<Long, Txn> byId = new HashMap<>();
        history.txns().forEach(txn -> byId.put(txn.id(), txn));
        long watermark = 0;
        for (HistorySlice slice : history.shuffled(seed).slices(1)) {
            if (!online.isTooLate(slice, 0)) {
                online.buffer(slice, 0);
                inTime.add(byId.get(slice.txnId[0]));
            }
            if (random.nextInt(3) == 0) {
                online.placeBuffered();
            }
            if (random.nextInt(3) == 0) {
                watermark += random.nextInt(6);
                online.placeBuffered();
                online.seal(watermark);
            }
        }
        online.placeBuffered();
        online.seal(Long.MAX_VALUE);
        return online;
    }

    private static void agree(int maxTxns, int histories, List<IsolationLevel> levels) {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + histories; seed++) {
            SmallHistory history = withoutUnknown(RandomHistory.of(seed, maxTxns));
            if (difference(history, levels, seed) != null) {
                long failed = seed;
                SmallHistory smaller = Shrinker.shrink(history, small -> difference(small, levels, failed) != null);
                assertThat(difference(smaller, levels, seed))
                        .as("seed=%d levels=%s shrunk to%n%s", seed, levels, smaller)
                        .isNull();
            }
        }
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
        Told finalFindings = new Told();
        OnlineCheck online = online(history, levels, seed, finalFindings);
        Map<String, Integer> found = texts(online.finalFindings());
        if (!offline.equals(found)) {
            return "offline=" + offline + " online=" + found;
        }
        if (!finalFindings.standing.equals(found)) {
            return "told=" + finalFindings.standing + " found=" + found;
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

    private static OnlineCheck online(SmallHistory history, List<IsolationLevel> levels, long seed, Told listener) {
        Random random = new Random(seed * 31);
        KeyPageCache capacity = KeyRooms.any(random);
        OnlineCheck online = new OnlineCheck(
                levels,
                history.initialValue(),
                attic(random, capacity),
                capacity,
                listener,
                100_000,
                2 << random.nextInt(3),
                1_000);
        List<HistorySlice> slices = history.shuffled(seed).slices(1 + random.nextInt(4));
        for (HistorySlice slice : slices) {
            assertThat(online.hasSameTypesAs(slice)).isTrue();
            online.buffer(slice, 0);
            if (random.nextInt(3) == 0) {
                online.placeBuffered();
            }
            if (random.nextInt(3) == 0) {
                online.placeBuffered();
                online.seal(random.nextInt(24) - 2);
            }
        }
        online.placeBuffered();
        if (random.nextBoolean()) {
            online.seal(Long.MAX_VALUE);
        } else {
            online.sealAll();
            online.letGo();
        }
        return online;
    }

    /** In memory, or as a log whose pages are so small that most of them lie elsewhere. */
    private static SealedRowStore attic(Random random, KeyPageCache capacity) {
        return random.nextBoolean()
                ? new MemoryAttic()
                : new SealedRowLog(128, 2, new PageMap(Integer.MAX_VALUE), capacity);
    }

    private static final class PageMap implements PageStore {

        private final Map<Long, byte[]> pages = new HashMap<>();
        private final int capacity;

        PageMap(int capacity) {
            this.capacity = capacity;
        }

        @Override
        public boolean keep(long number, byte[] page) {
            if (pages.size() == capacity) {
                return false;
            }
            pages.put(number, page.clone());
            return true;
        }

        @Override
        public byte[] read(long number, int length) {
            return pages.get(number);
        }

        @Override
        public void drop(long number) {
            pages.remove(number);
        }
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

    /** What stands after all changes, and that no change is one without sense. */
    private static final class Told implements OnlineListener {

        private final Map<String, Integer> standing = new TreeMap<>();
        private final List<OnlineFinding> findings = new ArrayList<>();

        @Override
        public void changed(OnlineFinding.Change change, OnlineFinding finding, boolean isWrong) {
            boolean isFinal = change == OnlineFinding.Change.FINAL || change == OnlineFinding.Change.CORRECTED;
            if (!isFinal) {
                return;
            }
            findings.removeIf(known -> {
                boolean isSame = known.isSameAs(finding);
                if (isSame) {
                    standing.merge(text(known), -1, (one, other) -> one + other == 0 ? null : one + other);
                }
                return isSame;
            });
            if (isWrong) {
                findings.add(finding);
                standing.merge(text(finding), 1, Integer::sum);
            }
        }

        @Override
        public boolean wantsProvisional() {
            return true;
        }
    }
}
