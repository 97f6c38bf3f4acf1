package io.nightjar.pipeline.check.commitorder;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.Seeds;
import io.nightjar.fixtures.small.RandomReads;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.check.ReferenceLevels;
import io.nightjar.pipeline.check.SmallClientHistory;
import io.nightjar.pipeline.infer.ClientHistory;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class GreedyScheduleTest {

    private static long[] numbers(ClientHistory history, Random random) {
        long[] numbers = new long[history.txnCount];
        for (int txn = 0; txn < numbers.length; txn++) {
            numbers[txn] = random.nextInt(10);
        }
        return numbers;
    }

    @Tag(Seeds.TAG)
    @Test
    void orderThatReachesTheEndIsSerial() {
        int reached = 0;
        int serializable = 0;
        for (long seed : Seeds.upTo(10_000)) {
            SmallClientHistory clients = SmallClientHistory.of(RandomReads.of(seed));
            if (!clients.isWellFormed()) {
                continue;
            }
            ClientHistory history = clients.history();
            int[] order = new GreedySchedule(history, Budget.unlimited()).schedule(numbers(history, new Random(seed)));
            serializable += ReferenceLevels.of(history).holds(IsolationLevel.SERIALIZABLE) ? 1 : 0;
            reached += order == null ? 0 : 1;
            if (order != null) {
                assertThat(CandidateOrder.tryOrder(history, IsolationLevel.SERIALIZABLE, order))
                        .as("seed=%d", seed)
                        .isNotNull();
            }
        }

        assertThat(reached).isBetween(serializable / 2, serializable);
    }

    @Test
    void numbersOfASerialOrderLeadToTheEnd() {
        ClientHistory.Builder builder = new ClientHistory.Builder();
        int txns = 5_000;
        int[] lastWriterOf = new int[20];
        Arrays.fill(lastWriterOf, ClientHistory.INITIAL);
        Random random = new Random(7);
        for (int txn = 0; txn < txns; txn++) {
            builder.beginSession().beginTxn(txn);
            int read = random.nextInt(20);
            int write = random.nextInt(20);
            builder.read(read, lastWriterOf[read]).write(write);
            lastWriterOf[write] = txn;
        }
        ClientHistory history = builder.build();
        long[] numberOf = new long[txns];
        for (int txn = 0; txn < txns; txn++) {
            numberOf[txn] = txn / 3; // nearly right
        }

        int[] order = new GreedySchedule(history, Budget.unlimited()).schedule(numberOf);

        assertThat(order).isNotNull();
        assertThat(CandidateOrder.tryOrder(history, IsolationLevel.SERIALIZABLE, order))
                .isNotNull();
    }

    @Test
    void spentBudgetEndsTheSchedule() {
        ClientHistory history =
                new ClientHistory.Builder().beginSession().beginTxn(1).write(0).build();

        assertThat(new GreedySchedule(history, Budget.ofNanos(0)).schedule(new long[1]))
                .isNull();
    }
}
