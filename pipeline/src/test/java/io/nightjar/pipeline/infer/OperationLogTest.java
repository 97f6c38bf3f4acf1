package io.nightjar.pipeline.infer;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.small.RandomHistory;
import io.nightjar.fixtures.small.SmallHistory;
import io.nightjar.fixtures.small.SmallHistory.Op;
import io.nightjar.fixtures.small.SmallHistory.Txn;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OperationLogTest {

    private static final long SEED = Long.getLong("nightjar.seed", 1L);

    private static Txn committed(long id, Op... ops) {
        return new Txn(id, 0, id, TxnStatus.COMMITTED, HistorySlice.NONE, HistorySlice.NONE, List.of(ops));
    }

    static OperationLog log(SmallHistory history, int txnsPerSlice) {
        OperationLogBuilder builder = new OperationLogBuilder(history.initialValue());
        history.slices(txnsPerSlice).forEach(builder::add);
        return builder.build();
    }

    /** The log told back as plain operations. */
    private static List<Op> opsOf(OperationLog log, int txn) {
        List<Op> ops = new ArrayList<>();
        for (int op = log.firstOpOf[txn]; op < log.firstOpOf[txn + 1]; op++) {
            String key = log.keyText(log.key[op]);
            switch (log.kind[op]) {
                case OpKind.READ_NOTHING -> ops.add(Op.read(key, null));
                case OpKind.READ_LIST -> {
                    List<String> elements = new ArrayList<>();
                    for (int at = 0; at < log.lists.length(log.value[op]); at++) {
                        elements.add(log.valueText(log.lists.element(log.key[op], log.value[op], at)));
                    }
                    ops.add(Op.readList(key, elements));
                }
                default -> ops.add(new Op(log.kind[op], key, log.valueText(log.value[op]), null));
            }
        }
        return ops;
    }

    @Test
    void everyOperationIsReturnedUnchanged() {
        for (long seed = SEED; seed < SEED + 3_000; seed++) {
            SmallHistory drawn = RandomHistory.of(seed);
            SmallHistory history = new SmallHistory(drawn.txns(), null);

            OperationLog log = log(history, 1 + (int) (seed % 3));

            assertThat(log.txnCount).isEqualTo(history.txns().size());
            for (int txn = 0; txn < log.txnCount; txn++) {
                assertThat(opsOf(log, txn))
                        .as("seed=%d txn=%d", seed, txn)
                        .isEqualTo(history.txns().get(txn).ops());
            }
        }
    }

    @Test
    void trunkIsTheLongestListThatACommittedTransactionRead() {
        Txn aborted = new Txn(
                4,
                0,
                4,
                TxnStatus.ABORTED,
                HistorySlice.NONE,
                HistorySlice.NONE,
                List.of(Op.readList("l", List.of("1", "2", "3", "4"))));
        SmallHistory history = new SmallHistory(
                List.of(
                        committed(1, Op.readList("l", List.of("1", "3"))),
                        committed(2, Op.readList("l", List.of("1", "2", "3"))),
                        committed(3, Op.readList("l", List.of("1", "2"))),
                        aborted),
                null);

        OperationLog log = log(history, 2);

        assertThat(log.lists.trunkLength(0)).isEqualTo(3);
        assertThat(log.lists.trunk(0)).startsWith(1, 2, 3);
        assertThat(ListReads.isPrefixOfTrunk(log.value[0])).isFalse();
        assertThat(log.value[1]).isEqualTo(3);
        assertThat(log.value[2]).isEqualTo(2);
        assertThat(ListReads.isPrefixOfTrunk(log.value[3])).isFalse();
    }

    @Test
    void initialValueIsReadAsNothingUnlessSomebodyWroteIt() {
        SmallHistory history = new SmallHistory(
                List.of(committed(1, Op.read("x", "0"), Op.read("y", "0")), committed(2, Op.write("y", "0"))), "0");

        OperationLog log = log(history, 8);

        assertThat(log.kind[0]).isEqualTo(OpKind.READ_NOTHING);
        assertThat(log.kind[1]).isEqualTo(OpKind.READ);
    }
}
