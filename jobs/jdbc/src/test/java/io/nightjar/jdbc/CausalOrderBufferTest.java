package io.nightjar.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.jdbc.JdbcTxn.Status;
import io.nightjar.jdbc.RecordedTable.RowImage;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What may be in an archive without what. */
class CausalOrderBufferTest {

    private static final RecordedTable TABLE =
            new RecordedTable("t", "t", new TreeMap<>(Map.of("id", Types.INTEGER)), List.of("id"), "", false);
    private static final RowImage ROW = new RowImage("t/1", "{\"id\":1}");
    private static final RowImage OTHER = new RowImage("t/2", "{\"id\":2}");

    private final List<Long> archived = new ArrayList<>();
    private final CausalOrderBuffer order = new CausalOrderBuffer(txn -> archived.add(txn.id));

    @Test
    void readersWaitTransitivelyForTheirWriters() {
        JdbcTxn writer = txn(1);
        JdbcTxn reader = txn(2);
        JdbcTxn last = txn(3);
        order.wrote(writer, ROW);
        order.read(reader, TABLE, ROW);
        order.wrote(reader, OTHER);
        order.read(last, TABLE, OTHER);

        end(last);
        end(reader);
        assertThat(archived).isEmpty();
        end(writer);

        assertThat(archived).containsExactlyInAnyOrder(1L, 2L, 3L);
        assertThat(order.waitingCount()).isZero();
    }

    @Test
    void writerOfAnotherRowDelaysNone() {
        order.wrote(txn(1), OTHER);
        JdbcTxn reader = txn(2);
        order.read(reader, TABLE, ROW);
        end(reader);

        assertThat(archived).containsExactly(2L);
    }

    @Test
    void readerWaitsForUnreportedAutoCommit() {
        JdbcTxn statement = txn(1);
        order.isAtWork(statement, TABLE);
        JdbcTxn reader = txn(2);
        order.read(reader, TABLE, ROW);
        end(reader);
        assertThat(archived).isEmpty();
        end(statement);

        assertThat(archived).hasSize(2);
    }

    @Test
    void readerOfRowOfUnknownContentWaitsForItsWriters() {
        JdbcTxn writer = txn(1);
        order.wrote(writer, ROW);
        JdbcTxn reader = txn(2);
        order.found(reader, TABLE, ROW.key());
        end(reader);
        assertThat(archived).isEmpty();
        end(writer);

        assertThat(archived).hasSize(2);
    }

    @Test
    void twoThatReadFromEachOtherComeTogether() {
        JdbcTxn one = txn(1);
        JdbcTxn other = txn(2);
        order.wrote(one, ROW);
        order.wrote(other, OTHER);
        order.read(one, TABLE, OTHER);
        order.read(other, TABLE, ROW);
        end(one);
        assertThat(archived).isEmpty();
        end(other);

        assertThat(archived).containsExactlyInAnyOrder(1L, 2L);
    }

    private static JdbcTxn txn(long id) {
        return new JdbcTxn(id, id, 0, 0, "serializable", false);
    }

    private void end(JdbcTxn txn) {
        txn.end(Status.COMMITTED);
        order.end(txn);
    }
}
