package io.nightjar.jobs.shrink;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Elements that remain when no further element can be removed. */
class DeltaDebuggingTest {

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 10, 1_000})
    void onlyNeededElementsRemain(int count) throws IOException {
        Random random = new Random(count);
        BitSet needed = new BitSet();
        for (int i = 0; i < 3; i++) {
            needed.set(random.nextInt(count));
        }
        assertThat(DeltaDebugging.minimise(count, containing(needed, Integer.MAX_VALUE)))
                .isEqualTo(needed);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 5})
    void resultAtTimeoutStillFails(int trials) throws IOException {
        BitSet needed = new BitSet();
        needed.set(17);
        BitSet kept = DeltaDebugging.minimise(100, containing(needed, trials));

        assertThat(kept.get(17)).isTrue();
        assertThat(kept.cardinality()).isGreaterThan(1);
    }

    private static DeltaDebugging.Trial containing(BitSet needed, int trials) {
        return new DeltaDebugging.Trial() {
            private int left = trials;

            @Override
            public boolean works(BitSet kept) {
                left--;
                BitSet missing = (BitSet) needed.clone();
                missing.andNot(kept);
                return missing.isEmpty();
            }

            @Override
            public boolean mayContinue() {
                return left > 0;
            }
        };
    }
}
