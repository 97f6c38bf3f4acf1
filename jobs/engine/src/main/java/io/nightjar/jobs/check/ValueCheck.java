package io.nightjar.jobs.check;

import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.StageMetrics;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.decide.ComponentAnswer;
import io.nightjar.pipeline.decide.ComponentSearch;
import io.nightjar.pipeline.decide.GroupDecision;
import io.nightjar.pipeline.decide.PendingComponents;
import io.nightjar.pipeline.decide.StageListener;
import io.nightjar.pipeline.decide.ValueCheckRequest;
import io.nightjar.pipeline.decide.ValueMerger;
import io.nightjar.pipeline.decide.ValueOutcome;
import io.nightjar.pipeline.infer.ClientHistory;
import io.nightjar.pipeline.infer.OperationLog;
import io.nightjar.pipeline.partition.SessionGroups;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.io.IOException;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides levels from the values of a history, or of some of its groups of sessions, all of whose operations are in
 * memory: each group separately, several at once.
 */
public final class ValueCheck {

    /*
     * Memory. The memory of the operations and of everything inferred of their reads is reserved; the rest is for
     * searches. Each group, and each component in a group, may use all memory for searches, independently of concurrent
     * searches, so that no verdict depends on the number of threads. Its maximum is computed beforehand, and it begins
     * when that amount is free (MemoryGate): small ones concurrently, one that may need all the memory alone. A group
     * enters once for all of its components, which share its amount in the same way.
     */

    private static final double SHARE_FOR_OPERATIONS = 0.4;

    /** Approximate size of the facts inferred of each operation when its reads are resolved, the log included. */
    private static final long BYTES_PER_INFERRED_OP = 110;

    private static final int MIN_SHARE_LEFT = 8;

    private final ValueCheckRequest question;
    private final long memoryBytes;
    private final int threadCount;
    private final Budget budget;
    private final StageMetrics stages;

    /**
     * @param memoryBytes memory for the whole check
     * @param threadCount maximum number of threads
     * @param budget for all of it
     */
    public ValueCheck(
            ValueCheckRequest question, long memoryBytes, int threadCount, Budget budget, StageMetrics stages) {
        this.question = question;
        this.memoryBytes = memoryBytes;
        this.threadCount = threadCount;
        this.budget = budget;
        this.stages = stages;
    }

    /** Returns the maximum size of the log of operations that leaves memory for the structures derived from it. */
    public static long maxOperationBytes(CheckOptions options) {
        return (long) (options.memoryBytes() * SHARE_FOR_OPERATIONS);
    }

    /** Returns the memory with which a history of this size can be searched and the result verified. */
    public static long bytesToHold(long txnCount, long opCount) {
        long inferred = opCount * BYTES_PER_INFERRED_OP;
        return inferred + Math.max(inferred / MIN_SHARE_LEFT, MemoryPlan.bytesToHold(txnCount, opCount));
    }

    /** Returns the number of operations whose facts fit into some memory. */
    static long inferredOps(long bytes) {
        return bytes / BYTES_PER_INFERRED_OP;
    }

    /** Returns the memory that remains after the given number of operations and the facts inferred of their reads. */
    public static long bytesLeft(long opCount, long memoryBytes) {
        return Math.max(memoryBytes / MIN_SHARE_LEFT, memoryBytes - opCount * BYTES_PER_INFERRED_OP);
    }

    /** @param log whole groups, their rows in the order of the history */
    public ValueOutcome check(OperationLog log) throws IOException {
        SessionGroups groups = question.relatesAllSessions() ? null : groups(log);
        if (groups != null && groups.count() > 1) {
            return checkGroups(groups, log);
        }
        GroupDecision decision = begin(log);
        return finish(decision, decision.next(), log);
    }

    /** Returns null if the log has several groups, which are not worth sharing. */
    public @Nullable GroupDecision beginIfOneGroup(OperationLog log) {
        return question.relatesAllSessions() || groups(log).count() == 1 ? begin(log) : null;
    }

    private GroupDecision begin(OperationLog log) {
        Budget ofAll =
                budget.withMemoryBytes(bytesLeft(log.opCount, memoryBytes)).withHelpers(Workers.helpers(threadCount));
        return new GroupDecision(log, question, ofAll, stages);
    }

    /** Searches the components that a decision about all of a log has pending here, until it is complete. */
    public ValueOutcome finish(GroupDecision decision, @Nullable PendingComponents open, OperationLog log)
            throws IOException {
        long freeBytes = bytesLeft(log.opCount, memoryBytes);
        return finish(decision, open, log, new Searchers(threadCount, freeBytes, freeBytes), stages);
    }

    /**
     * Continues a decision about all of a log whose first components were searched by other tasks.
     *
     * @param searched the components that the decision had pending
     * @param answers by number
     */
    public ValueOutcome conclude(
            GroupDecision decision, PendingComponents searched, List<ComponentAnswer> answers, OperationLog log)
            throws IOException {
        try (StageMetrics.Stage stage =
                stages.begin("check", searched.components().size(), log.txnCount)) {
            stage.found(decision.accept(answers));
        }
        return finish(decision, decision.next(), log);
    }

    private SessionGroups groups(OperationLog log) {
        try (StageMetrics.Stage stage = stages.begin("split", -1, log.txnCount)) {
            SessionGroups groups = SessionGroups.of(log);
            stage.found(groups.count());
            return groups;
        }
    }

    private ValueOutcome checkGroups(SessionGroups groups, OperationLog whole) throws IOException {
        ValueMerger merger = new ValueMerger(question.findingLimit());
        long freeBytes = bytesLeft(whole.opCount, memoryBytes);
        MemoryGate gate = new MemoryGate(freeBytes);
        try (StageMetrics.Stage stage = stages.begin("check", groups.count(), whole.txnCount)) {
            Workers.run(Math.min(threadCount, groups.count()), groups.count(), number -> {
                OperationLog log = groups.log(number);
                long taken = gate.enter(maxBytes(log));
                try {
                    int threads = threadsFor(log.txnCount, whole.txnCount);
                    Budget ofGroup = budget.withMemoryBytes(freeBytes).withHelpers(Workers.helpers(threads));
                    GroupDecision decision = new GroupDecision(log, question, ofGroup, StageListener.NONE);
                    Searchers searchers = new Searchers(threads, freeBytes, taken);
                    merger.add(finish(decision, decision.next(), log, searchers, StageListener.NONE));
                } finally {
                    gate.leave(taken);
                }
                stage.advance(1);
            });
            ValueOutcome merged = merger.merged();
            stage.found(merged.findings().total());
            return merged;
        }
    }

    /** Returns the maximum memory for deciding a group. */
    private static long maxBytes(OperationLog log) {
        LongOpenHashSet sessions = new LongOpenHashSet();
        for (int row = 0; row < log.txnCount; row++) {
            sessions.add(log.sessionId[row]);
        }
        return log.opCount * BYTES_PER_INFERRED_OP
                + ComponentSearch.maxBytes(log.txnCount, log.opCount, sessions.size());
    }

    /**
     * Returns the number of threads of a group for its components: a group with more than half of the history gets more
     * than half of the threads, small groups have only their own.
     */
    private int threadsFor(long txnCount, long ofAll) {
        return (int) Math.max(1, threadCount * txnCount / Math.max(1, ofAll));
    }

    private ValueOutcome finish(
            GroupDecision decision,
            @Nullable PendingComponents first,
            OperationLog log,
            Searchers searchers,
            StageListener watch)
            throws IOException {
        for (PendingComponents open = first; open != null; open = decision.next()) {
            int count = open.components().size();
            try (StageListener.Work stage = watch.begin("check", count, log.txnCount)) {
                stage.found(decision.accept(searchers.search(open, stage)));
            }
        }
        ValueOutcome outcome = decision.outcome();
        Iterator<GroupDecision> supposing = decision.supposing();
        boolean doBothFit = 2 * log.opCount * BYTES_PER_INFERRED_OP <= memoryBytes;
        while (doBothFit && !outcome.doubts().isEmpty() && supposing.hasNext()) {
            GroupDecision supposed = supposing.next();
            outcome = outcome.orHeldIn(finish(supposed, supposed.next(), log, searchers, watch));
        }
        GroupDecision all =
                doBothFit ? decision.withOptionalTransactions(outcome.doubts().keySet()) : null;
        if (all != null) {
            outcome = outcome.orViolatedIn(finish(all, all.next(), log, searchers, watch));
        }
        return outcome;
    }

    /** Threads that search components. */
    private final class Searchers {

        private final int threads;
        private final Budget each;
        private final MemoryGate gate;

        /**
         * @param maxBytes maximum memory of one search
         * @param shared maximum memory of all concurrent searches together
         */
        Searchers(int threads, long maxBytes, long shared) {
            this.threads = threads;
            this.each = budget.withMemoryBytes(maxBytes);
            this.gate = new MemoryGate(shared);
        }

        List<ComponentAnswer> search(PendingComponents open, StageListener.Work stage) throws IOException {
            int count = open.components().size();
            ComponentAnswer[] answers = new ComponentAnswer[count];
            Workers.run(Math.min(threads, Math.max(1, count)), count, number -> {
                ClientHistory component = open.components().get(number).history;
                long taken = gate.enter(ComponentSearch.maxBytes(
                        component.txnCount, component.externalReadCount(), component.sessionCount));
                try {
                    answers[number] =
                            open.how().decide(number, open.components().get(number), each);
                } finally {
                    gate.leave(taken);
                }
                stage.advance(1);
            });
            return Arrays.asList(answers);
        }
    }
}
