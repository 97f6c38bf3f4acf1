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
            case "hard" -> hard();
            case "cases" -> cases(args);
            case "grid" -> grid();
            case "skew" -> skew();
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

    private static long cpu() {
        return java.lang.management.ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static long used() {
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory() >> 20;
    }

    static double run(String name, ClientHistory history, IsolationLevel level) {
        long t0 = cpu();
        io.nightjar.pipeline.check.LevelAnswer answer =
                new OrderChecker(history, Budget.ofNanos(300_000_000_000L), false).decide(level);
        double s = (cpu() - t0) / 1e9;
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

    private static void hard() {
        for (int round = 0; round < 3; round++) {
            for (int store = 0; store < 2; store++) {
                for (long seed = 1; seed <= 5; seed++) {
                    for (int[] f : new int[][] {
                        {15, 1500, 900, 8, 20},
                        {10, 1000, 60, 8, 5},
                        {15, 1500, 900, 20, 20},
                        {10, 1000, 60, 20, 5},
                        {10, 1000, 60, 4, 5},
                        {10, 1000, 60, 4, 10}
                    }) {
                        ClientHistory history = RandomClients.of(seed, f[0], f[1], f[2], f[3], f[4] / 100.0, store, 0);
                        for (IsolationLevel level : new IsolationLevel[] {
                            IsolationLevel.PREFIX, IsolationLevel.SNAPSHOT_ISOLATION, IsolationLevel.SERIALIZABLE
                        }) {
                            run("store" + store + "-" + java.util.Arrays.toString(f) + "-" + seed, history, level);
                        }
                    }
                }
            }
        }
    }

    private static void grid() {
        for (int round = 0; round < 20; round++) {
            for (StoreKind store : StoreKind.values()) {
                for (int sessions : new int[] {3, 6, 9, 12, 15}) {
                    for (int txns : new int[] {30, 60}) {
                        for (double reads : new double[] {0.1, 0.5}) {
                            for (int keys : new int[] {sessions * 2, 1000}) {
                                ClientHistory history = GeneratedClients.of(GeneratorOptions.builder()
                                        .store(store)
                                        .transactions(txns * sessions)
                                        .sessions(sessions)
                                        .ops(20)
                                        .reads(reads)
                                        .keys(keys)
                                        .recordAborted(false)
                                        .build());
                                for (IsolationLevel level : new IsolationLevel[] {
                                    IsolationLevel.PREFIX,
                                    IsolationLevel.SNAPSHOT_ISOLATION,
                                    IsolationLevel.SERIALIZABLE
                                }) {
                                    run(
                                            "round" + round + "-" + store + "-" + sessions + "-" + txns + "-" + reads
                                                    + "-" + keys,
                                            history,
                                            level);
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    /** Like the published histories of a store with one write skew: read-modify-writes of few keys, serial but for the end. */
    private static void skew() {
        for (int round = 0; round < 3; round++) {
            for (double reads : new double[] {0.3, 0.5, 0.7}) {
                io.nightjar.datasets.random.SeededRandom random =
                        new io.nightjar.datasets.random.SeededRandom(7 + round);
                int sessions = 15;
                int perSession = 2000;
                int[] pos = new int[sessions];
                int n = sessions * perSession;
                int[] last = new int[90];
                java.util.Arrays.fill(last, -1);
                int[][] before = null;
                int[][][] ops = new int[sessions][perSession][];
                int placed = 0;
                int skewAt = n / 2;
                while (placed < n) {
                    int session = random.below(sessions);
                    if (pos[session] == perSession) {
                        continue;
                    }
                    int count = 1 + random.below(4);
                    int[] o = new int[2 * count];
                    boolean[] own = new boolean[90];
                    int at = session * perSession + pos[session];
                    int used = 0;
                    for (int i = 0; i < count; i++) {
                        int key = random.below(90);
                        if (own[key]) {
                            continue;
                        }
                        if (random.fraction() < reads) {
                            o[used++] = key;
                            o[used++] = last[key];
                        } else {
                            own[key] = true;
                            o[used++] = ~key;
                            o[used++] = 0;
                        }
                    }
                    for (int i = 0; i < used; i += 2) {
                        if (o[i] < 0) {
                            last[~o[i]] = at;
                        }
                    }
                    ops[session][pos[session]++] = java.util.Arrays.copyOf(o, used);
                    placed++;
                    if (placed == skewAt) {
                        // two transactions of two sessions: r(a) r(b) w(a) beside r(a) r(b) w(b)
                        int s1 = random.below(7);
                        int s2 = 8 + random.below(7);
                        int a = last[3];
                        int b = last[4];
                        ops[s1][pos[s1]++] = new int[] {3, a, 4, b, ~3, 0};
                        ops[s2][pos[s2]++] = new int[] {3, a, 4, b, ~4, 0};
                        last[3] = s1 * perSession + pos[s1] - 1;
                        last[4] = s2 * perSession + pos[s2] - 1;
                        placed += 2;
                    }
                }
                ClientHistory.Builder builder = new ClientHistory.Builder();
                for (int session = 0; session < sessions; session++) {
                    builder.beginSession();
                    for (int[] o : ops[session]) {
                        builder.beginTxn(0);
                        for (int i = 0; i < o.length; i += 2) {
                            if (o[i] < 0) {
                                builder.write(~o[i]);
                            } else {
                                builder.read(o[i], o[i + 1]);
                            }
                        }
                    }
                }
                ClientHistory history = builder.build();
                for (IsolationLevel level : new IsolationLevel[] {
                    IsolationLevel.PREFIX, IsolationLevel.SNAPSHOT_ISOLATION, IsolationLevel.SERIALIZABLE
                }) {
                    run("skew-" + reads, history, level);
                }
            }
        }
    }

    private static void cases(String[] a) {
        try (java.util.stream.Stream<java.nio.file.Path> files =
                java.nio.file.Files.walk(java.nio.file.Path.of(a[1]))) {
            java.util.List<java.nio.file.Path> all =
                    files.filter(f -> f.toString().endsWith("bincode")).toList();
            java.util.List<ClientHistory> hs = new java.util.ArrayList<>();
            for (java.nio.file.Path f : all) {
                hs.add(PublishedHistoriesTest.read(f, "dbcop").history());
            }
            for (int round = 0; round < 10; round++) {
                for (int i = 0; i < hs.size(); i++) {
                    ClientHistory h = hs.get(i);
                    for (IsolationLevel level : new IsolationLevel[] {
                        IsolationLevel.PREFIX, IsolationLevel.SNAPSHOT_ISOLATION, IsolationLevel.SERIALIZABLE
                    }) {
                        run(
                                "round" + round + "-" + h.txnCount + "x" + h.sessionCount + "-r" + h.readCount + "-w"
                                        + h.writeCount + "-k" + h.keyCount
                                        + all.get(i).getFileName(),
                                h,
                                level);
                    }
                }
            }
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
