package io.nightjar.pipeline.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BudgetTest {

    @Test
    void mostOfItEndsNoLaterThanAllOfIt() {
        Budget all = Budget.unlimited();
        Budget most = all.most();
        assertThat(most.isSpent()).isFalse();
        all.cancel();
        assertThat(most.isSpent()).isTrue();
        assertThat(Budget.ofNanos(0).most().isSpent()).isTrue();
    }

    @Test
    void theRestIsLeftWhereMostOfItIsSpent() {
        Budget all = Budget.unlimited();
        Budget most = all.most();
        most.cancel();
        assertThat(most.isSpent()).isTrue();
        assertThat(all.isSpent()).isFalse();
    }
}
