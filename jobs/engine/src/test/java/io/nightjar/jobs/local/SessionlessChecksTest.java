package io.nightjar.jobs.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.Seeds;
import io.nightjar.fixtures.SliceSource;
import io.nightjar.fixtures.small.RandomReads;
import io.nightjar.fixtures.small.SmallHistory;
import io.nightjar.fixtures.small.SmallHistory.Txn;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.RunResult.LevelResult;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.ProgressListener;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Elle's levels without session order on registers: the engine agrees with an enumeration of every order of versions.
 */
@Tag(Seeds.TAG)
class SessionlessChecksTest {

    private static final int SEEDS = 600;
    private static final int MAX_SESSIONS = 3;

    /** Levels requested together with the levels without session order change the facts inferred beforehand. */
    private static final List<List<IsolationLevel>> ADDITIONAL_LEVELS = List.of(
            List.of(),
            IsolationLevel.all(),
            List.of(IsolationLevel.SNAPSHOT_ISOLATION),
            List.of(IsolationLevel.STRONG_SESSION_SERIALIZABLE));

    private static final Set<IsolationLevel> ALWAYS_DECIDED =
            EnumSet.of(IsolationLevel.CAUSAL_CERONE, IsolationLevel.PL_2_99, IsolationLevel.PL_SI, IsolationLevel.PL_3);

    @Test
    void verdictsAreThoseOfTheDefinition() throws IOException {
        int[] heldInSpiteOfSessions = new int[IsolationLevel.values().length];
        int[] violated = new int[IsolationLevel.values().length];
        for (long seed : Seeds.upTo(SEEDS)) {
            SmallHistory history = history(seed);
            VersionOrderDefinition definition = new VersionOrderDefinition(history);
            if (!definition.isWellFormed()) {
                continue;
            }
            RunResult result = check(history, levels(seed));
            boolean isSerializable =
                    check(history, List.of(IsolationLevel.SERIALIZABLE)).verdict() == Verdict.HOLDS;
            for (IsolationLevel level : VersionOrderDefinition.DEFINED) {
                LevelResult answer = result.levels().get(level);
                if (answer == null || answer.verdict() == Verdict.UNDECIDED && !ALWAYS_DECIDED.contains(level)) {
                    continue;
                }
                assertThat(answer.verdict())
                        .as("seed=%d level=%s %s%n%s", seed, level, answer, history)
                        .isEqualTo(definition.holds(level) ? Verdict.HOLDS : Verdict.VIOLATED);
                boolean holds = answer.verdict() == Verdict.HOLDS;
                heldInSpiteOfSessions[level.ordinal()] += holds && !isSerializable ? 1 : 0;
                violated[level.ordinal()] += holds ? 0 : 1;
            }
        }
        if (Seeds.areAll()) {
            for (IsolationLevel level : ALWAYS_DECIDED) {
                assertThat(heldInSpiteOfSessions[level.ordinal()])
                        .as("%s held", level)
                        .isGreaterThan(4);
                assertThat(violated[level.ordinal()]).as("%s violated", level).isGreaterThan(20);
            }
        }
    }

    /** Half of them with transactions reassigned to sessions, so that session order differs from that of the store. */
    private static SmallHistory history(long seed) {
        SmallHistory history = RandomReads.of(seed);
        if (seed % 2 == 0) {
            return history;
        }
        List<Txn> partitioned = new ArrayList<>();
        for (Txn txn : history.txns()) {
            long session = (txn.id() * 31 + seed) % (1 + seed % MAX_SESSIONS);
            partitioned.add(new Txn(txn.id(), session, txn.id(), txn.status(), txn.start(), txn.commit(), txn.ops()));
        }
        return history.withTxns(partitioned);
    }

    private static List<IsolationLevel> levels(long seed) {
        Set<IsolationLevel> levels = EnumSet.noneOf(IsolationLevel.class);
        if (seed % 3 == 0) {
            levels.add(seed % 2 == 0 ? IsolationLevel.PL_3 : IsolationLevel.CONSISTENT_VIEW);
        } else {
            levels.addAll(VersionOrderDefinition.DEFINED);
        }
        levels.addAll(ADDITIONAL_LEVELS.get((int) (seed % ADDITIONAL_LEVELS.size())));
        return List.copyOf(levels);
    }

    private static RunResult check(SmallHistory history, List<IsolationLevel> levels) throws IOException {
        CheckOptions options = new TestOptions()
                .levels(levels.toArray(IsolationLevel[]::new))
                .initialValue(history.initialValue())
                .build();
        return new LocalEngine(options, "test", ProgressListener.NONE)
                .check(new SliceSource(history.slices(3), 1, 0), Path.of("slices"));
    }
}
