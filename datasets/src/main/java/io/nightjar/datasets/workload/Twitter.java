package io.nightjar.datasets.workload;

import io.nightjar.datasets.random.SeededRandom;
import java.util.List;

/** Tweets, follows and timelines. */
final class Twitter extends Application {

    private static final int KEPT = 8;
    private static final int SHOWN = 3;

    private final int users;
    private final int tweetsOf;
    private final int tweet;
    private final int follows;

    Twitter(Workloads.Scale scale) {
        super(scale);
        this.users = Math.max(1, Math.min(scale.keys(), 1_000));
        this.tweetsOf = keys.table("user", "tweets", users, 0);
        this.tweet = keys.table("tweet", "id", users * KEPT, 0);
        this.follows = keys.table("follows", "whom", users * KEPT, -1);
    }

    @Override
    public Program next(int session, SeededRandom random) {
        int user = scale.sample(random, users);
        int slot = user * KEPT + random.below(KEPT);
        int other = random.below(users);
        boolean reads = random.fraction() < scale.reads();
        boolean tweets = random.below(5) < 4;
        return new Program((txn, step) -> {
            if (reads) {
                timeline(txn, step, follows + slot);
            } else if (tweets) {
                tweet(txn, step, user);
            } else if (step == 0) {
                txn.write(follows + slot, other);
            }
        });
    }

    private void tweet(Program txn, int step, int user) {
        if (step == 0) {
            txn.read(tweetsOf + user);
        } else if (step == 1) {
            long number = txn.answer(0) + 1;
            txn.write(tweet + user * KEPT + (int) (number % KEPT), number).write(tweetsOf + user, number);
            txn.tally(user, 1);
        }
    }

    private void timeline(Program txn, int step, int followed) {
        if (step == 0) {
            txn.onlyReads().read(followed);
        } else if (step == 1 && txn.answer(0) >= 0) {
            txn.read(tweetsOf + (int) txn.answer(0));
        } else if (step == 2 && txn.answer(1) > 0) {
            int first = tweet + (int) txn.answer(0) * KEPT;
            for (long number = txn.answer(1); number > 0 && number > txn.answer(1) - SHOWN; number--) {
                txn.read(first + (int) (number % KEPT));
            }
        }
    }

    @Override
    public List<Assertion> assertions() {
        return List.of(Assertion.ofEach(
                "tweets-missing",
                "no tweet is missing",
                users,
                (state, user) -> state.amount(tweetsOf + user) == state.tally(user)));
    }
}
