package io.nightjar.datasets.workload;

import io.nightjar.datasets.random.SeededRandom;
import java.util.List;

/** Votes for contestants, a few for each caller. */
final class Voter extends Application {

    private static final int CONTESTANTS = 6;
    private static final int MAX_VOTES = 2;

    private final int callers;
    private final int votesOf;
    private final int usedBy;

    Voter(Workloads.Scale scale) {
        super(scale);
        this.callers = Math.max(1, scale.keys());
        this.votesOf = keys.table("contestant", "votes", CONTESTANTS, 0);
        this.usedBy = keys.table("caller", "used", callers, 0);
    }

    @Override
    public Program next(int session, SeededRandom random) {
        int contestant = votesOf + random.below(CONTESTANTS);
        int number = scale.sample(random, callers);
        int caller = usedBy + number;
        return new Program((txn, step) -> {
            if (step == 0) {
                txn.read(caller);
            } else if (step == 1 && txn.answer(0) >= MAX_VOTES) {
                txn.rollBack();
            } else if (step == 1) {
                txn.readForUpdate(caller).readForUpdate(contestant);
            } else if (step == 2) {
                txn.write(caller, txn.answer(1) + 1)
                        .write(contestant, txn.answer(2) + 1)
                        .tally(number, 1);
            }
        });
    }

    @Override
    public List<Assertion> assertions() {
        return List.of(new Assertion(
                "A14",
                "no contestant has more votes than the limit",
                state -> state.allTallies(votes -> votes <= MAX_VOTES)));
    }
}
