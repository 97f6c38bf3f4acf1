package io.nightjar.jobs.local;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.infer.OperationLog;
import java.io.IOException;
import java.util.Set;

/** Decides levels from the values of a history, or of some of its groups of sessions, all of whose operations are at hand. */
public final class ValueCheck {

    private final CheckOptions options;
    private final Set<IsolationLevel> levels;
    private final int findingLimit;
    private final int threadCount;
    private final Budget budget;
    private final Stages stages;

    /**
     * @param levels those that values are to decide, of the ones asked for
     * @param findingLimit how many findings are kept
     * @param threadCount how many threads may work on it
     * @param budget for all of it
     */
    public ValueCheck(
            CheckOptions options,
            Set<IsolationLevel> levels,
            int findingLimit,
            int threadCount,
            Budget budget,
            Stages stages) {
        this.options = options;
        this.levels = levels;
        this.findingLimit = findingLimit;
        this.threadCount = threadCount;
        this.budget = budget;
        this.stages = stages;
    }

    /** @param log whole groups, their rows in the order of the history */
    public ValueOutcome check(OperationLog log) throws IOException {
        return new GroupCheck(log, levels, options, findingLimit, threadCount, budget, stages).run();
    }
}
