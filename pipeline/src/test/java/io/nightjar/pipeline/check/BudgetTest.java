package io.nightjar.pipeline.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BudgetTest {

    @Test
    void largerPartEndsNoLaterThanWhole() {
        Budget all = Budget.unlimited();
        Budget whole = all.largerPortion();
        assertThat(whole.isSpent()).isFalse();
        all.cancel();
        assertThat(whole.isSpent()).isTrue();
        assertThat(Budget.ofNanos(0).largerPortion().isSpent()).isTrue();
    }

    @Test
    void restRemainsAfterLargerPartIsSpent() {
        Budget all = Budget.unlimited();
        Budget whole = all.largerPortion();
        whole.cancel();
        assertThat(whole.isSpent()).isTrue();
        assertThat(all.isSpent()).isFalse();
    }
}
