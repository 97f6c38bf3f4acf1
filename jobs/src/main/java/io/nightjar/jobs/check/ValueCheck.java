package io.nightjar.jobs.check;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.LevelLattice;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.Stages;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.decide.ValueMerger;
import io.nightjar.pipeline.decide.ValueOutcome;
import io.nightjar.pipeline.infer.OperationLog;
import io.nightjar.pipeline.infer.VersionSource;
import io.nightjar.pipeline.split.SessionGroups;
import java.io.IOException;
import java.util.Set;

/**
 * Decides levels from the values of a history, or of some of its groups of sessions, all of whose operations are at hand: each
 * group for itself, several at once.
 */
public final class ValueCheck {

    private static final double SHARE_FOR_OPERATIONS = 0.4;

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

    /** What the log of operations may take, so that what is made of it may find room. */
    public static long mostOperationBytes(CheckOptions options) {
        return (long) (options.memoryBytes() * SHARE_FOR_OPERATIONS);
    }

    /** Whether levels or orders of versions need real time, which relates all transactions: then there is one group only. */
    public static boolean needsWholeHistory(CheckOptions options, Set<IsolationLevel> levels) {
        return LevelLattice.needsRealTime(levels) || options.versionOrders().contains(VersionSource.REALTIME);
    }

    /** @param log whole groups, their rows in the order of the history */
    public ValueOutcome check(OperationLog log) throws IOException {
        return check(log, null);
    }

    /**
     * The same of a log that may be one group, whose components others search.
     *
     * @param elsewhere who does; null for the threads of this check
     * @return null if the group is concluded elsewhere
     */
    public ValueOutcome check(OperationLog log, GroupSearch elsewhere) throws IOException {
        if (needsWholeHistory(options, levels)) {
            return group(log, threadCount, stages, elsewhere);
        }
        SessionGroups groups;
        try (Stages.Stage stage = stages.begin("split", -1, log.txnCount)) {
            groups = SessionGroups.of(log);
            stage.found(groups.count());
        }
        return groups.count() == 1 ? group(log, threadCount, stages, elsewhere) : groups(groups, log.txnCount);
    }

    private ValueOutcome groups(SessionGroups groups, int txnCount) throws IOException {
        ValueMerger merger = new ValueMerger(findingLimit);
        try (Stages.Stage stage = stages.begin("check", groups.count(), txnCount)) {
            LaneThreads.run(Math.min(threadCount, groups.count()), groups.count(), number -> {
                OperationLog log = groups.log(number);
                merger.add(group(log, threadsFor(log.txnCount, txnCount), Stages.untold(), null));
                stage.advance(1);
            });
            ValueOutcome merged = merger.merged();
            stage.found(merged.findings().total());
            return merged;
        }
    }

    /** A group that is most of the history has most of the threads for its components; small ones have their own only. */
    private int threadsFor(long txnCount, long ofAll) {
        return (int) Math.max(1, threadCount * txnCount / Math.max(1, ofAll));
    }

    private ValueOutcome group(OperationLog log, int threads, Stages told, GroupSearch elsewhere) throws IOException {
        return new GroupCheck(log, levels, options, findingLimit, threads, budget, told).run(elsewhere);
    }
}
