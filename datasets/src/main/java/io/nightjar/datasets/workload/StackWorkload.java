package io.nightjar.datasets.workload;

import io.nightjar.datasets.random.SeededRandom;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Stacks onto which elements are pushed, and from which they are popped. */
final class StackWorkload extends Application {

    private static final int CELLS = 16;
    private static final int FILLED = 3;

    private final int stacks;
    private final int top;
    private final int cell;
    private final AtomicInteger pushed = new AtomicInteger();

    StackWorkload(Workloads.Scale scale) {
        super(scale);
        this.stacks = Math.max(1, scale.keys() / CELLS);
        this.top = keys.table("stack", "height", stacks, FILLED);
        this.cell = keys.table("cell", "element", stacks * CELLS, 0);
    }

    @Override
    public Program next(int session, SeededRandom random) {
        int stack = scale.sample(random, stacks);
        boolean reads = random.fraction() < scale.reads();
        boolean pops = random.below(2) == 0;
        int element = pushed.incrementAndGet();
        int first = cell + stack * CELLS;
        return new Program((txn, step) -> {
            if (step == 0) {
                txn.read(top + stack);
                if (reads) {
                    txn.onlyReads();
                }
                return;
            }
            long height = txn.answer(0);
            if (!reads && !pops && step == 1 && height < CELLS) {
                txn.write(first + (int) height, element).write(top + stack, height + 1);
            } else if ((reads || pops) && height > 0 && step == 1) {
                txn.read(first + (int) height - 1);
            } else if (!reads && pops && height > 0 && step == 2) {
                txn.write(top + stack, height - 1).tally(popped(first + (int) height - 1, txn.answer(1)), 1);
            }
        });
    }

    /** Returns a popped element; initial elements are identified by their cells. */
    private static int popped(int fromCell, long element) {
        return element == 0 ? -1 - fromCell : (int) element;
    }

    @Override
    public List<Assertion> assertions() {
        return List.of(new Assertion(
                "popped-twice", "no element is popped twice", state -> state.allTallies(times -> times <= 1)));
    }
}
