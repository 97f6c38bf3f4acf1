package io.nightjar.datasets.random;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.datasets.Seeds;
import io.nightjar.datasets.random.SmallHistory.Op;
import io.nightjar.datasets.random.SmallHistory.Txn;
import io.nightjar.formats.history.TxnStatus;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RandomReadsTest {

    private static final int COUNT = 3_000;

    @Test
    void everyValueIsWrittenOnce() {
        for (long seed : Seeds.upTo(COUNT)) {
            SmallHistory history = RandomReads.of(seed);
            Set<String> values = new HashSet<>();
            for (Txn txn : history.txns()) {
                for (Op op : txn.ops()) {
                    assertThat(op.isRead() || values.add(op.value()))
                            .as("seed=%d%n%s", seed, history)
                            .isTrue();
                }
            }
        }
    }

    @Test
    void theSameSeedGivesTheSameHistory() {
        for (long seed : Seeds.upTo(100)) {
            assertThat(RandomReads.of(seed)).isEqualTo(RandomReads.of(seed));
        }
    }

    @Test
    void everythingThatMattersToReadsOccurs() {
        boolean aborted = false;
        boolean unknown = false;
        boolean repeated = false;
        boolean own = false;
        boolean initialValue = false;
        for (long seed = 1; seed <= COUNT; seed++) {
            SmallHistory history = RandomReads.of(seed);
            assertThat(history.txns()).as("seed=%d", seed).hasSizeBetween(1, 7);
            initialValue |= history.initialValue() != null;
            for (Txn txn : history.txns()) {
                aborted |= txn.status() == TxnStatus.ABORTED;
                unknown |= txn.status() == TxnStatus.UNKNOWN;
                for (String key : history.keys()) {
                    repeated |= txn.opsOn(key).stream().filter(Op::isRead).count() > 1;
                    own |= txn.opsOn(key).stream().dropWhile(Op::isRead).anyMatch(Op::isRead);
                }
            }
        }

        assertThat(aborted && unknown && repeated && own && initialValue).isTrue();
    }
}
