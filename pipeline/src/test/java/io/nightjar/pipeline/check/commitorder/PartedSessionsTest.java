package io.nightjar.pipeline.check.commitorder;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.check.LevelAnswer;
import io.nightjar.pipeline.infer.ClientHistory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Chains that go on in another session leave the rest of theirs to another chain. */
class PartedSessionsTest {

    @ParameterizedTest
    @EnumSource(names = {"PREFIX", "SNAPSHOT_ISOLATION", "SERIALIZABLE"})
    void witnessesKeepTheOrderOfASessionThatIsParted(IsolationLevel level) {
        ClientHistory history = new ClientHistory.Builder()
                .beginSession()
                .beginTxn(10)
                .read(0, 2)
                .write(0)
                .beginSession()
                .beginTxn(11)
                .write(1)
                .beginTxn(12)
                .write(0)
                .beginTxn(13)
                .read(2, ClientHistory.INITIAL)
                .write(3)
                .build();
        ChainedHistory parted = new ChainedHistory(history, 2, new int[] {0, 3, 4}, new int[] {1, 2, 0, 3});

        assertThat(solve(parted, level).verdict()).isEqualTo(Verdict.HOLDS);
    }

    @ParameterizedTest
    @EnumSource(names = {"PREFIX", "SNAPSHOT_ISOLATION", "SERIALIZABLE"})
    void partitionedSessionSeesItsOwnWrites(IsolationLevel level) {
        ClientHistory history = new ClientHistory.Builder()
                .beginSession()
                .beginTxn(10)
                .read(0, 1)
                .beginSession()
                .beginTxn(11)
                .write(0)
                .beginTxn(12)
                .read(0, ClientHistory.INITIAL)
                .build();
        ChainedHistory parted = new ChainedHistory(history, 2, new int[] {0, 2, 3}, new int[] {1, 0, 2});

        Solution solution = solve(parted, level);

        assertThat(solution.verdict()).isEqualTo(Verdict.VIOLATED);
        assertThat(solution.txns()).contains(1, 2);
    }

    @ParameterizedTest
    @EnumSource(names = {"PREFIX", "SNAPSHOT_ISOLATION"})
    void manyShortSessionsOfAStoreWithSnapshotsAreDecided(IsolationLevel level) {
        ClientHistory history = RandomClients.of(1, 1_200, 1_200, 150, 6, 0.5, 1, 0);

        LevelAnswer answer = new OrderChecker(history, Budget.unlimited()).decide(level);

        assertThat(answer.verdict()).isEqualTo(Verdict.HOLDS);
        assertThat(answer.searchStates()).isGreaterThan(100);
        assertThat(WitnessAxioms.fault(history, level, answer.witness())).isNull();
    }

    private static Solution solve(ChainedHistory history, IsolationLevel level) {
        return Solver.solve(history, level, Budget.unlimited(), 1 << 20, false);
    }
}
