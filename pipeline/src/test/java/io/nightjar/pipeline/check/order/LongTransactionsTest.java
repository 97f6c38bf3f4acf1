package io.nightjar.pipeline.check.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.check.LevelAnswer;
import io.nightjar.pipeline.infer.ClientHistory;
import org.junit.jupiter.api.Test;

/** Transactions of very many operations: what takes time in their square does not come to an end here. */
class LongTransactionsTest {

    private static final int MANY = 300_000;

    @Test
    void readerOfManyKeysWithOneFracturedReadIsDecided() {
        ClientHistory.Builder builder = new ClientHistory.Builder();
        builder.beginSession();
        builder.beginTxn(1);
        for (int key = 0; key < MANY; key++) {
            builder.write(key);
        }
        builder.beginSession();
        builder.beginTxn(2);
        for (int key = 0; key < MANY; key++) {
            builder.read(key, 0);
        }
        builder.beginSession();
        builder.beginTxn(3);
        builder.read(0, ClientHistory.INITIAL);
        builder.read(1, 0);

        LevelAnswer answer = new OrderChecker(builder.build(), Budget.unlimited()).decide(IsolationLevel.SERIALIZABLE);

        assertThat(answer.verdict()).isEqualTo(Verdict.VIOLATED);
    }

    @Test
    void updaterOfManyKeysIsOrderedBehindTheirReaders() {
        ClientHistory.Builder builder = new ClientHistory.Builder();
        builder.beginSession();
        builder.beginTxn(1);
        for (int key = 0; key < MANY; key++) {
            builder.read(key, ClientHistory.INITIAL);
            builder.write(key);
        }
        for (int reader = 0; reader < MANY; reader++) {
            builder.beginSession();
            builder.beginTxn(2 + reader);
            builder.read(reader, ClientHistory.INITIAL);
        }
        ClientHistory history = builder.build();
        long[] updaterFirst = new long[history.txnCount];
        updaterFirst[0] = -1;

        int[] order = new GreedySchedule(history, Budget.unlimited()).schedule(updaterFirst);

        assertThat(order).hasSize(MANY + 1).endsWith(0);
    }
}
