package io.nightjar.datasets.random;

import io.nightjar.datasets.random.SmallHistory.Op;
import io.nightjar.datasets.random.SmallHistory.Txn;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Makes a failing history smaller: drops transactions, then operations, then keys, while it still fails. */
public final class Shrinker {

    private Shrinker() {}

    /**
     * A history from which nothing more can be dropped.
     *
     * @param stillFails true for {@code failing}; never called with an empty history
     */
    public static SmallHistory shrink(SmallHistory failing, Predicate<SmallHistory> stillFails) {
        SmallHistory smallest = failing;
        SmallHistory before;
        do {
            before = smallest;
            smallest = dropTxns(smallest, stillFails);
            smallest = dropOps(smallest, stillFails);
            smallest = dropKeys(smallest, stillFails);
        } while (smallest != before);
        return smallest;
    }

    private static SmallHistory dropTxns(SmallHistory history, Predicate<SmallHistory> stillFails) {
        SmallHistory smallest = history;
        for (int txn = history.txns().size() - 1; txn >= 0; txn--) {
            List<Txn> fewer = new ArrayList<>(smallest.txns());
            fewer.remove(txn);
            smallest = smaller(smallest, fewer, stillFails);
        }
        return smallest;
    }

    private static SmallHistory dropOps(SmallHistory history, Predicate<SmallHistory> stillFails) {
        SmallHistory smallest = history;
        for (int txn = 0; txn < history.txns().size(); txn++) {
            for (int op = history.txns().get(txn).ops().size() - 1; op >= 0; op--) {
                List<Op> fewerOps = new ArrayList<>(smallest.txns().get(txn).ops());
                fewerOps.remove(op);
                List<Txn> same = new ArrayList<>(smallest.txns());
                same.set(txn, same.get(txn).withOps(fewerOps));
                smallest = smaller(smallest, same, stillFails);
            }
        }
        return smallest;
    }

    private static SmallHistory dropKeys(SmallHistory history, Predicate<SmallHistory> stillFails) {
        SmallHistory smallest = history;
        for (String key : history.keys()) {
            List<Txn> without = new ArrayList<>();
            for (Txn txn : smallest.txns()) {
                without.add(txn.withOps(
                        txn.ops().stream().filter(op -> !op.key().equals(key)).toList()));
            }
            smallest = smaller(smallest, without, stillFails);
        }
        return smallest;
    }

    private static SmallHistory smaller(SmallHistory from, List<Txn> txns, Predicate<SmallHistory> stillFails) {
        if (txns.isEmpty() || txns.equals(from.txns())) {
            return from;
        }
        SmallHistory candidate = from.withTxns(txns);
        return stillFails.test(candidate) ? candidate : from;
    }
}
