package io.nightjar.pipeline.validate;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SliceBuilder;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.validate.Capability.Evidence;
import io.nightjar.pipeline.validate.Capability.Extent;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class CapabilitiesTest {

    private static final Consumer<SliceBuilder> WRITE = builder -> Rows.write(builder, "x", 1);
    private static final Consumer<SliceBuilder> READ = builder -> Rows.read(builder, "x", 1);

    @Test
    void completeTimestampsDecideSnapshotIsolationAndSerializability() {
        Capability capability =
                only(Evidence.TIMESTAMPS, new Rows().txn(at(1, 2).andThen(WRITE).andThen(READ)));

        assertThat(capability.levels())
                .containsExactly(
                        IsolationLevel.SNAPSHOT_ISOLATION,
                        IsolationLevel.SERIALIZABLE,
                        IsolationLevel.COMMIT_ORDER_SERIALIZABLE);
        assertThat(capability.extent()).isEqualTo(Extent.YES);
        assertThat(capability.isChecked()).isTrue();
        assertThat(capability.why()).isEqualTo("every committed transaction has a start and a commit timestamp");
    }

    @Test
    void noTimestampsDecideNothing() {
        Capability capability = only(Evidence.TIMESTAMPS, new Rows().txn(WRITE.andThen(READ)));

        assertThat(capability.extent()).isEqualTo(Extent.NO);
        assertThat(capability.isChecked()).isFalse();
        assertThat(capability.why())
                .isEqualTo("no committed transaction has timestamps; start_ts and commit_ts would do");
    }

    @Test
    void timestampsThatSomeLackDecideNothing() {
        Capability capability = only(
                Evidence.TIMESTAMPS,
                new Rows()
                        .txn(at(1, 2).andThen(READ))
                        .txn(at(1, HistorySlice.NONE).andThen(WRITE)));

        assertThat(capability.extent()).isEqualTo(Extent.NO);
        assertThat(capability.why())
                .isEqualTo("1 of 2 committed transactions lack a timestamp, and all must have them");
    }

    @Test
    void writesWithTimestampsDecideConflictsOnly() {
        Capability capability = only(Evidence.TIMESTAMPS, new Rows().txn(at(1, 2).andThen(WRITE)));

        assertThat(capability.extent()).isEqualTo(Extent.PARTLY);
        assertThat(capability.why())
                .isEqualTo("every writer has timestamps but nothing was read: SESSION and NOCONFLICT are decided,"
                        + " nothing about reads");
    }

    @Test
    void setsAreLeftOpenByTimestamps() {
        Capability capability = only(
                Evidence.TIMESTAMPS,
                new Rows()
                        .txn(at(1, 2).andThen(builder -> Rows.op(builder, OpKind.ADD, "s", 1))
                                .andThen(READ)));

        assertThat(capability.extent()).isEqualTo(Extent.PARTLY);
        assertThat(capability.why())
                .isEqualTo("violations on registers and lists are found, but sets, counters and keys of mixed use"
                        + " stay open");
    }

    @Test
    void uniqueValuesDecideEveryLevel() {
        Capability capability = only(Evidence.VALUES, new Rows().txn(WRITE.andThen(READ)));

        assertThat(capability.levels()).isEqualTo(IsolationLevel.all());
        assertThat(capability.extent()).isEqualTo(Extent.YES);
        assertThat(capability.isChecked()).isTrue();
        assertThat(capability.why())
                .isEqualTo("every value is written once to its key, so each read identifies its writer;"
                        + " the stronger levels require a search");
    }

    @Test
    void repeatedValuesAreAmbiguous() {
        Capability capability =
                only(Evidence.VALUES, new Rows().txn(WRITE.andThen(READ)).txn(WRITE));

        assertThat(capability.extent()).isEqualTo(Extent.PARTLY);
        assertThat(capability.why())
                .isEqualTo("1 value written more than once, so reads of it may be of several writes");
    }

    @Test
    void valuesOfWhichOnlySomeWereComparedAreNotCalledUnique() {
        HistoryFacts facts = new HistoryFacts();
        new Rows().txn(WRITE.andThen(READ)).slices().forEach(facts::add);

        Capability capability = Capabilities.of(facts, 0, 0, 0, 0.125).stream()
                .filter(each -> each.evidence() == Evidence.VALUES)
                .findFirst()
                .orElseThrow();

        assertThat(capability.extent()).isEqualTo(Extent.PARTLY);
        assertThat(capability.why())
                .isEqualTo("no value is written twice to a key among the 13 % that were compared;"
                        + " more --memory compares all");
    }

    @Test
    void writesWithoutReadsShowLittleByValues() {
        Capability capability = only(Evidence.VALUES, new Rows().txn(WRITE));

        assertThat(capability.extent()).isEqualTo(Extent.PARTLY);
        assertThat(capability.why()).isEqualTo("nothing was read, so any order of commits will do and shows little");
    }

    @Test
    void setsAreLeftOpenByValues() {
        Capability capability = only(
                Evidence.VALUES,
                new Rows().txn(WRITE.andThen(READ)).txn(builder -> Rows.op(builder, OpKind.ADD, "s", 1)));

        assertThat(capability.extent()).isEqualTo(Extent.PARTLY);
        assertThat(capability.why())
                .isEqualTo("violations on registers and lists are found, but sets and keys of mixed use stay open");
    }

    @Test
    void countersAreAmbiguousByValues() {
        Capability capability = only(
                Evidence.VALUES,
                new Rows().txn(builder -> Rows.read(Rows.op(builder, OpKind.INCREMENT, "c", 1), "c", 1)));

        assertThat(capability.why()).isEqualTo("a counter's value does not identify the increments observed");
    }

    @Test
    void listsThatWereReadShowTheOrderOfAppends() {
        Capability capability = only(
                Evidence.VERSIONS,
                new Rows().txn(builder -> Rows.readList(Rows.op(builder, OpKind.APPEND, "l", 1), "l", 1)));

        assertThat(capability.extent()).isEqualTo(Extent.YES);
        assertThat(capability.why()).isEqualTo("list reads show the order of appends");
    }

    @Test
    void listsBesideRegistersShowTheOrderOfAppendsOnly() {
        Capability capability = only(
                Evidence.VERSIONS,
                new Rows()
                        .txn(builder -> Rows.readList(Rows.op(builder, OpKind.APPEND, "l", 1), "l", 1))
                        .txn(WRITE));

        assertThat(capability.extent()).isEqualTo(Extent.PARTLY);
        assertThat(capability.why()).endsWith("registers have no order");
    }

    @Test
    void versionsOfAllOperationsShowTheOrderOfWrites() {
        Capability capability = only(Evidence.VERSIONS, new Rows().txn(builder -> {
                    WRITE.accept(builder);
                    builder.version(1);
                    READ.accept(builder);
                    builder.version(1);
                }));

        assertThat(capability.extent()).isEqualTo(Extent.YES);
        assertThat(capability.why()).isEqualTo("every committed operation has a version");
    }

    @Test
    void versionsOfSomeOperationsShowTheOrderOfThese() {
        Capability capability = only(Evidence.VERSIONS, new Rows().txn(builder -> {
                    WRITE.accept(builder);
                    builder.version(1);
                    READ.accept(builder);
                }));

        assertThat(capability.extent()).isEqualTo(Extent.PARTLY);
        assertThat(capability.why())
                .isEqualTo("1 of 2 committed operations have a version, which orders these and no others");
    }

    @Test
    void registersWithoutVersionsShowNoOrder() {
        Capability capability = only(Evidence.VERSIONS, new Rows().txn(WRITE.andThen(READ)));

        assertThat(capability.extent()).isEqualTo(Extent.NO);
        assertThat(capability.why()).isEqualTo("neither versions nor list reads determine the order of writes");
    }

    @Test
    void timesOfTheClientAllowRealTime() {
        Capability capability = only(
                Evidence.REALTIME, new Rows().txn(WRITE.andThen(READ).andThen(builder -> builder.clientTimes(1, 2))));

        assertThat(capability.levels()).containsExactly(IsolationLevel.STRICT_SERIALIZABLE);
        assertThat(capability.extent()).isEqualTo(Extent.YES);
        assertThat(capability.isChecked()).isTrue();
    }

    @Test
    void timesOfTheClientThatAreMissingDoNot() {
        assertThat(only(Evidence.REALTIME, new Rows().txn(WRITE)).why())
                .isEqualTo("no committed transaction has the client's times; invoke_ns and complete_ns would do");
        assertThat(only(
                                Evidence.REALTIME,
                                new Rows().txn(WRITE).txn(READ.andThen(builder -> builder.clientTimes(1, 2))))
                        .why())
                .isEqualTo("1 of 2 committed transactions have the client's times, and all must have them");
    }

    @Test
    void aHistoryWithoutCommittedTransactionsHolds() {
        Capability capability = only(Evidence.TIMESTAMPS, new Rows());

        assertThat(capability.extent()).isEqualTo(Extent.YES);
        assertThat(capability.why()).isEqualTo("without committed transactions every level holds");
    }

    private static Consumer<SliceBuilder> at(long start, long commit) {
        return builder -> builder.timestamps(start, commit);
    }

    private static Capability only(Evidence evidence, Rows rows) {
        Inspection inspection = InspectionTest.inspected(rows, null, 1 << 20);
        return inspection.capabilities().stream()
                .filter(capability -> capability.evidence() == evidence)
                .findFirst()
                .orElseThrow();
    }
}
