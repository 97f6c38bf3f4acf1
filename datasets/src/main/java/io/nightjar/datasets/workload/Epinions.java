package io.nightjar.datasets.workload;

import io.nightjar.datasets.random.SeededRandom;
import java.util.List;

/** Reviews of items, whose ratings are changed, with the sum and number of an item's ratings stored in the item. */
final class Epinions extends Application {

    private static final int REVIEWS = 16;
    private static final int BEST = 5;

    private final int items;
    private final int number;
    private final int sum;
    private final int rating;

    Epinions(Workloads.Scale scale) {
        super(scale);
        this.items = Math.max(1, scale.keys() / 8);
        this.number = keys.table("item_reviews", "number", items, 0);
        this.sum = keys.table("item_ratings", "total", items, 0);
        this.rating = keys.table("review", "rating", items * REVIEWS, 0);
    }

    @Override
    public Program next(int session, SeededRandom random) {
        int item = scale.sample(random, items);
        int review = rating + item * REVIEWS + random.below(REVIEWS / 4);
        int stars = 1 + random.below(BEST);
        boolean reads = random.fraction() < scale.reads();
        return new Program((txn, step) -> {
            if (reads && step == 0) {
                txn.onlyReads().read(number + item).read(sum + item);
            } else if (!reads && step == 0) {
                txn.read(review).readForUpdate(sum + item);
            } else if (!reads && step == 1) {
                txn.write(review, stars).write(sum + item, txn.answer(1) + stars - txn.answer(0));
                if (txn.answer(0) == 0) {
                    txn.readForUpdate(number + item);
                }
            } else if (!reads && step == 2 && txn.answerCount() == 3) {
                txn.write(number + item, txn.answer(2) + 1);
            }
        });
    }

    @Override
    public List<Assertion> assertions() {
        return List.of(
                Assertion.ofEach(
                        "ratings",
                        "an item's total is the sum of its reviews' ratings",
                        items,
                        (state, item) -> state.amount(sum + item) == state.sum(rating + item * REVIEWS, REVIEWS)),
                Assertion.ofEach(
                        "reviews",
                        "an item's reviews are counted",
                        items,
                        (state, item) -> state.amount(number + item)
                                == state.count(rating + item * REVIEWS, REVIEWS, stars -> stars > 0)));
    }
}
