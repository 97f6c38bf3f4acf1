package io.nightjar.pipeline.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MinimiserTest {

    private int asked;

    @Test
    void neededElementsAreFoundAmongMany() {
        int[] needed = {3, 500, 501, 9_999};

        int[] kept = Minimiser.minimise(upTo(10_000), holdsAll(needed), Budget.unlimited());

        assertThat(kept).containsExactly(needed);
        assertThat(asked).isLessThan(2 * needed.length * 14);
    }

    @Test
    void everythingStaysWhenEverythingIsNeeded() {
        int[] all = upTo(17);

        assertThat(Minimiser.minimise(all, holdsAll(all), Budget.unlimited())).containsExactly(all);
    }

    @Test
    void anySingleOneIsEnoughWhenAllViolateAlone() {
        assertThat(Minimiser.minimise(upTo(100), txns -> true, Budget.unlimited()))
                .hasSize(1);
    }

    @Test
    void nothingIsAskedWithoutABudget() {
        int[] kept = Minimiser.minimise(upTo(100), holdsAll(1), Budget.ofNanos(0));

        assertThat(kept).hasSize(100);
        assertThat(asked).isZero();
    }

    @Test
    void resultAtEndOfBudgetStillViolates() {
        Budget budget = Budget.unlimited();
        int[] needed = {7, 70};
        IntArrayPredicate stillViolates = holdsAll(needed);

        int[] kept = Minimiser.minimise(
                upTo(100),
                txns -> {
                    if (asked == 5) {
                        budget.cancel();
                    }
                    return stillViolates.test(txns);
                },
                budget);

        assertThat(kept).contains(needed).hasSizeLessThan(100).hasSizeGreaterThan(2);
    }

    private IntArrayPredicate holdsAll(int... needed) {
        return txns -> {
            asked++;
            return Arrays.stream(needed).allMatch(txn -> Arrays.binarySearch(txns, txn) >= 0);
        };
    }

    private static int[] upTo(int count) {
        return IntStream.range(0, count).toArray();
    }
}
