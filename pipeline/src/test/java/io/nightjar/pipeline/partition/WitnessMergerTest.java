package io.nightjar.pipeline.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.pipeline.check.CommitOrder;
import io.nightjar.pipeline.infer.ClientHistory;
import java.util.List;
import org.junit.jupiter.api.Test;

class WitnessMergerTest {

    /** Session 0: transaction 0 on x; session 1: 1 on x, 2 on y, 3 on nothing; session 2: 4 on y. */
    private static ClientHistory whole() {
        ClientHistory.Builder builder = new ClientHistory.Builder();
        builder.beginSession().beginTxn(1).write(0);
        builder.beginSession().beginTxn(2).write(0);
        builder.beginTxn(3).write(1);
        builder.beginTxn(4);
        builder.beginSession().beginTxn(5).write(1);
        return builder.build();
    }

    @Test
    void ordersOfComponentsAndSessionsAreAllKept() {
        CommitOrder merged = merge(CommitOrder.serial(new int[] {1, 0}), CommitOrder.serial(new int[] {1, 0}));

        int[] position = merged.commitOf;
        assertThat(position[1]).isLessThan(position[0]);
        assertThat(position[1]).isLessThan(position[2]);
        assertThat(position[2]).isLessThan(position[3]);
        assertThat(position[4]).isLessThan(position[2]);
        assertThat(merged.snapshotOf).isSameAs(merged.commitOf);
    }

    @Test
    void snapshotsAreKeptApartFromCommits() {
        CommitOrder overlapping = new CommitOrder(new int[] {0, 1}, new int[] {2, 3});

        CommitOrder merged = merge(overlapping, CommitOrder.serial(new int[] {0, 1}));

        assertThat(merged.snapshotOf[0]).isLessThan(merged.snapshotOf[1]);
        assertThat(merged.snapshotOf[1]).isLessThan(merged.commitOf[0]);
        assertThat(merged.commitOf[0]).isLessThan(merged.commitOf[1]);
        assertThat(merged.commitOf[1]).isLessThan(merged.snapshotOf[2]);
        assertThat(merged.commitOf[2]).isLessThan(merged.snapshotOf[4]);
    }

    @Test
    void aSnapshotAtTheCommitOfAnotherComesBeforeIt() {
        CommitOrder atOnce = new CommitOrder(new int[] {1, 0}, new int[] {2, 1});

        CommitOrder merged = merge(atOnce, CommitOrder.serial(new int[] {0, 1}));

        assertThat(merged.snapshotOf[0]).isLessThan(merged.commitOf[1]);
    }

    @Test
    void anOrderAgainstSessionsIsAFault() {
        ClientHistory.Builder builder = new ClientHistory.Builder();
        builder.beginSession();
        builder.beginTxn(1).write(0);
        builder.beginTxn(2).write(0);
        ClientHistory whole = builder.build();
        List<Component> components = ComponentSplitter.split(whole);

        assertThatThrownBy(() -> WitnessMerger.merge(whole, components, List.of(CommitOrder.serial(new int[] {1, 0}))))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("the witnesses of the components contradict each other: points=2");
    }

    private static CommitOrder merge(CommitOrder ofX, CommitOrder ofY) {
        ClientHistory whole = whole();
        List<Component> components = ComponentSplitter.split(whole);
        return WitnessMerger.merge(
                whole, components, components.get(0).wholeTxnOf[0] == 0 ? List.of(ofX, ofY) : List.of(ofY, ofX));
    }
}
