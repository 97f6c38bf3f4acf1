package io.nightjar.datasets.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.datasets.inject.Fault;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GeneratorOptionsTest {

    @Test
    void defaultsAreThoseOfTheCommand() {
        GeneratorOptions options = GeneratorOptions.builder().build();

        assertThat(options.programs().workload()).isEqualTo("default");
        assertThat(options.programs().model()).isEqualTo(DataModel.REGISTER);
        assertThat(options.store()).isEqualTo(StoreKind.SI);
        assertThat(options.transactions()).isEqualTo(100_000);
        assertThat(options.sessions()).isEqualTo(50);
        assertThat(options.programs().ops()).isEqualTo(15);
        assertThat(options.programs().reads()).isEqualTo(0.5);
        assertThat(options.programs().keys()).isEqualTo(1000);
        assertThat(options.programs().distribution()).isEqualTo(KeyDistribution.UNIFORM);
        assertThat(options.seed()).isEqualTo(1);
        assertThat(options.faults()).isEmpty();
    }

    @Test
    void aValueOutOfRangeIsNamedWithItsRange() {
        assertThatThrownBy(() -> GeneratorOptions.builder().transactions(0).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("out of range: transactions=0 min=1 max=1000000000000");
        assertThatThrownBy(() -> GeneratorOptions.builder().sessions(-1).build())
                .hasMessage("out of range: sessions=-1 min=1 max=1000000");
        assertThatThrownBy(() -> GeneratorOptions.builder().ops(0).build())
                .hasMessage("out of range: ops=0 min=1 max=100000");
        assertThatThrownBy(() -> GeneratorOptions.builder().keys(0).build())
                .hasMessage("out of range: keys=0 min=1 max=100000000");
        assertThatThrownBy(() -> GeneratorOptions.builder().concurrency(-1).build())
                .hasMessage("out of range: concurrency=-1 min=1 max=1000000");
    }

    @Test
    void readsAreAShare() {
        assertThatThrownBy(() -> GeneratorOptions.builder().reads(50).build())
                .hasMessage("out of range: reads=50.0 min=0 max=1; it is a share, not percent");
        assertThatThrownBy(() -> GeneratorOptions.builder().reads(Double.NaN).build())
                .hasMessage("out of range: reads=NaN min=0 max=1; it is a share, not percent");
    }

    @Test
    void unknownWordsAreAnsweredWithTheKnownOnes() {
        assertThatThrownBy(() -> DataModel.byName("graph"))
                .hasMessage("unknown model: model=graph expected=register|list");
        assertThatThrownBy(() -> StoreKind.byName("xa"))
                .hasMessage("unknown store: store=xa expected=si|ser|rc|ra|cc|pc");
        assertThatThrownBy(() -> KeyDistribution.byName("normal"))
                .hasMessage("unknown distribution: distribution=normal expected=uniform|zipfian|hotspot");
        assertThatThrownBy(() -> GeneratorOptions.builder().workload("tpcx").build())
                .hasMessage(
                        "unknown workload: workload=tpcx expected=default|tenants|list|kv|sets|counters|cas|register|hot-keys|blind-writes|bank"
                                + "|write-skew|predicate|ranges|deletes|smallbank|tpcc|voter|twitter|courseware|shopping-cart"
                                + "|stack|wikipedia|epinions");
    }

    @Test
    void optionsThatWorkloadOrStoreLacksAreRejected() {
        assertThatThrownBy(() -> GeneratorOptions.builder()
                        .workload("bank")
                        .faults(Map.of(Fault.STALE_READ, 1))
                        .build())
                .hasMessageStartingWith("faults are planted in histories of the default workload");
        assertThatThrownBy(() -> GeneratorOptions.builder()
                        .workload("list")
                        .store(StoreKind.CC)
                        .build())
                .hasMessageStartingWith("lists need the default workload and a store of snapshots");
        assertThatThrownBy(() -> GeneratorOptions.builder()
                        .workload("tenants")
                        .store(StoreKind.RC)
                        .build())
                .hasMessageStartingWith("the workload needs a store of snapshots: workload=tenants");
    }

    @Test
    void registerAndListAreNamesOfTheDefaultWorkload() {
        assertThat(GeneratorOptions.builder().workload("register").build())
                .isEqualTo(GeneratorOptions.builder().build());
        assertThat(GeneratorOptions.builder().workload("list").build())
                .isEqualTo(GeneratorOptions.builder().model(DataModel.LIST).build());
    }

    @Test
    void faultsOfCountZeroAreNotWanted() {
        GeneratorOptions options = GeneratorOptions.builder()
                .faults(Map.of(Fault.STALE_READ, 0, Fault.CLOCK_SKEW, 2))
                .build();

        assertThat(options.faults()).containsExactly(Map.entry(Fault.CLOCK_SKEW, 2));
    }
}
