package io.nightjar.pipeline.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.Seeds;
import io.nightjar.fixtures.small.Shrinker;
import io.nightjar.fixtures.small.SmallHistory;
import io.nightjar.fixtures.small.SmallHistory.Op;
import io.nightjar.fixtures.small.SmallHistory.Txn;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.pipeline.check.ReferenceLevels;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Verdicts on histories whose values repeat, against every choice of writers and every order. */
@Tag(Seeds.TAG)
class RepeatedValuesTest {

    private static final int HISTORIES = 8_000;

    private static final int MAX_CHOICES = 3_000;

    private static final Set<IsolationLevel> SIX = EnumSet.copyOf(IsolationLevel.all());

    /** Levels without session order, and those of the six that they equal in a history whose sessions have one transaction. */
    private static final Map<IsolationLevel, IsolationLevel> WITHOUT_SESSIONS = new EnumMap<>(Map.of(
            IsolationLevel.PL_SI, IsolationLevel.SNAPSHOT_ISOLATION, IsolationLevel.PL_3, IsolationLevel.SERIALIZABLE));

    private static final Set<IsolationLevel> STRONG =
            EnumSet.of(IsolationLevel.PREFIX, IsolationLevel.SNAPSHOT_ISOLATION, IsolationLevel.SERIALIZABLE);

    @Test
    void everyStrongLevelIsDecidedAsDefined() {
        Map<String, Integer> verdicts = new TreeMap<>();
        for (long seed : Seeds.upTo(HISTORIES)) {
            SmallHistory history = new RepeatedHistory(seed).draw();
            if (difference(history, verdicts) != null) {
                SmallHistory smaller = Shrinker.shrink(history, small -> difference(small, new TreeMap<>()) != null);
                assertThat(difference(smaller, new TreeMap<>()))
                        .as("seed=%d shrunk to%n%s", seed, smaller)
                        .isNull();
            }
        }

        for (IsolationLevel level : STRONG) {
            assertThat(verdicts.keySet())
                    .as("%s", verdicts)
                    .contains(level + " " + Verdict.HOLDS, level + " " + Verdict.VIOLATED);
        }
    }

    /** Returns null if everything is as it should be. */
    private static @Nullable String difference(SmallHistory history, Map<String, Integer> verdicts) {
        Choices choices = new Choices(history);
        if (choices.count() > MAX_CHOICES) {
            return null;
        }
        Set<IsolationLevel> holding = choices.holding();
        List<HistorySlice> slices = history.slices(3);
        Set<IsolationLevel> levels = EnumSet.copyOf(SIX);
        levels.addAll(WITHOUT_SESSIONS.keySet());
        Set<IsolationLevel> holdingWithoutSessions = new Choices(withoutSessions(history)).holding();
        WITHOUT_SESSIONS.forEach((level, ofSix) -> {
            if (holdingWithoutSessions.contains(ofSix)) {
                holding.add(level);
            }
        });
        SmallDecision decision = SmallDecision.of(slices, history.initialValue(), levels);
        if (decision.refuted() != null) {
            return "refuted: " + decision.refuted();
        }
        for (IsolationLevel level : levels) {
            Verdict verdict = decision.verdict(level);
            Verdict expected = holding.contains(level) ? Verdict.HOLDS : Verdict.VIOLATED;
            verdicts.merge(level + " " + verdict, 1, Integer::sum);
            boolean mayBeOpen = !STRONG.contains(level) || choices.hasUnexplainedRead();
            if (verdict != expected && !(verdict == Verdict.UNDECIDED && mayBeOpen)) {
                return level.longName() + ": expected=" + expected + " decided=" + verdict + " "
                        + decision.reasons().get(level);
            }
        }
        return null;
    }

    private static SmallHistory withoutSessions(SmallHistory history) {
        List<Txn> txns = new ArrayList<>();
        for (Txn txn : history.txns()) {
            txns.add(new Txn(txn.id(), txn.id(), 0, txn.status(), txn.start(), txn.commit(), txn.ops()));
        }
        return new SmallHistory(txns, history.initialValue());
    }

    // ---------------------------------------------------------------- the definition

    /** Every choice of writers for the reads of a history. */
    private static final class Choices {

        private final SmallHistory history;
        private final List<List<String>> named = new ArrayList<>(); // by read: the names that its value may have
        private boolean hasUnexplainedRead;

        Choices(SmallHistory history) {
            this.history = history;
            for (Txn txn : history.txns()) {
                for (int op = 0; op < txn.ops().size(); op++) {
                    if (isExternal(txn, op)) {
                        named.add(names(txn, txn.ops().get(op)));
                    }
                }
            }
        }

        private static boolean isExternal(Txn txn, int op) {
            Op read = txn.ops().get(op);
            return read.isRead()
                    && read.value() != null
                    && txn.status() == TxnStatus.COMMITTED
                    && txn.ops().subList(0, op).stream()
                            .noneMatch(
                                    before -> before.isWrite() && before.key().equals(read.key()));
        }

        private List<String> names(Txn reader, Op read) {
            List<String> names = new ArrayList<>();
            boolean isWritten = false;
            for (Txn writer : history.txns()) {
                int last = lastWrite(writer, read.key());
                boolean leaves = last >= 0 && writer.ops().get(last).value().equals(read.value());
                isWritten |= writer.ops().stream()
                        .anyMatch(op -> op.isWrite()
                                && op.key().equals(read.key())
                                && op.value().equals(read.value()));
                if (writer != reader && writer.status() == TxnStatus.COMMITTED && leaves) {
                    names.add(name(writer, last));
                }
            }
            if (read.value().equals(history.initialValue())) {
                names.add("");
            }
            if (names.isEmpty()) {
                hasUnexplainedRead |= isWritten;
                names.add("unwritten");
            }
            return names;
        }

        private static int lastWrite(Txn txn, String key) {
            int last = -1;
            for (int op = 0; op < txn.ops().size(); op++) {
                Op write = txn.ops().get(op);
                last = write.isWrite() && write.key().equals(key) ? op : last;
            }
            return last;
        }

        private static String name(Txn writer, int op) {
            return writer.ops().get(op).value() + " of " + writer.id() + " " + op;
        }

        long count() {
            return named.stream()
                    .mapToLong(List::size)
                    .reduce(1, (product, count) -> Math.min(product * count, MAX_CHOICES + 1L));
        }

        boolean hasUnexplainedRead() {
            return hasUnexplainedRead;
        }

        Set<IsolationLevel> holding() {
            Set<IsolationLevel> holding = EnumSet.noneOf(IsolationLevel.class);
            int[] choice = new int[named.size()];
            boolean isLast = false;
            while (!isLast) {
                ReferenceLevels levels = ReferenceLevels.of(renamed(choice));
                SIX.stream().filter(levels::holds).forEach(holding::add);
                int read = 0;
                while (read < choice.length && ++choice[read] == named.get(read).size()) {
                    choice[read++] = 0;
                }
                isLast = read == choice.length || holding.size() == SIX.size();
            }
            return holding;
        }

        /** The history in which each write has another value. */
        private SmallHistory renamed(int[] choice) {
            int read = 0;
            List<Txn> txns = new ArrayList<>();
            for (Txn txn : history.txns()) {
                List<Op> ops = new ArrayList<>();
                Map<String, String> own = new HashMap<>();
                for (int i = 0; i < txn.ops().size(); i++) {
                    Op op = txn.ops().get(i);
                    if (op.isWrite()) {
                        ops.add(Op.write(op.key(), name(txn, i)));
                        own.put(op.key(), name(txn, i));
                    } else if (isExternal(txn, i)) {
                        String name = named.get(read).get(choice[read++]);
                        ops.add(Op.read(op.key(), name.isEmpty() ? null : name));
                    } else if (op.value() != null && own.containsKey(op.key())) {
                        boolean isOwn = own.get(op.key()).startsWith(op.value() + " ");
                        ops.add(Op.read(op.key(), isOwn ? own.get(op.key()) : "unwritten"));
                    } else {
                        ops.add(op);
                    }
                }
                txns.add(txn.withOps(ops));
            }
            return new SmallHistory(txns, null);
        }
    }

    // ---------------------------------------------------------------- histories

    /** A small history of a store that is serial, has snapshots or answers anything, with wrong answers put in. */
    static final class RepeatedHistory {

        private final Random random;
        private final int valueCount;
        private final int keyCount;
        private final double abortedShare;
        private final boolean hasSnapshots;
        private final double wrongShare;

        RepeatedHistory(long seed) {
            random = new Random(seed * 0x9E3779B97F4A7C15L);
            valueCount = 2 + random.nextInt(2);
            keyCount = 1 + random.nextInt(3);
            abortedShare = random.nextInt(4) == 0 ? 0.2 : 0;
            hasSnapshots = random.nextBoolean();
            wrongShare = new double[] {0, 0, 0.1, 0.3}[random.nextInt(4)];
        }

        SmallHistory draw() {
            int txnCount = 3 + random.nextInt(4);
            int sessions = 2 + random.nextInt(3);
            List<Map<String, String>> states = new ArrayList<>(List.of(new HashMap<>()));
            long[] seqs = new long[sessions];
            int[] seenBySession = new int[sessions];
            List<Txn> txns = new ArrayList<>();
            for (int id = 1; id <= txnCount; id++) {
                int session = random.nextInt(sessions);
                int newest = states.size() - 1;
                int snapshot = hasSnapshots
                        ? seenBySession[session] + random.nextInt(newest - seenBySession[session] + 1)
                        : newest;
                boolean isAborted = random.nextDouble() < abortedShare;
                Map<String, String> seen = new HashMap<>(states.get(snapshot));
                Map<String, String> left = new HashMap<>(states.get(newest));
                List<Op> ops = new ArrayList<>();
                for (int count = 1 + random.nextInt(4); count > 0; count--) {
                    String key = "x" + random.nextInt(keyCount);
                    if (random.nextInt(5) < 3) {
                        String value = random.nextDouble() < wrongShare ? value() : seen.get(key);
                        ops.add(Op.read(key, value));
                    } else {
                        String value = value();
                        ops.add(Op.write(key, value));
                        seen.put(key, value);
                        left.put(key, value);
                    }
                }
                byte status = isAborted ? TxnStatus.ABORTED : TxnStatus.COMMITTED;
                txns.add(new Txn(id, session, seqs[session]++, status, id, id, ops));
                if (!isAborted) {
                    states.add(left);
                    seenBySession[session] = states.size() - 1;
                }
            }
            return new SmallHistory(txns, null).shuffled(random.nextLong());
        }

        private String value() {
            return Integer.toString(random.nextInt(valueCount));
        }
    }
}
