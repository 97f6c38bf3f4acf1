package io.nightjar.datasets.workload;

import io.nightjar.datasets.random.SeededRandom;
import java.util.List;

/** Carts into which items are inserted, changed and removed. */
final class ShoppingCart extends Application {

    private static final int MAX_ITEMS = 5;

    private final int items;
    private final int carts;
    private final int quantity;

    ShoppingCart(Workloads.Scale scale) {
        super(scale);
        this.items = Math.min(MAX_ITEMS, scale.keys());
        this.carts = Math.max(1, scale.keys() / items);
        this.quantity = keys.table("item", "quantity", carts * items, 1);
    }

    @Override
    public Program next(int session, SeededRandom random) {
        int cart = quantity + scale.sample(random, carts) * items;
        int item = cart + random.below(items);
        boolean reads = random.fraction() < scale.reads();
        int kind = random.below(3);
        int pieces = 1 + random.below(5);
        return reads
                ? Workloads.readAll(cart, items)
                : new Program((txn, step) -> {
                    if (step == 0) {
                        txn.read(item);
                    } else if (step == 1 && kind == 0) {
                        txn.write(item, txn.answer(0) + pieces).tally(item, txn.answer(0) == 0 ? 1 : 0);
                    } else if (step == 1 && kind == 1 && txn.answer(0) > 0) {
                        txn.write(item, pieces);
                    } else if (step == 1 && kind == 2 && txn.answer(0) > 0) {
                        txn.write(item, 0).tally(item, -1);
                    }
                });
    }

    @Override
    public List<Assertion> assertions() {
        return List.of(Assertion.ofEach(
                "item-reappears",
                "a removed item is absent until it is added again",
                carts * items,
                (state, item) -> state.amount(quantity + item) == 0 || 1 + state.tally(quantity + item) > 0));
    }
}
