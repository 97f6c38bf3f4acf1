package io.nightjar.pipeline.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyedOpsTest {

    private record Op(int op, int txn, int key) {}

    @ParameterizedTest
    @ValueSource(ints = {1, 10, 2_048, 2_049, 5_000_000})
    void operationsOnOneKeyAreAdjacentInRowOrder(int keyCount) {
        Random random = new Random(keyCount);
        KeyedOps ops = new KeyedOps();
        for (int round = 0; round < 3; round++) {
            ops.clear();
            List<Op> expected = new ArrayList<>();
            for (int op = 0; op < 1000; op++) {
                Op one = new Op(op, op / 7, random.nextInt(keyCount));
                expected.add(one);
                ops.add(one.op(), one.txn(), one.key());
            }
            expected.sort(Comparator.comparingInt(Op::key)); // stable

            ops.sort(keyCount);

            List<Op> sorted = new ArrayList<>();
            for (int first = 0, endOfKey; first < ops.count(); first = endOfKey) {
                endOfKey = ops.endOfKey(first);
                for (int from = first, endOfTxn; from < endOfKey; from = endOfTxn) {
                    endOfTxn = ops.endOfTxn(from, endOfKey);
                    for (int position = from; position < endOfTxn; position++) {
                        assertThat(ops.txn(position)).isEqualTo(ops.txn(from));
                        sorted.add(new Op(ops.op(position), ops.txn(position), ops.key(first)));
                    }
                }
            }
            assertThat(sorted).isEqualTo(expected);
        }
    }
}
