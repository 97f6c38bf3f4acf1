package io.nightjar.jobs.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.datasets.workload.RecordedTxn;
import io.nightjar.formats.history.OpKind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CausalOrderBufferTest {

    private final List<Long> handedOn = new ArrayList<>();
    private final CausalOrderBuffer order = new CausalOrderBuffer(txn -> handedOn.add(txn.id));

    @Test
    void transactionWithoutReadsIsEmittedImmediately() throws IOException {
        order.begin(1);
        order.begin(2);
        order.end(txn(2));

        assertThat(handedOn).containsExactly(2L);
    }

    @Test
    void readersWaitForTheirWriters() throws IOException {
        order.begin(1);
        order.begin(2);
        order.begin(3);
        order.end(txn(2, 1));
        order.end(txn(3, 2));
        assertThat(handedOn).isEmpty();
        assertThat(order.waitingCount()).isEqualTo(2);

        order.end(txn(1));

        assertThat(handedOn).containsExactlyInAnyOrder(1L, 2L, 3L);
    }

    @Test
    void mutualReadersWaitForNoOtherTransaction() throws IOException {
        order.begin(1);
        order.begin(2);
        order.end(txn(1, 2));
        assertThat(handedOn).isEmpty();
        order.end(txn(2, 1));

        assertThat(handedOn).containsExactlyInAnyOrder(1L, 2L);
    }

    @Test
    void atAnyMomentAllWritersOfWhatWentOnHaveGoneOnTogether() throws IOException {
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            Map<Long, Set<Long>> readsOf = new HashMap<>();
            Set<Long> gone = new HashSet<>();
            CausalOrderBuffer drawn = new CausalOrderBuffer(txn -> gone.add(txn.id));
            List<Long> open = new ArrayList<>();
            long next = 1;
            for (int step = 0; step < 80 || !open.isEmpty(); step++) {
                if (step < 80 && random.nextInt(2) == 0) {
                    drawn.begin(next);
                    open.add(next++);
                } else if (!open.isEmpty()) {
                    long id = open.remove(random.nextInt(open.size()));
                    long[] from = {1 + random.nextInt((int) next - 1), 1 + random.nextInt((int) next - 1)};
                    readsOf.put(id, Set.copyOf(new HashSet<>(List.of(from[0], from[1]))));
                    drawn.end(txn(id, from));
                    for (long each : gone) {
                        assertThat(gone).as("seed=%d", seed).containsAll(readsOf.get(each));
                    }
                    assertThat(drawn.waitingCount())
                            .as("seed=%d", seed)
                            .isEqualTo(blocked(readsOf, open).size());
                }
            }

            assertThat(gone).as("seed=%d", seed).hasSize((int) next - 1);
        }
    }

    /** Returns the ended transactions that read, directly or indirectly, from an open transaction. */
    private static Set<Long> blocked(Map<Long, Set<Long>> readsOf, List<Long> open) {
        Set<Long> blocked = new HashSet<>();
        boolean grows = true;
        while (grows) {
            grows = false;
            for (Map.Entry<Long, Set<Long>> txn : readsOf.entrySet()) {
                boolean isBlocked = txn.getValue().stream()
                        .anyMatch(writer ->
                                !writer.equals(txn.getKey()) && (open.contains(writer) || blocked.contains(writer)));
                grows |= isBlocked && blocked.add(txn.getKey());
            }
        }
        return blocked;
    }

    private static RecordedTxn txn(long id, long... readFrom) {
        RecordedTxn txn = new RecordedTxn();
        txn.id = id;
        for (int i = 0; i < readFrom.length; i++) {
            txn.add(OpKind.READ, i, 0, readFrom[i] * ClientSession.VALUES_OF_A_TXN);
        }
        return txn;
    }
}
