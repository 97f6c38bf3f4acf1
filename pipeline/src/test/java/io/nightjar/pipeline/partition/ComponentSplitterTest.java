package io.nightjar.pipeline.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.pipeline.infer.ClientHistory;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ComponentSplitterTest {

    private static final int X = 0;
    private static final int Y = 1;
    private static final int Z = 2;

    private final ClientHistory.Builder builder = new ClientHistory.Builder();

    @Test
    void cutSessionHasAProjectionInEachOfItsComponents() {
        txns(1, 1, 1); // only the one in the middle touches both keys
        begin(0).write(X);
        begin(1).read(X, 0).write(Y);
        begin(2).read(Y, 1);

        List<Component> components = ComponentSplitter.split(builder.build());

        assertThat(components)
                .extracting(ComponentSplitterTest::print)
                .containsExactlyInAnyOrder(
                        """
                0: w(0)
                1: r(0,0)""",
                        """
                0: w(0)
                1: r(0,0)""");
        assertThat(components)
                .extracting(component -> Arrays.toString(component.wholeTxnOf))
                .containsExactlyInAnyOrder("[0, 1]", "[1, 2]");
    }

    @Test
    void readsOfTheInitialStateStay() {
        txns(1, 1);
        begin(0).read(X, ClientHistory.INITIAL);
        begin(1).write(X).write(Y);

        assertThat(ComponentSplitter.split(builder.build()))
                .extracting(ComponentSplitterTest::print)
                .containsExactly("""
                0: r(0,-1)
                1: w(0) w(1)""");
    }

    @Test
    void aKeyOfOneSessionGoesWithTheSession() {
        txns(2, 1);
        begin(0).write(Y);
        begin(1).read(Y, 0).write(X);
        begin(2).read(X, 1);

        assertThat(CommunicationGraph.of(builder.build()).componentCount).isEqualTo(1);
    }

    @Test
    void sessionsThatTouchNoCommonKeyPart() {
        txns(1, 2);
        begin(0).write(X);
        begin(1).write(Y);
        begin(2).read(Y, 1);

        List<Component> components = ComponentSplitter.split(builder.build());

        assertThat(components)
                .extracting(ComponentSplitterTest::print)
                .containsExactly("""
                0: w(0)
                0: r(0,0)""", "0: w(0)");
    }

    @Test
    void aTransactionWithoutOperationsIsInNoComponent() {
        txns(2);
        begin(0);
        begin(1).write(X);

        List<Component> components = ComponentSplitter.split(builder.build());

        assertThat(components).hasSize(1);
        assertThat(components.get(0).wholeTxnOf).containsExactly(1);
    }

    @Test
    void whomATransactionSawFollowsTheKeyTheyMetIn() {
        txns(1, 1, 1);
        begin(0).write(X);
        begin(1).read(X, ClientHistory.INITIAL).read(ClientHistory.NO_KEY, 0).write(Y);
        begin(2).read(Y, 1);

        assertThat(ComponentSplitter.split(builder.build()))
                .extracting(ComponentSplitterTest::print)
                .contains("""
                0: w(0)
                1: r(0,-1) r(-1,0)""");
    }

    @Test
    void keylessReadKeepsHistoryWhole() {
        txns(1, 1, 1);
        begin(0).write(X);
        begin(1).read(ClientHistory.NO_KEY, 0).write(Y);
        begin(2).read(Y, 1);
        ClientHistory whole = builder.build();

        assertThat(CommunicationGraph.of(whole).componentCount).isEqualTo(1);
        assertThat(ComponentSplitter.split(whole).get(0).history).isSameAs(whole);
    }

    @Test
    void componentsPreserveNamesOfKeysTransactionsAndHints() {
        txns(1, 1);
        begin(0).write(X);
        begin(1).write(Y);
        builder.logKeys(new int[] {70, 80}).hints(new long[][] {{5, 6}});

        ClientHistory second = ComponentSplitter.split(builder.build()).get(1).history;

        assertThat(second.logKeyOf[0]).isEqualTo(80);
        assertThat(second.txnIdOf[0]).isEqualTo(1001);
        assertThat(second.hints[0]).containsExactly(6);
    }

    @Test
    void orderOfVersionsFollowsItsKey() {
        txns(1, 1, 1);
        begin(0).write(X);
        begin(1).write(X).write(Z);
        begin(2).write(Z);
        builder.versions(new int[][] {{1, 0}, null, {2, 1}});

        List<Component> components = ComponentSplitter.split(builder.build());

        assertThat(components).allSatisfy(component -> assertThat(component.history.txnOfVersion)
                .containsExactly(1, 0));
    }

    @Test
    void graphTellsHowLargeComponentsAre() {
        txns(2, 1, 1);
        begin(0).write(X).write(Z);
        begin(1).write(Y);
        begin(2).read(X, 0);
        begin(3).read(Y, 1);

        CommunicationGraph graph = CommunicationGraph.of(builder.build());

        assertThat(graph.componentCount).isEqualTo(2);
        assertThat(graph.cutSessionCount()).isEqualTo(1);
        assertThat(graph.largestSessionCount()).isEqualTo(2);
        assertThat(graph.largestTxnCount()).isEqualTo(2);
        assertThat(graph.largestKeyCount()).isEqualTo(2);
    }

    // ---------------------------------------------------------------- histories

    private int[] countOfSession;
    private int session;
    private int left;

    private void txns(int... counts) {
        countOfSession = counts;
        session = -1;
    }

    private ClientHistory.Builder begin(int txn) {
        while (left == 0) {
            left = countOfSession[++session];
            builder.beginSession();
        }
        left--;
        return builder.beginTxn(1000 + txn);
    }

    private static String print(Component component) {
        ClientHistory part = component.history;
        StringBuilder text = new StringBuilder();
        for (int txn = 0; txn < part.txnCount; txn++) {
            text.append(txn == 0 ? "" : "\n").append(part.sessionOf[txn]).append(':');
            for (int read = part.firstReadOf[txn]; read < part.firstReadOf[txn + 1]; read++) {
                text.append(" r(%d,%d)".formatted(part.keyOfRead[read], part.writerOf[read]));
            }
            for (int write = part.firstWriteOf[txn]; write < part.firstWriteOf[txn + 1]; write++) {
                text.append(" w(%d)".formatted(part.keyOfWrite[write]));
            }
        }
        return text.toString();
    }
}
