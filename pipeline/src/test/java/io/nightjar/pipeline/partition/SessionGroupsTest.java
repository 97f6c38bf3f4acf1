package io.nightjar.pipeline.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.Seeds;
import io.nightjar.fixtures.small.RandomHistory;
import io.nightjar.fixtures.small.RandomReads;
import io.nightjar.fixtures.small.SideBySide;
import io.nightjar.fixtures.small.SmallHistory;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SliceBuilder;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.pipeline.infer.ListReads;
import io.nightjar.pipeline.infer.OperationLog;
import io.nightjar.pipeline.infer.OperationLogBuilder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SessionGroupsTest {

    private static OperationLog log(List<HistorySlice> slices, String initialValue) {
        OperationLogBuilder builder = new OperationLogBuilder(initialValue);
        slices.forEach(builder::add);
        return builder.build();
    }

    private static OperationLog log(SmallHistory history) {
        return log(history.slices(3), history.initialValue());
    }

    private static OperationLog log(String notation) {
        return log(SmallHistory.parse(notation));
    }

    private static List<List<Long>> groups(OperationLog log) {
        SessionGroups groups = SessionGroups.of(log);
        List<List<Long>> ids = new ArrayList<>();
        for (int group = 0; group < groups.count(); group++) {
            OperationLog part = groups.log(group);
            assertThat(part.txnCount).isEqualTo(groups.txnCount(group));
            ids.add(Arrays.stream(part.txnId, 0, part.txnCount).boxed().toList());
        }
        return ids;
    }

    @Test
    void sessionsThatShareAKeyThroughOthersAreOneGroup() {
        OperationLog log = log(
                """
                s1 T1: w(x,1)
                s2 T2: r(x,1) w(y,2)
                s3 T3: r(y,2)
                s4 T4: w(z,3)
                """);

        assertThat(groups(log)).containsExactly(List.of(1L, 2L, 3L), List.of(4L));
    }

    @Test
    void transactionsThatDidNotCommitHoldGroupsTogether() {
        OperationLog log = log(
                """
                s1 T1: w(x,1)
                s1 T2!: w(y,2)
                s2 T3: r(y,_)
                s3 T4: w(a,1)
                s3 T5?: w(b,1)
                s4 T6: r(b,_)
                """);

        assertThat(groups(log)).containsExactly(List.of(1L, 2L, 3L), List.of(4L, 5L, 6L));
    }

    @Test
    void groupsAreSortedBySizeThenFirstRow() {
        OperationLog log = log(
                """
                s9 T9: w(a,1)
                s5 T5: w(b,1)
                s7 T7: w(c,1)
                s5 T6: w(b,2)
                s3 T3: w(d,1)
                s7 T8: w(c,2)
                """);

        assertThat(groups(log)).containsExactly(List.of(5L, 6L), List.of(7L, 8L), List.of(9L), List.of(3L));
    }

    @Test
    void nothingIsCopiedWhereAllIsOneGroup() {
        OperationLog log = log("""
                s1 T1: w(x,1)
                s2 T2: r(x,1)
                """);

        assertThat(SessionGroups.of(log).count()).isEqualTo(1);
        assertThat(SessionGroups.of(log).log(0)).isSameAs(log);
    }

    @Test
    void anEmptyHistoryIsOneGroup() {
        OperationLog log = log(List.of(), null);

        assertThat(SessionGroups.of(log).count()).isEqualTo(1);
        assertThat(SessionGroups.of(log).log(0)).isSameAs(log);
    }

    @Tag(Seeds.TAG)
    @Test
    void aGroupIsTheLogOfItsRowsAlone() {
        int several = 0;
        for (long seed : Seeds.upTo(2_000)) {
            List<SmallHistory> histories = new ArrayList<>();
            for (long part = 0; part < 1 + seed % 4; part++) {
                histories.add(seed % 3 == 0 ? RandomReads.of(7 * seed + part) : RandomHistory.of(7 * seed + part));
            }
            SmallHistory whole = SideBySide.of(histories, seed).whole();
            SessionGroups groups = SessionGroups.of(log(whole));
            Set<Long> found = new HashSet<>();
            for (int group = 0; group < groups.count(); group++) {
                OperationLog part = groups.log(group);
                List<HistorySlice> rows = new ArrayList<>();
                for (HistorySlice row : whole.slices(1)) {
                    if (Arrays.stream(part.txnId, 0, part.txnCount).anyMatch(id -> id == row.txnId[0])) {
                        rows.add(row);
                        assertThat(found.add(row.txnId[0])).isTrue();
                    }
                }
                assertSame(part, log(rows, whole.initialValue()), "seed=%d group=%d".formatted(seed, group));
            }
            assertThat(found).as("seed=%d", seed).hasSize(whole.txns().size());
            several += groups.count() > 1 ? 1 : 0;
        }
        if (Seeds.areAll()) {
            assertThat(several).isGreaterThan(1_000);
        }
    }

    @Test
    void columnsThatAGroupLacksAreMissing() {
        SliceBuilder slice = new SliceBuilder("rows");
        slice.keysAreLongs();
        slice.valuesAreLongs();
        slice.beginTxn(1, 1, 1, 0).timestamps(3, 4);
        slice.op(OpKind.WRITE, 1, 1);
        slice.endTxn();
        slice.beginTxn(2, 2, 2, 0).clientTimes(5, 6);
        slice.op(OpKind.WRITE, 2, 1);
        slice.version(7);
        slice.endTxn();
        SessionGroups groups = SessionGroups.of(log(List.of(slice.build()), null));

        OperationLog first = groups.log(0);
        OperationLog second = groups.log(1);

        assertThat(first.startTs).containsExactly(3);
        assertThat(first.invokeNs).isNull();
        assertThat(first.version).isNull();
        assertThat(second.commitTs).isNull();
        assertThat(second.completeNs).containsExactly(6);
        assertThat(second.version).containsExactly(7);
    }

    /** Lists that contradict others are numbered in each log as they come; they are compared by what they are. */
    private static void assertSame(OperationLog part, OperationLog alone, String what) {
        assertThat(part.txnCount).as(what).isEqualTo(alone.txnCount);
        assertThat(part.opCount).as(what).isEqualTo(alone.opCount);
        assertThat(part.keyCount).as(what).isEqualTo(alone.keyCount);
        int txns = part.txnCount;
        int ops = part.opCount;
        assertThat(cut(part.txnId, txns)).as(what).isEqualTo(cut(alone.txnId, txns));
        assertThat(cut(part.sessionId, txns)).as(what).isEqualTo(cut(alone.sessionId, txns));
        assertThat(cut(part.sessionSeq, txns)).as(what).isEqualTo(cut(alone.sessionSeq, txns));
        assertThat(Arrays.copyOf(part.status, txns)).as(what).isEqualTo(Arrays.copyOf(alone.status, txns));
        assertThat(cut(part.startTs, txns)).as(what).isEqualTo(cut(alone.startTs, txns));
        assertThat(cut(part.commitTs, txns)).as(what).isEqualTo(cut(alone.commitTs, txns));
        assertThat(Arrays.copyOf(part.firstOpOf, txns + 1))
                .as(what)
                .isEqualTo(Arrays.copyOf(alone.firstOpOf, txns + 1));
        assertThat(Arrays.copyOf(part.kind, ops)).as(what).isEqualTo(Arrays.copyOf(alone.kind, ops));
        assertThat(Arrays.copyOf(part.key, ops)).as(what).isEqualTo(Arrays.copyOf(alone.key, ops));
        assertThat(cut(part.version, ops)).as(what).isEqualTo(cut(alone.version, ops));
        for (int key = 0; key < part.keyCount; key++) {
            assertThat(part.keyText(key)).as(what).isEqualTo(alone.keyText(key));
            assertThat(part.lists.trunkLength(key)).as(what).isEqualTo(alone.lists.trunkLength(key));
        }
        for (int op = 0; op < ops; op++) {
            assertThat(value(part, op)).as(what).isEqualTo(value(alone, op));
            if (part.kind[op] != OpKind.READ_LIST) {
                assertThat(part.value[op]).as(what).isEqualTo(alone.value[op]);
            }
        }
    }

    private static long[] cut(long[] column, int count) {
        return column == null ? null : Arrays.copyOf(column, count);
    }

    private static String value(OperationLog log, int op) {
        long value = log.value[op];
        return switch (log.kind[op]) {
            case OpKind.READ_NOTHING -> "nothing";
            case OpKind.READ_LIST -> {
                StringBuilder text = new StringBuilder(ListReads.isPrefixOfTrunk(value) ? "prefix" : "odd");
                for (int at = 0; at < log.lists.length(value); at++) {
                    text.append(' ').append(log.valueText(log.lists.element(log.key[op], value, at)));
                }
                yield text.toString();
            }
            default -> log.valueText(value);
        };
    }

    @Test
    void statusesAreNotMixedUp() {
        OperationLog log = log(
                """
                s1 T1!: w(x,1)
                s2 T2: w(y,1)
                s1 T3: w(x,2)
                """);

        OperationLog part = SessionGroups.of(log).log(0);

        assertThat(part.status[0]).isEqualTo(TxnStatus.ABORTED);
        assertThat(part.status[1]).isEqualTo(TxnStatus.COMMITTED);
    }
}
