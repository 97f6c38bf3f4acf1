package io.nightjar.pipeline.check.order;

import io.nightjar.datasets.generate.GeneratorOptions;
import io.nightjar.datasets.generate.KeyDistribution;
import io.nightjar.datasets.generate.StoreKind;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.check.GeneratedClients;
import io.nightjar.pipeline.check.LevelAnswer;
import io.nightjar.pipeline.infer.ClientHistory;
import java.lang.management.ManagementFactory;
import java.util.Arrays;

/**
 * How long the levels take on generated histories, by CPU time of the thread and without the orders that the source
 * suggests. Not a test: run by hand as {@code OrderSpeed polysi|hard|grid} or {@code OrderSpeed one STORE TRANSACTIONS
 * SESSIONS OPS READS KEYS DISTRIBUTION LEVELS REPEATS}.
 */
final class OrderSpeed {

    private static final int WARM_UP_ROUNDS = 3;
    private static final long BUDGET_NANOS = 300_000_000_000L;

    private OrderSpeed() {}

    public static void main(String[] args) {
        switch (args[0]) {
            case "polysi" -> polysi();
            case "hard" -> hard();
            case "grid" -> grid();
            case "one" -> one(Arrays.copyOfRange(args, 1, args.length));
            default -> throw new IllegalArgumentException("no such plan: plan=" + args[0]);
        }
    }

    private static void one(String[] args) {
        ClientHistory history = generate(
                StoreKind.valueOf(args[0]),
                Integer.parseInt(args[1]),
                Integer.parseInt(args[2]),
                Integer.parseInt(args[3]),
                Double.parseDouble(args[4]),
                Integer.parseInt(args[5]),
                KeyDistribution.byName(args[6]));
        for (String level : args[7].split(",")) {
            for (int repeat = 0; repeat < Integer.parseInt(args[8]); repeat++) {
                decide(String.join(" ", args), history, IsolationLevel.byName(level), true);
            }
        }
    }

    private static void polysi() {
        for (int round = 0; round < WARM_UP_ROUNDS; round++) {
            for (StoreKind store : StoreKind.values()) {
                for (int transactions : new int[] {2_000, 5_000}) {
                    for (int keys : new int[] {1_000, 10_000}) {
                        for (KeyDistribution distribution : KeyDistribution.values()) {
                            for (double reads : new double[] {0, 0.05, 0.2, 0.5, 0.9, 1}) {
                                ClientHistory history =
                                        generate(store, transactions, 20, 15, reads, keys, distribution);
                                String name = store + " " + transactions + " keys=" + keys + " " + distribution
                                        + " reads=" + reads;
                                decideAll(name, history, round == WARM_UP_ROUNDS - 1);
                            }
                        }
                    }
                }
            }
        }
    }

    private static void hard() {
        int[][] shapes = {{15, 1500, 900, 20}, {10, 1000, 60, 5}};
        for (int round = 0; round < WARM_UP_ROUNDS; round++) {
            for (int store = 0; store < 2; store++) {
                for (int[] shape : shapes) {
                    for (int ops : new int[] {4, 8, 20}) {
                        for (long seed = 1; seed <= 5; seed++) {
                            ClientHistory history = RandomClients.of(
                                    seed, shape[0], shape[1], shape[2], ops, shape[3] / 100.0, store, 0);
                            String name = (store == 0 ? "SER " : "SI ") + Arrays.toString(shape) + " ops=" + ops
                                    + " seed=" + seed;
                            decideAll(name, history, round == WARM_UP_ROUNDS - 1);
                        }
                    }
                }
            }
        }
    }

    private static void grid() {
        for (int round = 0; round < 5 * WARM_UP_ROUNDS; round++) {
            for (StoreKind store : StoreKind.values()) {
                for (int sessions : new int[] {3, 6, 9, 12, 15}) {
                    for (int each : new int[] {30, 60}) {
                        ClientHistory history = generate(
                                store, each * sessions, sessions, 20, 0.5, 60 * sessions, KeyDistribution.UNIFORM);
                        String name = store + " " + sessions + "x" + each;
                        decideAll(name, history, round == 5 * WARM_UP_ROUNDS - 1);
                    }
                }
            }
        }
    }

    private static ClientHistory generate(
            StoreKind store,
            int transactions,
            int sessions,
            int ops,
            double reads,
            int keys,
            KeyDistribution distribution) {
        return GeneratedClients.of(GeneratorOptions.builder()
                .store(store)
                .transactions(transactions)
                .sessions(sessions)
                .ops(ops)
                .reads(reads)
                .keys(keys)
                .distribution(distribution)
                .recordAborted(false)
                .build());
    }

    private static void decideAll(String name, ClientHistory history, boolean isReported) {
        for (IsolationLevel level : OrderAgreementTest.LEVELS) {
            decide(name, history, level, isReported);
        }
    }

    private static void decide(String name, ClientHistory history, IsolationLevel level, boolean isReported) {
        long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        LevelAnswer answer = new OrderChecker(history, Budget.ofNanos(BUDGET_NANOS), false).decide(level);
        double seconds = (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start) / 1e9;
        if (isReported) {
            System.out.printf(
                    "%8.4f s  %-4s %-9s guesses=%-7d %s%s%n",
                    seconds,
                    level.shortName(),
                    answer.verdict(),
                    answer.searchStates(),
                    name,
                    answer.reason() == null ? "" : "  " + answer.reason());
        }
    }
}
