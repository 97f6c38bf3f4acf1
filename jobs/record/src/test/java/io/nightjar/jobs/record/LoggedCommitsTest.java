package io.nightjar.jobs.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.datasets.jdbc.JdbcTables;
import io.nightjar.datasets.jdbc.SqlDialect;
import io.nightjar.datasets.jdbc.SqlDialect.Certificates;
import io.nightjar.datasets.workload.RecordedTxn;
import io.nightjar.datasets.workload.WorkloadKeys;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.jobs.record.DecodedText.Kind;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LoggedCommitsTest {

    private final LoggedCommits log = new LoggedCommits();
    private final CommitTimestamps order = new CommitTimestamps(true);

    LoggedCommitsTest() throws IOException {}

    @AfterEach
    void close() throws IOException {
        log.close();
        order.close();
    }

    // ---------------------------------------------------------------- the order

    @Test
    void commitsBetweenTwoSnapshotsHaveLogOrder() throws IOException {
        order.commit(1, 10, 10);
        order.commit(2, 11, 10);
        order.commit(3, 12, 10);
        order.commit(4, 20, 20);
        order.commit(5, 21, 20);
        logged(4, 3, 1, 5, 2); // the later gap first

        order.arrange(log);

        assertThat(List.of(order.of(3), order.of(1), order.of(2), order.of(4), order.of(5)))
                .containsExactly(10L, 11L, 12L, 20L, 21L);
    }

    @Test
    void unloggedTransactionLeavesNoGap() throws IOException {
        order.commit(1, 5, 5);
        order.commit(2, 6, 5);
        order.commit(3, 7, 5);
        logged(3, 1);

        order.arrange(log);

        assertThat(List.of(order.of(3), order.of(1))).containsExactly(5L, 6L);
        assertThat(log.isLogged(2)).isFalse();
    }

    @Test
    void unwrittenValuesAreForeign() throws IOException {
        logged(1);
        log.add(1, 77); // a row of ours changed once more without its value
        log.add(2, 78);

        order.arrange(log);

        assertThat(log.foreign()).isEqualTo(2);
    }

    private void logged(long... txnIds) throws IOException {
        for (long txnId : txnIds) {
            RecordedTxn txn = written(txnId, 1);
            log.recordAcknowledged(txn);
            log.add(txnId, LoggedCommits.write(3, 0, txnId * 1_000, 1));
        }
    }

    private static RecordedTxn written(long txnId, long rowVersion) {
        RecordedTxn txn = new RecordedTxn();
        txn.clear();
        txn.id = txnId;
        txn.add(OpKind.WRITE, 3, 0, txnId * 1_000);
        txn.op(0).rowVersion = rowVersion;
        txn.add(OpKind.READ, 4, 0, 5_000);
        return txn;
    }

    @Test
    void writesThatDifferFromAcknowledgedOnesAreDetected() throws IOException {
        logged(1);
        log.recordAcknowledged(written(2, 9));
        log.add(2, LoggedCommits.write(3, 0, 2_000, 8));
        RecordedTxn reader = written(3, 1);
        reader.op(0).kind = OpKind.READ;
        log.recordAcknowledged(reader);

        assertThat(log.matchesAcknowledged(1)).isTrue();
        assertThat(log.matchesAcknowledged(2)).isFalse();
        assertThat(log.hasWrites(2)).isTrue();
        assertThat(log.hasWrites(3)).isFalse();
    }

    // ---------------------------------------------------------------- the text

    @Test
    void rowsOfTheWorkloadAreReadAsSessionsWriteThem() {
        WorkloadKeys keys = WorkloadKeys.tables();
        keys.table("place", "amount", 10, -1);
        keys.table("account", "balance", 10, 100);
        DecodedText text = text(keys);

        assertThat(text.read("BEGIN 781")).isEqualTo(Kind.BEGIN);
        assertThat(text.read("table public.nightjar_account: UPDATE: id[integer]:5 amount[bigint]:-77 v[bigint]:12005"
                        + " n[bigint]:7"))
                .isEqualTo(Kind.WRITE);
        assertThat(text.writer()).isEqualTo(12);
        assertThat(text.write()).isEqualTo(LoggedCommits.write(15, -77, 12_005, 7));
        assertThat(text.read("COMMIT 781")).isEqualTo(Kind.COMMIT);
    }

    @Test
    void lastListElementIsAppendedElement() {
        DecodedText text = text(WorkloadKeys.lists(10));

        for (String elements : List.of("'12005,'", "'3001,44000,12005,'")) {
            assertThat(text.read("table public.nightjar_list: INSERT: id[integer]:3 elements[text]:" + elements))
                    .isEqualTo(Kind.WRITE);
            assertThat(text.writer()).isEqualTo(12);
            assertThat(text.write()).isEqualTo(LoggedCommits.write(3, 0, 12_005, HistorySlice.NONE));
        }
    }

    @Test
    void otherStatementsAreForeignAndOtherTablesIgnored() {
        DecodedText text = text(WorkloadKeys.numbers(10));

        assertThat(List.of(
                        text.read("table public.nightjar_register: DELETE: id[integer]:5"),
                        text.read("table public.nightjar_register: TRUNCATE: (no-flags)"),
                        text.read("table public.nightjar_register: UPDATE: id[integer]:5 v[bigint]:null n[bigint]:7"),
                        text.read("table public.nightjar_register: UPDATE: id[integer]:5 note[text]:'it''s: ]:1'"),
                        text.read("table public.nightjar_register: INSERT: (no-tuple-data)")))
                .containsOnly(Kind.FOREIGN);
        assertThat(List.of(
                        text.read("table public.nightjar_registers: DELETE: id[integer]:5"),
                        text.read("table other.nightjar_register: DELETE: id[integer]:5"),
                        text.read("table public.register: DELETE: id[integer]:5"),
                        text.read("something new")))
                .containsOnly(Kind.OTHER);
    }

    @Test
    void aMessageHasItsContent() {
        DecodedText text = text(WorkloadKeys.numbers(10));

        assertThat(text.read("message: transactional: 1 prefix: nightjar, sz: 3 content:abc"))
                .isEqualTo(Kind.MESSAGE);
        assertThat(text.content()).isEqualTo("abc");
    }

    private static DecodedText text(WorkloadKeys keys) {
        return new DecodedText(new JdbcTables(SqlDialect.POSTGRESQL, keys, Certificates.SNAPSHOTS), "public");
    }
}
