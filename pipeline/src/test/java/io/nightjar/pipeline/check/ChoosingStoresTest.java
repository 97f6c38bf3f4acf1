package io.nightjar.pipeline.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.datasets.random.SeededRandom;
import io.nightjar.datasets.store.Chooser;
import io.nightjar.datasets.store.NondeterministicStore;
import io.nightjar.datasets.store.Store;
import io.nightjar.datasets.store.StrongCommitOrderStore;
import io.nightjar.datasets.store.WeakCommitOrderStore;
import io.nightjar.datasets.store.WeakFreeOrderStore;
import io.nightjar.fixtures.Seeds;
import io.nightjar.fixtures.small.SmallHistory;
import io.nightjar.fixtures.small.SmallHistory.Op;
import io.nightjar.fixtures.small.SmallHistory.Txn;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.level.IsolationLevel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Stores that answer with anything a level allows produce the histories that brute force allows, all of them and no other. */
@Tag(Seeds.TAG)
class ChoosingStoresTest {

    private static final int SESSIONS = 3;
    private static final int KEYS = 2;

    /** Operations of one transaction: key + 1 reads a key, -(key + 1) writes it. */
    private record Planned(int session, int[] ops) {}

    @Test
    void allSchedulesAndChoicesGenerateExactlyAllowedHistories() {
        Map<IsolationLevel, Integer> allowedCount = new TreeMap<>();
        for (long seed : Seeds.upTo(400)) {
            List<Planned> program = program(seed, 5);
            Map<IsolationLevel, Set<String>> allowed = allowed(program);
            List<int[]> schedules = serialSchedules(program);
            for (IsolationLevel level : IsolationLevel.all()) {
                allowedCount.merge(level, allowed.get(level).size(), Integer::sum);
                Set<String> produced = new TreeSet<>();
                for (int[] schedule : schedules) {
                    produceAll(program, level, schedule, produced);
                }
                assertThat(produced).as("nightjar.seed=%d %s", seed, level).isEqualTo(allowed.get(level));
            }
        }
        report("all serial schedules", allowedCount);
    }

    /** Without an order of versions one schedule is enough for all that is read from those who come before. */
    @Test
    void allChoicesOfScheduleGenerateExactlyHistoriesOfWeakLevels() {
        Map<IsolationLevel, Integer> allowedCount = new TreeMap<>();
        for (long seed : Seeds.upTo(400)) {
            List<Planned> program = program(seed, 5);
            List<int[]> schedules = serialSchedules(program);
            int[] schedule = schedules.get(new SeededRandom(seed * 83).below(schedules.size()));
            Map<IsolationLevel, Set<String>> allowed = allowed(program, positionOf(program, schedule));
            for (WeakFreeOrderStore.Level weak : WeakFreeOrderStore.Level.values()) {
                IsolationLevel level = levelOf(weak);
                allowedCount.merge(level, allowed.get(level).size(), Integer::sum);
                Set<String> produced = new TreeSet<>();
                produceAll(program, level, schedule, produced);
                assertThat(produced).as("nightjar.seed=%d %s", seed, level).isEqualTo(allowed.get(level));
            }
        }
        report("one schedule", allowedCount);
    }

    @Test
    void interleavedOperationsGenerateExactlyAllowedHistories() {
        Map<IsolationLevel, Integer> allowedCount = new TreeMap<>();
        for (long seed : Seeds.upTo(20)) {
            List<Planned> program = program(seed * 89, 3);
            Map<IsolationLevel, Set<String>> allowed = allowed(program);
            List<int[]> schedules = new ArrayList<>();
            addInterleaved(program, new int[program.size()], new ArrayList<>(), schedules);
            for (IsolationLevel level : IsolationLevel.all()) {
                allowedCount.merge(level, allowed.get(level).size(), Integer::sum);
                Set<String> produced = new TreeSet<>();
                for (int[] schedule : schedules) {
                    produceAll(program, level, schedule, produced);
                }
                assertThat(produced).as("nightjar.seed=%d %s", seed, level).isEqualTo(allowed.get(level));
            }
        }
        report("all interleaved schedules", allowedCount);
    }

    /** Counts for the page about reliability, where many seeds are run. */
    private static void report(String what, Map<IsolationLevel, Integer> allowedCount) {
        if (Seeds.areAll()) {
            assertThat(allowedCount.get(IsolationLevel.READ_COMMITTED))
                    .isGreaterThan(allowedCount.get(IsolationLevel.CAUSAL));
        }
        if (Seeds.areOfCampaign()) {
            System.out.println("stores, " + what + ": histories that are allowed, and produced: " + allowedCount);
        }
    }

    @Test
    void interleavedTransactionsKeepLevelDespiteRollbacks() {
        for (long seed : Seeds.upTo(10_000)) {
            SeededRandom random = new SeededRandom(seed * 77);
            List<Planned> program = program(seed, 6);
            for (IsolationLevel level : IsolationLevel.all()) {
                SmallHistory history = run(program, store(level, random::below), interleaved(program, random), random);

                assertThat(ReferenceLevels.of(history).holds(level))
                        .as("nightjar.seed=%d %s%n%s", seed, level, history)
                        .isTrue();
            }
        }
    }

    @Test
    void commitOrderedVersionsKeepWeakLevels() {
        for (long seed : Seeds.upTo(5_000)) {
            SeededRandom random = new SeededRandom(seed * 79);
            List<Planned> program = program(seed, 6);
            for (WeakFreeOrderStore.Level level : WeakFreeOrderStore.Level.values()) {
                Store store = new WeakCommitOrderStore(level, SESSIONS, 1, Integer.MAX_VALUE, random::below);
                SmallHistory history = run(program, store, interleaved(program, random), random);

                assertThat(ReferenceLevels.of(history).holds(levelOf(level)))
                        .as("nightjar.seed=%d %s%n%s", seed, level, history)
                        .isTrue();
            }
        }
    }

    @Test
    void noChoiceOfCommitOrderedVersionsBreaksWeakLevel() {
        for (long seed : Seeds.upTo(150)) {
            List<Planned> program = program(seed, 3);
            Map<IsolationLevel, Set<String>> allowed = allowed(program);
            for (WeakFreeOrderStore.Level level : WeakFreeOrderStore.Level.values()) {
                Set<String> produced = new TreeSet<>();
                for (int[] schedule : serialSchedules(program)) {
                    produceAll(
                            program,
                            chooser -> new WeakCommitOrderStore(level, SESSIONS, 1, Integer.MAX_VALUE, chooser),
                            schedule,
                            produced);
                }
                assertThat(allowed.get(levelOf(level)))
                        .as("nightjar.seed=%d %s", seed, level)
                        .containsAll(produced);
            }
        }
    }

    private static IsolationLevel levelOf(WeakFreeOrderStore.Level level) {
        return switch (level) {
            case READ_COMMITTED -> IsolationLevel.READ_COMMITTED;
            case READ_ATOMIC -> IsolationLevel.READ_ATOMIC;
            case CAUSAL -> IsolationLevel.CAUSAL;
        };
    }

    @Test
    void storesBelowSnapshotIsolationCommitEverything() {
        for (long seed : Seeds.upTo(1_000)) {
            SeededRandom random = new SeededRandom(seed * 78);
            List<Planned> program = program(seed, 6);
            for (IsolationLevel level : IsolationLevel.all()) {
                if (level.compareTo(IsolationLevel.SNAPSHOT_ISOLATION) < 0) {
                    SmallHistory history =
                            run(program, store(level, random::below), interleaved(program, random), null);

                    assertThat(history.txns())
                            .as("nightjar.seed=%d %s", seed, level)
                            .hasSize(program.size());
                }
            }
        }
    }

    @Test
    void serializableCommitCannotFollowOpenReaderThatFollowsIt() {
        Store store = store(IsolationLevel.SERIALIZABLE, bound -> bound - 1);
        store.begin(0);
        assertThat(store.read(0, 0)).isEqualTo(Store.INITIAL);
        store.begin(1);
        store.write(1, 0, 11);
        assertThat(store.commit(1)).isTrue();
        store.begin(2);
        assertThat(store.read(2, 0)).isEqualTo(11);
        assertThat(store.read(2, 1)).isEqualTo(Store.INITIAL);

        assertThat(store.write(0, 1, 1) && store.commit(0)).isFalse();
        assertThat(store.commit(2)).isTrue();
    }

    /** As a search does that passes over a row, whatever version of it. */
    @Test
    void oldestVersionIsNotBeforeVersionsSeenByOpenTransaction() {
        StrongCommitOrderStore store = new StrongCommitOrderStore(
                StrongCommitOrderStore.Level.SERIALIZABLE, SESSIONS, KEYS, bound -> bound - 1);
        store.begin(0);
        store.write(0, 0, 11);
        assertThat(store.commit(0)).isTrue();
        store.begin(0);
        assertThat(store.read(0, 1)).isEqualTo(Store.INITIAL);
        store.begin(1);
        store.write(1, 1, 21);
        assertThat(store.commit(1)).isTrue();
        store.begin(1);

        assertThat(store.readOldest(1, 0)).isEqualTo(11);
        assertThat(store.write(0, 0, 12) && store.commit(0)).isFalse();
        assertThat(store.commit(1)).isTrue();
    }

    @Test
    void readsReturnNoVersionThatIsOlderThanTheyMay() {
        int versions = 9;
        for (int staleness : new int[] {0, 1, 3, versions, Integer.MAX_VALUE}) {
            for (IsolationLevel level : IsolationLevel.all()) {
                for (Store store : bounded(level, staleness, new SeededRandom(Seeds.seed(staleness))::below)) {
                    Set<Long> seen = new TreeSet<>();
                    for (int session = 1; session < 200; session++) {
                        for (int version = 1; session == 1 && version <= versions; version++) {
                            store.begin(0);
                            store.write(0, 0, version);
                            assertThat(store.commit(0)).isTrue();
                        }
                        store.begin(session);
                        seen.add(Math.max(0, store.read(session, 0)));
                        assertThat(store.commit(session)).isTrue();
                    }
                    long oldest = Math.max(0L, (long) versions - staleness);
                    assertThat(seen)
                            .as("%s %s staleness=%d", store.getClass().getSimpleName(), level, staleness)
                            .containsExactlyElementsOf(LongStream.rangeClosed(oldest, versions)
                                    .boxed()
                                    .toList());
                }
            }
        }
    }

    private static List<Store> bounded(IsolationLevel level, int staleness, Chooser chooser) {
        if (level.compareTo(IsolationLevel.PREFIX) >= 0) {
            return List.of(new StrongCommitOrderStore(
                    StrongCommitOrderStore.Level.valueOf(level.name()), 200, 1, staleness, chooser, null));
        }
        WeakFreeOrderStore.Level weak = WeakFreeOrderStore.Level.valueOf(level.name());
        return List.of(
                new WeakFreeOrderStore(weak, 200, 1, staleness, chooser),
                new WeakCommitOrderStore(weak, 200, 1, staleness, chooser));
    }

    // ---------------------------------------------------------------- programs

    private static List<Planned> program(long seed, int maxTxns) {
        SeededRandom random = new SeededRandom(seed);
        List<Planned> program = new ArrayList<>();
        int txns = 2 + random.below(maxTxns - 1);
        for (int txn = 0; txn < txns; txn++) {
            int[] ops = new int[1 + random.below(3)];
            for (int op = 0; op < ops.length; op++) {
                int key = 1 + random.below(KEYS);
                ops[op] = random.below(2) == 0 ? key : -key;
            }
            program.add(new Planned(random.below(SESSIONS), ops));
        }
        return program;
    }

    private static Store store(IsolationLevel level, Chooser chooser) {
        return switch (level) {
            case READ_COMMITTED -> free(WeakFreeOrderStore.Level.READ_COMMITTED, chooser);
            case READ_ATOMIC -> free(WeakFreeOrderStore.Level.READ_ATOMIC, chooser);
            case CAUSAL -> free(WeakFreeOrderStore.Level.CAUSAL, chooser);
            case PREFIX -> ordered(StrongCommitOrderStore.Level.PREFIX, chooser);
            case SNAPSHOT_ISOLATION -> ordered(StrongCommitOrderStore.Level.SNAPSHOT_ISOLATION, chooser);
            case SERIALIZABLE -> ordered(StrongCommitOrderStore.Level.SERIALIZABLE, chooser);
            default -> throw new IllegalArgumentException("no store keeps it: level=" + level);
        };
    }

    private static Store free(WeakFreeOrderStore.Level level, Chooser chooser) {
        return new WeakFreeOrderStore(level, SESSIONS, 1, chooser);
    }

    private static Store ordered(StrongCommitOrderStore.Level level, Chooser chooser) {
        return new StrongCommitOrderStore(level, SESSIONS, 1, chooser);
    }

    /** Every order of the transactions that keeps the sessions' own, each transaction as often as it has steps. */
    private static List<int[]> serialSchedules(List<Planned> program) {
        List<int[]> schedules = new ArrayList<>();
        addSchedules(program, new ArrayList<>(), schedules);
        return schedules;
    }

    private static void addSchedules(List<Planned> program, List<Integer> order, List<int[]> schedules) {
        if (order.size() == program.size()) {
            List<Integer> steps = new ArrayList<>();
            for (int txn : order) {
                for (int step = 0; step <= program.get(txn).ops().length; step++) {
                    steps.add(txn);
                }
            }
            schedules.add(steps.stream().mapToInt(Integer::intValue).toArray());
            return;
        }
        for (int txn = 0; txn < program.size(); txn++) {
            if (!order.contains(txn) && hasRunBefore(program, order, txn)) {
                order.add(txn);
                addSchedules(program, order, schedules);
                order.remove(order.size() - 1);
            }
        }
    }

    private static boolean hasRunBefore(List<Planned> program, List<Integer> order, int txn) {
        for (int earlier = 0; earlier < txn; earlier++) {
            if (program.get(earlier).session() == program.get(txn).session() && !order.contains(earlier)) {
                return false;
            }
        }
        return true;
    }

    /** The position of each transaction in a serial schedule. */
    private static int[] positionOf(List<Planned> program, int[] schedule) {
        int[] position = new int[program.size()];
        int next = 0;
        for (int step = 0; step < schedule.length; step++) {
            if (step == 0 || schedule[step] != schedule[step - 1]) {
                position[schedule[step]] = next++;
            }
        }
        return position;
    }

    /** Every order of the steps of all transactions that keeps those of each session. */
    private static void addInterleaved(List<Planned> program, int[] done, List<Integer> steps, List<int[]> schedules) {
        boolean isWhole = true;
        for (int txn = 0; txn < program.size(); txn++) {
            if (isReady(program, done, txn)) {
                isWhole = false;
                done[txn]++;
                steps.add(txn);
                addInterleaved(program, done, steps, schedules);
                steps.remove(steps.size() - 1);
                done[txn]--;
            }
        }
        if (isWhole) {
            schedules.add(steps.stream().mapToInt(Integer::intValue).toArray());
        }
    }

    private static boolean isReady(List<Planned> program, int[] done, int txn) {
        boolean waits = done[txn] > program.get(txn).ops().length;
        for (int earlier = 0; earlier < txn; earlier++) {
            waits |= program.get(earlier).session() == program.get(txn).session()
                    && done[earlier] <= program.get(earlier).ops().length;
        }
        return !waits;
    }

    private static int[] interleaved(List<Planned> program, SeededRandom random) {
        int[] done = new int[program.size()];
        List<Integer> steps = new ArrayList<>();
        List<Integer> ready = new ArrayList<>();
        do {
            ready.clear();
            for (int txn = 0; txn < program.size(); txn++) {
                if (isReady(program, done, txn)) {
                    ready.add(txn);
                }
            }
            if (!ready.isEmpty()) {
                int txn = ready.get(random.below(ready.size()));
                done[txn]++;
                steps.add(txn);
            }
        } while (!ready.isEmpty());
        return steps.stream().mapToInt(Integer::intValue).toArray();
    }

    // ---------------------------------------------------------------- runs

    /** What was committed; with a random number generator, one transaction in five rolls itself back, and some reads are of the oldest. */
    private static SmallHistory run(List<Planned> program, Store store, int[] schedule, SeededRandom random) {
        int count = program.size();
        List<List<Op>> done = new ArrayList<>();
        boolean[] isGone = new boolean[count];
        int[] next = new int[count];
        List<Txn> txns = new ArrayList<>();
        for (int txn = 0; txn < count; txn++) {
            done.add(new ArrayList<>());
        }
        for (int txn : schedule) {
            Planned planned = program.get(txn);
            int session = planned.session();
            if (isGone[txn]) {
                continue;
            }
            if (next[txn] == 0) {
                store.begin(session);
            }
            if (next[txn] == planned.ops().length) {
                if (random != null && random.below(5) == 0) {
                    store.abort(session);
                } else if (store.commit(session)) {
                    txns.add(txn(txn, session, done.get(txn)));
                }
                isGone[txn] = true;
                continue;
            }
            int op = planned.ops()[next[txn]++];
            int key = Math.abs(op) - 1;
            if (op < 0) {
                long value = value(txn, next[txn] - 1);
                done.get(txn).add(Op.write("x" + key, Long.toString(value)));
                isGone[txn] = !store.write(session, key, value);
            } else {
                long value = random != null && store instanceof NondeterministicStore choosing && random.below(3) == 0
                        ? choosing.readOldest(session, key)
                        : store.read(session, key);
                isGone[txn] = value == Store.ABORTED;
                done.get(txn).add(Op.read("x" + key, value == Store.INITIAL ? null : Long.toString(value)));
            }
        }
        return new SmallHistory(txns, null);
    }

    private static long value(int txn, int op) {
        return 10L * (txn + 1) + op;
    }

    private static Txn txn(int txn, int session, List<Op> ops) {
        return new Txn(txn + 1, session, txn, TxnStatus.COMMITTED, HistorySlice.NONE, HistorySlice.NONE, ops);
    }

    /** Runs with every sequence of choices; notes each complete history. */
    private static void produceAll(List<Planned> program, IsolationLevel level, int[] schedule, Set<String> produced) {
        produceAll(program, chooser -> store(level, chooser), schedule, produced);
    }

    private static void produceAll(
            List<Planned> program, Function<Chooser, Store> stores, int[] schedule, Set<String> produced) {
        List<int[]> choices = new ArrayList<>(); // {taken, bound}
        do {
            int[] position = {0};
            Chooser scripted = bound -> {
                if (position[0] == choices.size()) {
                    choices.add(new int[] {0, bound});
                }
                return choices.get(position[0]++)[0];
            };
            SmallHistory history = run(program, stores.apply(scripted), schedule, null);
            if (history.txns().size() == program.size()) {
                produced.add(text(history));
            }
            while (!choices.isEmpty() && ++choices.get(choices.size() - 1)[0] == choices.get(choices.size() - 1)[1]) {
                choices.remove(choices.size() - 1);
            }
        } while (!choices.isEmpty());
    }

    private static String text(SmallHistory history) {
        Set<String> lines = new TreeSet<>(List.of(history.toText().split("\n")));
        return String.join("\n", lines);
    }

    // ---------------------------------------------------------------- brute force

    private static Map<IsolationLevel, Set<String>> allowed(List<Planned> program) {
        return allowed(program, null);
    }

    /** @param position of each transaction in a serial schedule, where it may read from those before it only; null if from all */
    private static Map<IsolationLevel, Set<String>> allowed(List<Planned> program, int[] position) {
        Map<IsolationLevel, Set<String>> allowed = new TreeMap<>();
        IsolationLevel.all().forEach(level -> allowed.put(level, new TreeSet<>()));
        List<List<String>> answers = new ArrayList<>();
        for (int txn = 0; txn < program.size(); txn++) {
            for (int op = 0; op < program.get(txn).ops().length; op++) {
                if (program.get(txn).ops()[op] > 0) {
                    answers.add(answers(program, txn, op, position));
                }
            }
        }
        int[] taken = new int[answers.size()];
        boolean goesOn = true;
        while (goesOn) {
            SmallHistory history = history(program, answers, taken);
            for (IsolationLevel level : ReferenceLevels.of(history).holding()) {
                allowed.get(level).add(text(history));
            }
            int digit = 0;
            while (digit < taken.length && ++taken[digit] == answers.get(digit).size()) {
                taken[digit++] = 0;
            }
            goesOn = digit < taken.length;
        }
        return allowed;
    }

    /** What a read may return at all: the own last write, else the last write of any other transaction, or nothing. */
    private static List<String> answers(List<Planned> program, int reader, int position, int[] positionOfOp) {
        int key = program.get(reader).ops()[position];
        for (int op = position - 1; op >= 0; op--) {
            if (program.get(reader).ops()[op] == -key) {
                return List.of(Long.toString(value(reader, op)));
            }
        }
        List<String> answers = new ArrayList<>();
        for (int txn = 0; txn < program.size(); txn++) {
            int last = -1;
            for (int op = 0; txn != reader && op < program.get(txn).ops().length; op++) {
                last = program.get(txn).ops()[op] == -key ? op : last;
            }
            if (last >= 0 && (positionOfOp == null || positionOfOp[txn] < positionOfOp[reader])) {
                answers.add(Long.toString(value(txn, last)));
            }
        }
        answers.add(null);
        return answers;
    }

    private static SmallHistory history(List<Planned> program, List<List<String>> answers, int[] taken) {
        List<Txn> txns = new ArrayList<>();
        int read = 0;
        for (int txn = 0; txn < program.size(); txn++) {
            List<Op> ops = new ArrayList<>();
            int[] planned = program.get(txn).ops();
            for (int op = 0; op < planned.length; op++) {
                String key = "x" + (Math.abs(planned[op]) - 1);
                if (planned[op] < 0) {
                    ops.add(Op.write(key, Long.toString(value(txn, op))));
                } else {
                    ops.add(Op.read(key, answers.get(read).get(taken[read])));
                    read++;
                }
            }
            txns.add(txn(txn, program.get(txn).session(), ops));
        }
        return new SmallHistory(txns, null);
    }
}
