package io.nightjar.pipeline.check.weak;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.datasets.random.SeededRandom;
import io.nightjar.fixtures.Seeds;
import io.nightjar.fixtures.small.RandomReads;
import io.nightjar.fixtures.small.Shrinker;
import io.nightjar.fixtures.small.SmallHistory;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.check.Contradiction;
import io.nightjar.pipeline.check.Contradiction.Step;
import io.nightjar.pipeline.check.LevelAnswer;
import io.nightjar.pipeline.check.ReferenceLevels;
import io.nightjar.pipeline.check.SmallClientHistory;
import io.nightjar.pipeline.infer.ClientHistory;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The weak levels agree with the definition on thousands of random histories, and prove what they say against one. */
@Tag(Seeds.TAG)
class WeakLevelsPropertyTest {

    private static final List<IsolationLevel> LEVELS =
            List.of(IsolationLevel.READ_COMMITTED, IsolationLevel.READ_ATOMIC, IsolationLevel.CAUSAL);

    private static final List<IsolationLevel> STRONGEST_FIRST =
            List.of(IsolationLevel.CAUSAL, IsolationLevel.READ_ATOMIC, IsolationLevel.READ_COMMITTED);

    private static final long FIRST_SEED = Long.getLong("nightjar.seed", 1);
    private static final int HISTORIES = Seeds.rounds(24_000);
    private static final long CLOCKS = 1L << 20;
    private static final long NO_CLOCKS = 0;

    @Test
    void verdictsAgreeWithTheDefinition() {
        Map<String, Integer> verdicts = new TreeMap<>();
        for (long seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES; seed++) {
            SmallHistory history = RandomReads.of(seed);
            long maxBytes = seed % 2 == 0 ? CLOCKS : NO_CLOCKS;
            String difference = difference(history, maxBytes);
            if (difference != null) {
                SmallHistory smaller = Shrinker.shrink(history, small -> difference(small, maxBytes) != null);
                assertThat(difference(smaller, maxBytes))
                        .as("seed=%d shrunk to%n%s", seed, smaller)
                        .isNull();
            }
            if (SmallClientHistory.of(history).isWellFormed()) {
                verdicts.merge(ReferenceLevels.of(history).holding().size() + " levels", 1, Integer::sum);
            }
        }

        for (int levels = 0; levels <= 3 && HISTORIES > 1; levels++) {
            assertThat(verdicts.getOrDefault(levels + " levels", 0))
                    .as("%s", verdicts)
                    .isGreaterThan(HISTORIES / 50);
        }
    }

    @Test
    void knownVersionsAndKeylessReadsAgreeWithDefinition() {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES / 4; seed++) {
            SmallClientHistory clients = SmallClientHistory.of(RandomReads.of(seed));
            if (clients.isWellFormed()) {
                ClientHistory history = asLists(clients.history(), new SeededRandom(seed));
                String difference = difference(history, ReferenceLevels.of(history), CLOCKS);
                assertThat(difference)
                        .as("seed=%d%n%s", seed, RandomReads.of(seed))
                        .isNull();
            }
        }
    }

    /** Null if they agree, or if no level can hold. */
    private static String difference(SmallHistory small, long maxBytes) {
        SmallClientHistory clients = SmallClientHistory.of(small);
        return clients.isWellFormed() ? difference(clients.history(), ReferenceLevels.of(small), maxBytes) : null;
    }

    /** What is derived for a level depends on which ones were asked for before. */
    private static String difference(ClientHistory history, ReferenceLevels reference, long maxBytes) {
        String difference = difference(history, reference, maxBytes, LEVELS);
        return difference != null ? difference : difference(history, reference, maxBytes, STRONGEST_FIRST);
    }

    private static String difference(
            ClientHistory history, ReferenceLevels reference, long maxBytes, List<IsolationLevel> levels) {
        WeakLevels weak = new WeakLevels(history, Budget.unlimited(), maxBytes);
        for (IsolationLevel level : levels) {
            LevelAnswer answer = answer(weak, level);
            Verdict expected = reference.holds(level) ? Verdict.HOLDS : Verdict.VIOLATED;
            if (answer.verdict() != expected) {
                return level + ": expected " + expected + " but was " + answer;
            }
            if (answer.contradictions().isEmpty() != reference.holds(level)) {
                return level + ": a violation without a contradiction, or the other way round";
            }
            for (Contradiction contradiction : answer.contradictions()) {
                String fault = fault(contradiction, history, reference);
                if (fault != null) {
                    return level + ": " + fault + ": " + contradiction;
                }
            }
        }
        return null;
    }

    private static LevelAnswer answer(WeakLevels weak, IsolationLevel level) {
        return switch (level) {
            case READ_COMMITTED -> weak.readCommitted();
            case READ_ATOMIC -> weak.readAtomic();
            default -> weak.causal();
        };
    }

    /** What is wrong with a contradiction, or null. */
    private static String fault(Contradiction contradiction, ClientHistory history, ReferenceLevels reference) {
        if (reference.holds(contradiction.level())) {
            return "the level holds";
        }
        int[] txns = contradiction.txns().stream()
                .mapToInt(Integer::intValue)
                .sorted()
                .distinct()
                .toArray();
        if (txns.length != contradiction.txns().size()) {
            return "a transaction twice";
        }
        if (ReferenceLevels.of(history.restrictedTo(txns)).holds(contradiction.level())) {
            return "its transactions alone do not violate the level";
        }
        List<Step> steps = contradiction.steps();
        for (int i = 0; i < steps.size(); i++) {
            if (steps.get(i).to() != steps.get((i + 1) % steps.size()).from()) {
                return "not a cycle";
            }
            if (!isTrue(steps.get(i), history)) {
                return "not so: " + steps.get(i);
            }
            if (!isNamed(steps.get(i).from(), contradiction)
                    || !isNamed(steps.get(i).because(), contradiction)) {
                return "a transaction is missing";
            }
        }
        return steps.isEmpty() ? "no steps" : null;
    }

    private static boolean isNamed(int txn, Contradiction contradiction) {
        return txn < 0 || contradiction.txns().contains(txn);
    }

    private static boolean isTrue(Step step, ClientHistory history) {
        return switch (step.rule()) {
            case SESSION_ORDER ->
                step.from() == ClientHistory.INITIAL
                        || step.from() < step.to() && history.sessionOf[step.from()] == history.sessionOf[step.to()];
            case READ_FROM -> reads(history, step.to(), step.key(), step.from());
            case OVERWRITTEN ->
                history.writes(step.from(), step.key()) && reads(history, step.because(), step.key(), step.to());
            case VERSION_ORDER -> history.writes(step.from(), step.key()) && history.writes(step.to(), step.key());
            default -> false;
        };
    }

    private static boolean reads(ClientHistory history, int reader, int key, int writer) {
        for (int read = history.firstReadOf[reader]; read < history.firstReadOf[reader + 1]; read++) {
            if (history.keyOfRead[read] == key && history.writerOf[read] == writer) {
                return true;
            }
        }
        return false;
    }

    /** The same history with some orders of versions, likely or not, and some reads that lost their key. */
    private static ClientHistory asLists(ClientHistory history, SeededRandom random) {
        ClientHistory.Builder builder = new ClientHistory.Builder();
        int[][] versions = new int[history.keyCount][];
        for (int txn = 0; txn < history.txnCount; txn++) {
            if (txn == 0 || history.sessionOf[txn] != history.sessionOf[txn - 1]) {
                builder.beginSession();
            }
            builder.beginTxn(history.txnIdOf[txn]);
            for (int read = history.firstReadOf[txn]; read < history.firstReadOf[txn + 1]; read++) {
                boolean losesKey = history.writerOf[read] != ClientHistory.INITIAL && random.below(5) == 0;
                builder.read(losesKey ? ClientHistory.NO_KEY : history.keyOfRead[read], history.writerOf[read]);
            }
            for (int write = history.firstWriteOf[txn]; write < history.firstWriteOf[txn + 1]; write++) {
                builder.write(history.keyOfWrite[write]);
            }
        }
        for (int key = 0; key < history.keyCount; key++) {
            versions[key] = someVersions(history, key, random);
        }
        return builder.logKeys(history.logKeyOf).versions(versions).build();
    }

    /** Some writers of a key by their ids, which are at random, or by their ordinals; one may come twice. */
    private static int[] someVersions(ClientHistory history, int key, SeededRandom random) {
        int[] versions = new int[2 * history.txnCount];
        int count = 0;
        boolean backwards = random.below(4) == 0;
        for (int i = 0; i < history.txnCount; i++) {
            int txn = backwards ? history.txnCount - 1 - i : i;
            if (history.writes(txn, key) && random.below(4) > 0) {
                versions[count++] = txn;
                if (count > 1 && random.below(20) == 0) {
                    versions[count++] = versions[count - 3];
                }
            }
        }
        return random.below(3) == 0 ? null : Arrays.copyOf(versions, count);
    }
}
