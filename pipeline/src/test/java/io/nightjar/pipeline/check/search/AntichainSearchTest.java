package io.nightjar.pipeline.check.search;

import static io.nightjar.formats.level.IsolationLevel.PREFIX;
import static io.nightjar.formats.level.IsolationLevel.SERIALIZABLE;
import static io.nightjar.formats.level.IsolationLevel.SNAPSHOT_ISOLATION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.check.Contradiction;
import io.nightjar.pipeline.check.LevelAnswer;
import io.nightjar.pipeline.graph.Digraph;
import io.nightjar.pipeline.graph.DigraphBuilder;
import io.nightjar.pipeline.infer.ClientHistory;
import org.junit.jupiter.api.Test;

class AntichainSearchTest {

    private static final int X = 0;
    private static final int Y = 1;

    private final ClientHistory.Builder builder = new ClientHistory.Builder();

    @Test
    void anEmptyHistoryHolds() {
        assertThat(decide(SERIALIZABLE).witness().commitOf).isEmpty();
    }

    @Test
    void writeSkewIsASnapshotButNoSerialOrder() {
        session(1).read(X, ClientHistory.INITIAL).read(Y, ClientHistory.INITIAL).write(X);
        session(2).read(X, ClientHistory.INITIAL).read(Y, ClientHistory.INITIAL).write(Y);

        assertThat(decide(SNAPSHOT_ISOLATION).verdict()).isEqualTo(Verdict.HOLDS);
        assertThat(contradiction(SERIALIZABLE).anomaly()).isEqualTo(Anomaly.NO_SERIAL_ORDER);
    }

    @Test
    void lostUpdateIsAPrefixButNoSnapshotOrder() {
        session(1).read(X, ClientHistory.INITIAL).write(X);
        session(2).read(X, ClientHistory.INITIAL).write(X);

        assertThat(decide(PREFIX).verdict()).isEqualTo(Verdict.HOLDS);
        assertThat(contradiction(SNAPSHOT_ISOLATION).anomaly()).isEqualTo(Anomaly.NO_SNAPSHOT_ORDER);
    }

    @Test
    void longForkIsNoPrefixOrder() {
        longFork();

        Contradiction contradiction = contradiction(PREFIX);

        assertThat(contradiction.anomaly()).isEqualTo(Anomaly.NO_PREFIX_ORDER);
        assertThat(contradiction.algorithm()).isEqualTo("antichain");
        assertThat(contradiction.steps()).isEmpty();
    }

    @Test
    void aContradictionNamesTheWeakestLevelItRulesOut() {
        longFork();

        Contradiction contradiction = contradiction(SERIALIZABLE);

        assertThat(contradiction.level()).isEqualTo(PREFIX);
        assertThat(contradiction.anomaly()).isEqualTo(Anomaly.NO_PREFIX_ORDER);
    }

    @Test
    void aContradictionNamesOnlyTransactionsThatAreNeeded() {
        session(1).write(Y);
        builder.beginTxn(2).read(X, ClientHistory.INITIAL).write(X);
        session(3).write(Y);
        builder.beginTxn(4).read(X, ClientHistory.INITIAL).write(X);
        builder.beginTxn(5).write(Y);

        assertThat(contradiction(SNAPSHOT_ISOLATION).txns()).containsExactly(1, 3);
    }

    @Test
    void anOrderOfVersionsIsKept() {
        session(1).write(X);
        builder.beginTxn(2).write(X);
        builder.versions(new int[][] {{1, 0}});

        assertThat(decide(PREFIX).verdict()).isEqualTo(Verdict.VIOLATED);
    }

    @Test
    void aVersionThatIsNotListedComesLast() {
        session(1).write(X);
        session(2).read(X, 2);
        session(3).write(X);
        builder.versions(new int[][] {{0}});

        assertThat(decide(SERIALIZABLE).witness().commitOf).containsExactly(0, 2, 1);
    }

    @Test
    void precedenceThatIsKnownIsKept() {
        session(1).write(X);
        session(2).write(X);
        ClientHistory history = builder.build();
        DigraphBuilder known = DigraphBuilder.plain(2);
        known.add(1, 0);
        Digraph precedence = known.build();

        LevelAnswer answer = new AntichainSearch(history, Budget.unlimited()).decide(SERIALIZABLE, precedence);

        assertThat(answer.witness().commitOf).containsExactly(1, 0);
    }

    @Test
    void noBudgetIsUndecided() {
        session(1).write(X);

        LevelAnswer answer = new AntichainSearch(builder.build(), Budget.ofNanos(0)).decide(SERIALIZABLE);

        assertThat(answer.verdict()).isEqualTo(Verdict.UNDECIDED);
        assertThat(answer.reason())
                .isEqualTo(
                        "the time budget ran out during the search for an order: 0 of 1 transactions were ordered at best, after 0 states");
    }

    @Test
    void causalIsNotSearchedFor() {
        AntichainSearch search = new AntichainSearch(builder.build(), Budget.unlimited());

        assertThatThrownBy(() -> search.decide(IsolationLevel.CAUSAL))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("not a level to search for: level=CAUSAL");
    }

    private void longFork() {
        session(1).write(X);
        session(2).write(Y);
        session(3).read(X, 0).read(Y, ClientHistory.INITIAL);
        session(4).read(X, ClientHistory.INITIAL).read(Y, 1);
    }

    private ClientHistory.Builder session(long txnId) {
        return builder.beginSession().beginTxn(txnId);
    }

    private LevelAnswer decide(IsolationLevel level) {
        return new AntichainSearch(builder.build(), Budget.unlimited()).decide(level);
    }

    private Contradiction contradiction(IsolationLevel level) {
        return decide(level).contradictions().get(0);
    }
}
