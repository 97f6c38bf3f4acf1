package io.nightjar.datasets.workload;

import static java.util.Objects.requireNonNull;

import io.nightjar.datasets.random.SeededRandom;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** The workloads that are applications, by name. */
public enum Workloads {
    /** Operations on keys drawn one by one. */
    REGISTER {
        @Override
        public ClientWorkload of(Scale scale) {
            return numbers(scale, random -> random.fraction() < scale.reads());
        }
    },
    /** Reads and writes like {@link #REGISTER}, on a few keys. */
    HOT_KEYS {
        @Override
        public ClientWorkload of(Scale scale) {
            return numbers(
                    scale.withKeys(Math.max(2, scale.keys() / 100)), random -> random.fraction() < scale.reads());
        }
    },
    /** Transactions that only write, and transactions that only read. */
    BLIND_WRITES {
        @Override
        public ClientWorkload of(Scale scale) {
            WorkloadKeys keys = WorkloadKeys.numbers(scale.keys());
            return workload(keys, (session, random) -> {
                boolean reads = random.fraction() < scale.reads();
                return plain(scale, random, each -> reads);
            });
        }
    },
    /** Transfers between accounts, and audits that add all of them up: the sum does not change. */
    BANK {
        @Override
        public ClientWorkload of(Scale scale) {
            int accounts = Math.max(2, Math.min(scale.keys(), 50));
            WorkloadKeys keys = WorkloadKeys.tables();
            keys.table("account", "balance", accounts, 100);
            return workload(keys, (session, random) -> {
                if (random.below(10) == 0) {
                    return readAll(0, accounts);
                }
                int from = random.below(accounts);
                int to = (from + 1 + random.below(accounts - 1)) % accounts;
                int amount = 1 + random.below(20);
                return new Program((txn, step) -> {
                    if (step == 0) {
                        txn.read(from).read(to);
                    } else if (step == 1 && txn.answer(0) < amount) {
                        txn.rollBack();
                    } else if (step == 1) {
                        txn.write(from, txn.answer(0) - amount).write(to, txn.answer(1) + amount);
                    }
                });
            });
        }
    },
    /** Withdrawals from one of two accounts, allowed if both together have enough: no pair falls below zero. */
    WRITE_SKEW {
        @Override
        public ClientWorkload of(Scale scale) {
            int pairs = Math.max(1, scale.keys() / 2);
            WorkloadKeys keys = WorkloadKeys.tables();
            keys.table("account", "balance", 2 * pairs, 100);
            return workload(keys, (session, random) -> {
                int pair = scale.sample(random, pairs);
                int side = random.below(2);
                boolean pays = random.below(3) == 0;
                int amount = 20 + random.below(100);
                return new Program((txn, step) -> {
                    if (step == 0) {
                        txn.read(2 * pair).read(2 * pair + 1);
                    } else if (step == 1 && pays) {
                        txn.write(2 * pair + side, txn.answer(side) + amount);
                    } else if (step == 1 && txn.answer(0) + txn.answer(1) >= amount) {
                        txn.write(2 * pair + side, txn.answer(side) - amount);
                    }
                });
            });
        }
    },
    /** Rows in groups of at most three: a client that counts fewer by a predicate adds a row, else it removes one. */
    PREDICATE {
        @Override
        public ClientWorkload of(Scale scale) {
            int rows = Math.max(8, Math.min(scale.keys(), 64));
            int groups = Math.max(1, rows / 8);
            int maxClients = 3;
            WorkloadKeys keys = WorkloadKeys.tables();
            keys.table("place", "amount", rows, -1);
            return workload(keys, (session, random) -> {
                int group = random.below(groups);
                int row = scale.sample(random, rows);
                int kind = random.below(4);
                return new Program((txn, step) -> {
                    if (step == 0 && kind == 0) {
                        txn.select(0, rows, group, group + 1).onlyReads();
                    } else if (step == 0) {
                        txn.select(0, rows, group, group);
                    } else if (step == 1 && kind > 0) {
                        txn.write(row, txn.answer(0) < maxClients ? group : -1);
                    }
                });
            });
        }
    },
    /**
     * Half of the operations select the rows whose amount is in a range, which has two of them; others read and write
     * rows. Where values repeat, a quarter of the selections have a limit.
     */
    RANGES {
        private static final int AMOUNTS_PER_ROW = 5;
        private static final int WIDTH = 10;
        private static final int VALUES_PER_RANGE = 50;
        private static final int MAX_LIMIT = 5;

        @Override
        public ClientWorkload of(Scale scale) {
            int amounts = scale.values() > 0 ? scale.values() : AMOUNTS_PER_ROW * scale.keys();
            int width = scale.values() > 0 ? Math.max(1, amounts / VALUES_PER_RANGE) : WIDTH;
            WorkloadKeys keys = WorkloadKeys.tables();
            keys.table("item", "amount", scale.keys(), -1);
            return workload(
                    keys,
                    (session, random) -> new Program((txn, step) -> {
                        for (int op = 0; step == 0 && op < scale.ops(); op++) {
                            int amount = random.below(amounts);
                            if (random.below(2) == 0) {
                                txn.select(0, scale.keys(), amount, amount + width - 1);
                                if (scale.values() > 0 && random.below(4) == 0) {
                                    txn.first(1 + random.below(MAX_LIMIT));
                                }
                            } else if (random.fraction() < scale.reads()) {
                                txn.read(scale.sample(random, scale.keys()));
                            } else {
                                txn.write(scale.sample(random, scale.keys()), amount);
                            }
                        }
                        if (step == 0) {
                            txn.isAllPlanned();
                        }
                    }));
        }
    },
    /** Rows are inserted or changed, deleted, read, and selected by their amount, which is a day of the week. */
    DELETES {
        private static final int AMOUNTS = 7;

        @Override
        public ClientWorkload of(Scale scale) {
            int rows = Math.max(2, Math.min(scale.keys(), 100));
            WorkloadKeys keys = WorkloadKeys.rowsThatComeAndGo();
            keys.table("guest", "day", rows, WorkloadKeys.ABSENT);
            return workload(
                    keys,
                    (session, random) -> new Program((txn, step) -> {
                        for (int op = 0; step == 0 && op < scale.ops(); op++) {
                            int row = scale.sample(random, rows);
                            int day = random.below(AMOUNTS);
                            boolean isOther = random.below(2) == 0;
                            boolean reads = random.fraction() < scale.reads();
                            if (reads && isOther) {
                                txn.read(row);
                            } else if (reads) {
                                txn.select(0, rows, day, day + 1);
                            } else if (isOther) {
                                txn.delete(row);
                            } else {
                                txn.write(row, day);
                            }
                        }
                        if (step == 0) {
                            txn.isAllPlanned();
                        }
                    }));
        }
    },
    /** SmallBank's six transactions on checking and savings accounts. */
    SMALLBANK(SmallBank::new),
    /** TPC-C's five transactions on a warehouse for every hundred keys, with rings of the latest orders. */
    TPCC(OrderEntry::new),
    /** Votes for contestants, a few for each caller. */
    VOTER(Voter::new),
    /** Tweets, follows and timelines. */
    TWITTER(Twitter::new),
    /** Courses with a number of seats, and students who enroll. */
    COURSEWARE(Courseware::new),
    /** Carts into which items are inserted, changed and removed. */
    SHOPPING_CART(ShoppingCart::new),
    /** Stacks onto which elements are pushed, and from which they are popped. */
    STACK(StackWorkload::new),
    /** Pages, their revisions, and the users that watch them. */
    WIKIPEDIA(Wikipedia::new),
    /** Reviews of items and their sums. */
    EPINIONS(Epinions::new);

    private final @Nullable Function<Scale, ClientWorkload> maker;

    /** Creates a workload that makes itself. */
    Workloads() {
        this(null);
    }

    Workloads(@Nullable Function<Scale, ClientWorkload> maker) {
        this.maker = maker;
    }

    /**
     * The size of a workload.
     *
     * @param ops operations of a transaction, if the workload does not fix it
     * @param reads the share of reads, if the workload does not fix it
     * @param values distinct values of writes; 0 if each write has another value
     * @param sampler draws a number below the number of keys
     */
    public record Scale(int keys, int ops, double reads, int values, ToIntFunction<SeededRandom> sampler) {

        /** Creates the size of a workload whose values do not repeat. */
        public Scale(int keys, int ops, double reads, ToIntFunction<SeededRandom> sampler) {
            this(keys, ops, reads, 0, sampler);
        }

        Scale withKeys(int fewer) {
            return new Scale(fewer, ops, reads, values, sampler);
        }

        /** Returns a number below a bound, distributed as keys are. */
        int sample(SeededRandom random, int below) {
            return sampler.applyAsInt(random) % below;
        }
    }

    /** Returns the word on the command line. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the workload in a size. */
    public ClientWorkload of(Scale scale) {
        return requireNonNull(maker).apply(scale);
    }

    /** Returns the workload with this word, null if none has it. */
    public static @Nullable Workloads byName(String word) {
        return Arrays.stream(values())
                .filter(one -> one.word().equals(word))
                .findFirst()
                .orElse(null);
    }

    /** Returns operations on lists drawn one by one; a full list retires, and a new one replaces it. */
    public static ClientWorkload lists(Scale scale, int appendsPerKey) {
        return new ListWorkload(scale, appendsPerKey);
    }

    // ---------------------------------------------------------------- programs

    @FunctionalInterface
    private interface Drawing {
        Program next(int session, SeededRandom random);
    }

    private static ClientWorkload workload(WorkloadKeys keys, Drawing drawing) {
        return new ClientWorkload() {
            @Override
            public WorkloadKeys keys() {
                return keys;
            }

            @Override
            public Program next(int session, SeededRandom random) {
                return drawing.next(session, random);
            }
        };
    }

    private static ClientWorkload numbers(Scale scale, Predicate<SeededRandom> reads) {
        return workload(WorkloadKeys.numbers(scale.keys()), (session, random) -> plain(scale, random, reads));
    }

    private static Program plain(Scale scale, SeededRandom random, Predicate<SeededRandom> reads) {
        return new Program((txn, step) -> {
            if (step == 0) {
                for (int op = 0; op < scale.ops(); op++) {
                    int key = scale.sample(random, scale.keys());
                    if (reads.test(random)) {
                        txn.read(key);
                    } else {
                        txn.write(key, 0);
                    }
                }
                txn.isAllPlanned();
            }
        });
    }

    static Program readAll(int first, int count) {
        return new Program((txn, step) -> {
            for (int key = first; step == 0 && key < first + count; key++) {
                txn.onlyReads().read(key);
            }
        });
    }
}
