package io.nightjar.datasets.workload;

import io.nightjar.datasets.random.SeededRandom;
import java.util.List;

/** SmallBank's six transactions on checking and savings accounts. */
final class SmallBank extends Application {

    private static final int START = 100;
    private static final int PAID_IN = 0;

    private final int customers;
    private final int checking;
    private final int savings;

    SmallBank(Workloads.Scale scale) {
        super(scale);
        this.customers = Math.max(2, scale.keys() / 2);
        this.checking = keys.table("checking", "balance", customers, START);
        this.savings = keys.table("savings", "balance", customers, START);
    }

    @Override
    public Program next(int session, SeededRandom random) {
        int kind = random.below(6);
        int one = scale.sample(random, customers);
        int other = checking + (one + 1 + random.below(customers - 1)) % customers;
        int amount = 1 + random.below(50);
        int current = checking + one;
        int saved = savings + one;
        return new Program((txn, step) -> {
            switch (kind) {
                case 0 -> balance(txn, step, current, saved);
                case 1 -> payIn(txn, step, current, amount);
                case 2 -> payIn(txn, step, saved, amount % 2 == 0 ? amount : -amount);
                case 3 -> amalgamate(txn, step, current, saved, other);
                case 4 -> writeCheck(txn, step, current, saved, amount);
                default -> sendPayment(txn, step, current, other, amount);
            }
        });
    }

    private static void balance(Program txn, int step, int current, int saved) {
        if (step == 0) {
            txn.onlyReads().read(saved).read(current);
        }
    }

    private static void payIn(Program txn, int step, int account, int amount) {
        if (step == 0) {
            txn.readForUpdate(account);
        } else if (step == 1 && txn.answer(0) + amount < 0) {
            txn.rollBack();
        } else if (step == 1) {
            txn.write(account, txn.answer(0) + amount).tally(PAID_IN, amount);
        }
    }

    private static void amalgamate(Program txn, int step, int current, int saved, int other) {
        if (step == 0) {
            txn.readForUpdate(saved).readForUpdate(current).readForUpdate(other);
        } else if (step == 1) {
            txn.write(saved, 0).write(current, 0);
            txn.write(other, txn.answer(0) + txn.answer(1) + txn.answer(2));
        }
    }

    private static void writeCheck(Program txn, int step, int current, int saved, int amount) {
        if (step == 0) {
            txn.read(saved).read(current).readForUpdate(current);
        } else if (step == 1) {
            int taken = txn.answer(0) + txn.answer(1) >= amount ? amount : amount + 1;
            txn.write(current, txn.answer(2) - taken).tally(PAID_IN, -taken);
        }
    }

    private static void sendPayment(Program txn, int step, int current, int other, int amount) {
        if (step == 0) {
            txn.read(current);
        } else if (step == 1 && txn.answer(0) < amount) {
            txn.rollBack();
        } else if (step == 1) {
            txn.readForUpdate(current).readForUpdate(other);
        } else if (step == 2) {
            txn.write(current, txn.answer(1) - amount).write(other, txn.answer(2) + amount);
        }
    }

    @Override
    public List<Assertion> assertions() {
        return List.of(new Assertion(
                "A13",
                "the total of all accounts is the initial total plus deposits less withdrawals",
                state -> state.sum(checking, customers) + state.sum(savings, customers)
                        == 2L * START * customers + state.tally(PAID_IN)));
    }
}
