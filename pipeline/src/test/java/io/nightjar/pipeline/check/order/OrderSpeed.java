package io.nightjar.pipeline.check.order;

import io.nightjar.datasets.generate.GeneratorOptions;
import io.nightjar.datasets.generate.KeyDistribution;
import io.nightjar.datasets.generate.StoreKind;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.check.GeneratedClients;
import io.nightjar.pipeline.infer.ClientHistory;

public final class OrderSpeed {
    public static void main(String[] args) {
        switch (args[0]) {
            case "polysi" -> polysi();
            case "one" -> one(args);
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    // one store txns sessions ops reads keys dist levels repeats
    private static void one(String[] a) {
        GeneratorOptions options = GeneratorOptions.builder()
                .store(StoreKind.valueOf(a[1]))
                .transactions(Long.parseLong(a[2]))
                .sessions(Integer.parseInt(a[3]))
                .ops(Integer.parseInt(a[4]))
                .reads(Double.parseDouble(a[5]))
                .keys(Integer.parseInt(a[6]))
                .distribution(KeyDistribution.byName(a[7]))
                .recordAborted(false)
                .build();
        ClientHistory history = GeneratedClients.of(options);
        System.gc();
        System.out.printf(
                "txns=%d reads=%d writes=%d used=%dMB%n",
                history.txnCount, history.readCount, history.writeCount, used());
        int repeats = Integer.parseInt(a[9]);
        for (String level : a[8].split(",")) {
            for (int i = 0; i < repeats; i++) {
                run(a[1], history, IsolationLevel.byName(level));
            }
        }
    }

    private static long used() {
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory() >> 20;
    }

    static double run(String name, ClientHistory history, IsolationLevel level) {
        long t0 = System.nanoTime();
        io.nightjar.pipeline.check.LevelAnswer answer =
                new OrderChecker(history, Budget.ofNanos(300_000_000_000L), false).decide(level);
        double s = (System.nanoTime() - t0) / 1e9;
        System.out.printf(
                "%-40s %-20s %-9s %.3fs states=%d %s %s%n",
                name,
                level.shortName(),
                answer.verdict(),
                s,
                answer.searchStates(),
                answer.reason() == null ? "" : answer.reason(),
                answer.contradictions());
        return s;
    }

    private static void polysi() {
        for (int round = 0; round < 2; round++) {
            for (StoreKind store : StoreKind.values()) {
                for (int txns : new int[] {2000, 5000}) {
                    for (int keys : new int[] {1000, 10000}) {
                        for (KeyDistribution d : KeyDistribution.values()) {
                            for (double reads : new double[] {0, 0.05, 0.2, 0.5, 0.9}) {
                                ClientHistory history = GeneratedClients.of(GeneratorOptions.builder()
                                        .store(store)
                                        .transactions(txns)
                                        .sessions(20)
                                        .ops(15)
                                        .reads(reads)
                                        .keys(keys)
                                        .distribution(d)
                                        .recordAborted(false)
                                        .build());
                                for (IsolationLevel level : new IsolationLevel[] {
                                    IsolationLevel.SNAPSHOT_ISOLATION, IsolationLevel.SERIALIZABLE
                                }) {
                                    String name = store + "-" + txns + "-" + keys + "-" + d + "-" + reads;
                                    if (round == 0) {
                                        if (store == StoreKind.SI)
                                            new OrderChecker(history, Budget.ofNanos(3_000_000_000L), false)
                                                    .decide(level);
                                    } else run(name, history, level);
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
