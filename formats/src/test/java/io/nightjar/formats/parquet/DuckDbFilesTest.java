package io.nightjar.formats.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.formats.file.SizeLimit;
import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.SliceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Histories written by DuckDB. */
class DuckDbFilesTest {

    /** Five thousand transactions of zero to four operations, with keys and values of the given types. */
    private static final String MANY =
            """
            select i as txn_id, (i % 7)::%1$s as session_id, i // 7 as session_seq,
                case when i %% 5 = 0 then 'aborted' else 'committed' end as status,
                case when i %% 3 = 0 then null else 1000 + i end as start_ts, 2000 + i as commit_ts,
                list_transform(range(0, i %% 5), lambda j: {
                    'kind': case when j %% 2 = 0 then 'w' else 'r' end,
                    'key': (i * j %% 100)::%2$s,
                    'value': (case when j = 3 then null else i * 1000 + j end)::%3$s}) as ops
            from range(0, 5000) t(i)"""
                    .replace("i % 7)", "i %% 7)");

    @TempDir
    Path folder;

    private Path file() {
        return folder.resolve("h.parquet");
    }

    @ParameterizedTest
    @CsvSource({
        "uncompressed,V1", "snappy,V1", "gzip,V1", "zstd,V1", "lz4_raw,V1",
        "uncompressed,V2", "snappy,V2", "gzip,V2", "zstd,V2", "lz4_raw,V2",
    })
    void everyCodecAndVersionIsRead(String codec, String version) throws IOException, SQLException {
        copy(MANY.formatted("bigint", "bigint", "bigint"), "codec '" + codec + "', parquet_version " + version);

        assertThat(SliceText.read(file())).isEqualTo(many("", ""));
    }

    @ParameterizedTest
    @CsvSource({
        "integer,integer,integer,V1", "integer,smallint,integer,V2", "utinyint,utinyint,uinteger,V1",
        "ubigint,ubigint,ubigint,V2", "bigint,varchar,varchar,V1", "bigint,varchar,varchar,V2",
        "integer,varchar,bigint,V1", "integer,bigint,varchar,V2",
    })
    void everyTypeOfColumnIsRead(String ids, String keys, String values, String version)
            throws IOException, SQLException {
        copy(MANY.formatted(ids, keys, values), "parquet_version " + version);

        assertThat(SliceText.read(file()))
                .isEqualTo(many(keys.equals("varchar") ? "'" : "", values.equals("varchar") ? "'" : ""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"row_group_size 2048", "row_group_size 2048, parquet_version V2"})
    void eachRowGroupIsASplit(String options) throws IOException, SQLException {
        copy(MANY.formatted("bigint", "varchar", "bigint"), options);

        try (HistorySource source = ParquetHistorySource.open("h", List.of(file()))) {
            assertThat(source.splits()).hasSize(3);
            assertThat(source.splits().get(0).txnCount()).isEqualTo(2048);
            assertThat(source.splits().get(0).opCount()).isGreaterThanOrEqualTo(2 * 2048 - 10);
        }
        assertThat(SliceText.read(file())).isEqualTo(many("'", ""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "dictionary_size_limit 1", "dictionary_size_limit 1, parquet_version V2",
                "dictionary_size_limit 1000000", "dictionary_size_limit 1000000, parquet_version V2",
                "string_dictionary_page_size_limit 10, parquet_version V2",
            })
    void valuesWithAndWithoutDictionaryAreRead(String options) throws IOException, SQLException {
        copy(MANY.formatted("bigint", "varchar", "varchar"), options);

        assertThat(SliceText.read(file())).isEqualTo(many("'", "'"));
    }

    @Test
    void rowGroupLargerThanSliceIsReadInSeveralSlices() throws IOException, SQLException {
        copy(
                "select i as txn_id, 0 as session_id, i as session_seq, list_transform(range(0, 20), lambda j:"
                        + " {'kind': 'w', 'key': j, 'value': i * 20 + j}) as ops from range(0, 50000) t(i)",
                "row_group_size 1000000");

        List<Integer> opCounts = new ArrayList<>();
        long nextValue = 0;
        try (HistorySource source = ParquetHistorySource.open("h", List.of(file()));
                SliceReader reader = source.open(0, ColumnGroup.all(), BadRowHandler.REJECT)) {
            for (HistorySlice slice = reader.next(); slice != null; slice = reader.next()) {
                opCounts.add(slice.opCount);
                for (int op = 0; op < slice.opCount; op++) {
                    assertThat(slice.value[op]).isEqualTo(nextValue++);
                }
            }
        }
        assertThat(nextValue).isEqualTo(1_000_000);
        assertThat(opCounts).hasSizeGreaterThan(10).allMatch(count -> count < 100_000);
    }

    @Test
    void pageThatExceedsMemoryIsRejectedWithSufficientMemory() throws IOException, SQLException {
        int length = SizeLimit.PAGE.bytes() + 1;
        copy(
                "select 1 as txn_id, 0 as session_id, 0 as session_seq, [{'kind': 'w', 'key': repeat('x', " + length
                        + "), 'value': 1}] as ops",
                "codec zstd");

        assertThat(Files.size(file())).isLessThan(1 << 20);
        assertThatThrownBy(() -> SliceText.read(file()))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessageStartingWith("[" + file())
                .hasMessageMatching("(?s).*page does not fit into memory: bytes=\\d+ limitBytes="
                        + SizeLimit.PAGE.bytes() + ".*; --memory \\d+m would do");
    }

    @Test
    void onlyWantedColumnsAreFilled() throws IOException, SQLException {
        copy(MANY.formatted("bigint", "bigint", "bigint"), "codec zstd");

        try (HistorySource source = ParquetHistorySource.open("h", List.of(file()));
                SliceReader reader = source.open(0, EnumSet.noneOf(ColumnGroup.class), BadRowHandler.REJECT)) {
            HistorySlice slice = reader.next();
            assertThat(slice.txnId[1]).isEqualTo(1);
            assertThat(slice.startTs).isNull();
            assertThat(slice.invokeNs).isNull();
            assertThat(slice.firstOpOf).isNull();
            assertThat(slice.extra).isNull();
        }
    }

    @Test
    void timestampsThatAreMissingAreNone() throws IOException, SQLException {
        copy(oneOp("{'kind': 'w', 'key': 1, 'value': 2}"), "codec zstd");

        try (HistorySource source = ParquetHistorySource.open("h", List.of(file()));
                SliceReader reader = source.open(0, ColumnGroup.all(), BadRowHandler.REJECT)) {
            HistorySlice slice = reader.next();
            assertThat(slice.startTs[0]).isEqualTo(HistorySlice.NONE);
            assertThat(slice.completeNs[0]).isEqualTo(HistorySlice.NONE);
            assertThat(slice.version).isNull();
            assertThat(slice.writerTxn).isNull();
        }
    }

    @Test
    void elementsVersionsAndWritersAreRead() throws IOException, SQLException {
        copy(
                "select 1 as txn_id, 2 as session_id, 3 as session_seq, [{'kind': 'r', 'key': 'l', 'value': null,"
                        + " 'elements': ['a', 'b'], 'version': 4, 'writer_txn': null},"
                        + " {'kind': 'r', 'key': 'l', 'value': null, 'elements': [], 'version': null,"
                        + " 'writer_txn': 5},"
                        + " {'kind': 'append', 'key': 'l', 'value': 'c', 'elements': null, 'version': null,"
                        + " 'writer_txn': null}] as ops",
                "codec zstd");

        assertThat(SliceText.read(file()))
                .containsExactly(
                        "row 1: 1 2/3 committed [-,-] (-,-) r('l',['a', 'b'] v4) r('l',[] by5) append('l','c')");
    }

    @Test
    void columnOfNullsMayHaveAnyType() throws IOException, SQLException {
        copy(
                "select 1 as txn_id, 2 as session_id, 3 as session_seq, null as start_ts, null as extra, [{'kind': 'w',"
                        + " 'key': 'x', 'value': 'one', 'elements': null::integer[], 'version': null}] as ops",
                "codec zstd");

        assertThat(SliceText.read(file())).containsExactly("row 1: 1 2/3 committed [-,-] (-,-) w('x','one')");
    }

    @Test
    void unknownColumnsGoToExtra() throws IOException, SQLException {
        copy(
                "select 1 as txn_id, 2 as session_id, 3 as session_seq, [{'kind': 'w', 'key': 1, 'value': 2}] as ops,"
                        + " unnest([null, '{}', '{\"node\":\"n1\"}', 'oops', '{\"tries\":9}']) as extra,"
                        + " unnest(['a\"b', null, 'x', null, null]) as host, unnest([1, 2, 3, null, 5]) as tries,"
                        + " true as ok, 0.5::double as load, 1.25::decimal(9,2) as price, {'a': 7} as nested",
                "codec zstd");

        assertThat(SliceText.read(file()))
                .extracting(line -> line.substring(line.indexOf("w(1,2)") + 7))
                .containsExactly(
                        "{\"host\":\"a\\\"b\",\"tries\":1,\"ok\":true,\"load\":0.5,\"price\":1.25,\"nested.a\":7}",
                        "{\"tries\":2,\"ok\":true,\"load\":0.5,\"price\":1.25,\"nested.a\":7}",
                        "{\"node\":\"n1\",\"host\":\"x\",\"tries\":3,\"ok\":true,\"load\":0.5,\"price\":1.25,"
                                + "\"nested.a\":7}",
                        "{\"extra\":\"oops\",\"ok\":true,\"load\":0.5,\"price\":1.25,\"nested.a\":7}",
                        "{\"tries\":9,\"ok\":true,\"load\":0.5,\"price\":1.25,\"nested.a\":7}");
    }

    @Test
    void timestampColumnsAreNumbers() throws IOException, SQLException {
        copy(
                "select 1 as txn_id, 2 as session_id, 3 as session_seq, timestamp '1970-01-01 00:00:01' as start_ts,"
                        + " timestamptz '1970-01-01 00:00:02+00' as commit_ts,"
                        + " [{'kind': 'w', 'key': 1, 'value': 2}] as ops",
                "codec zstd");

        assertThat(SliceText.read(file())).containsExactly("row 1: 1 2/3 committed [1000000,2000000] (-,-) w(1,2)");
    }

    @Test
    void listsOfManyElementsArePrefixesOfLongest() throws IOException, SQLException {
        copy(
                "select i as txn_id, 0 as session_id, i as session_seq, [{'kind': 'r', 'key': 'l', 'value':"
                        + " null::bigint, 'elements': range(0, 40000 - i)}] as ops from range(0, 50) t(i)",
                "codec zstd");

        try (HistorySource source = ParquetHistorySource.open("h", List.of(file()));
                SliceReader reader = source.open(0, ColumnGroup.all(), BadRowHandler.REJECT)) {
            HistorySlice slice = reader.next();
            assertThat(slice.txnCount).isEqualTo(50);
            assertThat(slice.lists.size()).isEqualTo(1);
            assertThat(slice.lists.length(0)).isEqualTo(40_000);
            assertThat(reader.next()).isNull();
        }
    }

    @Test
    void listsThatShareNothingFillSlicesEarly() throws IOException, SQLException {
        copy(
                "select i as txn_id, 0 as session_id, i as session_seq, [{'kind': 'r', 'key': i, 'value':"
                        + " null::bigint, 'elements': range(i, i + 100)}] as ops from range(0, 20000) t(i)",
                "codec zstd");

        int slices = 0;
        int txns = 0;
        try (HistorySource source = ParquetHistorySource.open("h", List.of(file()));
                SliceReader reader = source.open(0, ColumnGroup.all(), BadRowHandler.REJECT)) {
            for (HistorySlice slice = reader.next(); slice != null; slice = reader.next()) {
                slices++;
                txns += slice.txnCount;
            }
        }
        assertThat(txns).isEqualTo(20_000);
        assertThat(slices).isGreaterThan(1);
    }

    // ---------------------------------------------------------------- bad rows

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'kind': 'x', 'key': 1, 'value': 2}|unknown op kind: op=0 kind=x expected=r,w,append,add,inc,p,v,d,cas,ins,has,rem; rename the kind",
                "{'kind': null::varchar, 'key': 1, 'value': 2}|op kind is null: op=0 expected=r,w,append,add,inc,p,v,d,cas,ins,has,rem; drop the op or give its kind",
                "{'kind': 'w', 'key': null::bigint, 'value': 2}|op key is null: op=0; give each op a key",
                "{'kind': 'w', 'key': 1, 'value': null}|write without a value: op=0 kind=w; give it a value",
                "{'kind': 'add', 'key': 1}|write without a value: op=0 kind=add; give it a value",
                "{'kind': 'r', 'key': 1, 'value': 2, 'elements': [3]}|op has both a value and elements: op=0; leave one of them null",
                "{'kind': 'w', 'key': 1, 'value': 2, 'elements': [3]}|op has both a value and elements: op=0; leave one of them null",
                "{'kind': 'r', 'key': 1, 'elements': [3, null]}|element is null: op=0; leave nulls out of elements",
                "{'kind': 'w', 'key': 1, 'value': 9223372036854775808::ubigint}|value does not fit int64: op=0 value=9223372036854775808 max=9223372036854775807; use strings",
                "{'kind': 'w', 'key': 9223372036854775809::ubigint, 'value': 1}|key does not fit int64: op=0 key=9223372036854775809 max=9223372036854775807; use strings",
                "{'kind': 'r', 'key': 1, 'elements': [9223372036854775808::ubigint]}|elements does not fit int64: op=0 elements=9223372036854775808 max=9223372036854775807; use strings",
                "{'kind': 'w', 'key': 1, 'value': 2, 'version': -9223372036854775808}|version is reserved: op=0 version=-9223372036854775808; leave it null",
            })
    void anOperationThatIsNoneIsABadRow(String op, String reason) throws SQLException {
        copy(oneOp(op), "codec zstd");

        assertThatThrownBy(() -> SliceText.read(file()))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessage(at(" row=1") + " "
                        + reason.replace(
                                "r,w,append,add,inc,p,v,d,cas,ins,has,rem",
                                "r|w|append|add|inc|p|v|d|cas|ins|has|rem"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "null::bigint|2|3|4|txn_id is null: expected=int64; give each transaction one",
                "1|null::bigint|3|4|session_id is null: expected=int64; give each transaction one",
                "1|2|null::bigint|4|session_seq is null: expected=int64; give each transaction one",
                "1|2|3|-9223372036854775808|start_ts is reserved: start_ts=-9223372036854775808; leave it null",
                "1|2|3|9223372036854775808::ubigint|start_ts does not fit int64: start_ts=9223372036854775808 max=9223372036854775807; use ordinals",
                "18446744073709551615::ubigint|2|3|4|txn_id does not fit int64: txn_id=18446744073709551615 max=9223372036854775807; use ordinals",
            })
    void aTransactionThatIsNoneIsABadRow(String id, String session, String seq, String start, String reason)
            throws SQLException {
        copy(
                "select " + id + " as txn_id, " + session + " as session_id, " + seq + " as session_seq, " + start
                        + " as start_ts, [{'kind': 'w', 'key': 1, 'value': 2}] as ops",
                "codec zstd");

        assertThatThrownBy(() -> SliceText.read(file()))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessage(at(" row=1") + " " + reason);
    }

    @Test
    void malformedRowsAreSkippedAndOtherRowNumbersRemain() throws IOException, SQLException {
        copy(
                "select i as txn_id, 0 as session_id, i as session_seq,"
                        + " case when i = 3 then 'lost' when i = 4 then null else 'committed' end as status,"
                        + " case when i = 5 then null else [{'kind': 'w', 'key': 'k' || i, 'value': i},"
                        + " {'kind': case when i in (0, 9) then 'q' else 'r' end, 'key': 'z', 'value': null}] end"
                        + " as ops from range(0, 10) t(i)",
                "codec zstd");
        List<String> bad = new ArrayList<>();

        List<String> good = SliceText.read(
                file(), ColumnGroup.all(), (file, row, fault, text) -> bad.add(row + ": " + fault.text() + " " + text));

        assertThat(good)
                .containsExactly(
                        "row 2: 1 0/1 committed [-,-] (-,-) w('k1',1) r('z',_)",
                        "row 3: 2 0/2 committed [-,-] (-,-) w('k2',2) r('z',_)",
                        "row 7: 6 0/6 committed [-,-] (-,-) w('k6',6) r('z',_)",
                        "row 8: 7 0/7 committed [-,-] (-,-) w('k7',7) r('z',_)",
                        "row 9: 8 0/8 committed [-,-] (-,-) w('k8',8) r('z',_)");
        assertThat(bad)
                .containsExactly(
                        "1: unknown op kind: op=1 kind=q expected=r|w|append|add|inc|p|v|d|cas|ins|has|rem; rename the kind"
                                + " {\"txn\":0,\"session\":0,\"seq\":0,\"status\":\"committed\",\"start\":null,"
                                + "\"commit\":null,\"ops\":[[\"w\",\"k0\",0],[\"q\",\"z\",null]]}",
                        "4: unknown status: status=lost expected=committed|aborted|unknown; rename the status"
                                + " {\"txn\":3,\"session\":0,\"seq\":3,\"start\":null,\"commit\":null,"
                                + "\"ops\":[[\"w\",\"k3\",3],[\"r\",\"z\",null]]}",
                        "5: status is null: expected=committed|aborted|unknown; give each transaction one"
                                + " {\"txn\":4,\"session\":0,\"seq\":4,\"start\":null,\"commit\":null,"
                                + "\"ops\":[[\"w\",\"k4\",4],[\"r\",\"z\",null]]}",
                        "6: ops is null: expected=list; write an empty list {\"txn\":5,\"session\":0,\"seq\":5,"
                                + "\"status\":\"committed\",\"start\":null,\"commit\":null,\"ops\":[]}",
                        "10: unknown op kind: op=1 kind=q expected=r|w|append|add|inc|p|v|d|cas|ins|has|rem; rename the kind"
                                + " {\"txn\":9,\"session\":0,\"seq\":9,\"status\":\"committed\",\"start\":null,"
                                + "\"commit\":null,\"ops\":[[\"w\",\"k9\",9],[\"q\",\"z\",null]]}");
    }

    @Test
    void rowsAreCountedOnBehindBadOnesInEverySlice() throws IOException, SQLException {
        copy(
                "select i as txn_id, 0 as session_id, i as session_seq, [{'kind': case when i % 1000 < 3 then 'x' else"
                        + " 'w' end, 'key': i % 10, 'value': i}] as ops from range(0, 150000) t(i)",
                "codec zstd, row_group_size 100000");
        int good = 0;

        try (HistorySource source = ParquetHistorySource.open("h", List.of(file()))) {
            for (int split = 0; split < source.splits().size(); split++) {
                try (SliceReader reader = source.open(split, ColumnGroup.all(), BadRowHandler.PASS_OVER)) {
                    for (HistorySlice slice = reader.next(); slice != null; slice = reader.next()) {
                        for (int txn = 0; txn < slice.txnCount; txn++) {
                            assertThat(slice.rowOf(txn)).isEqualTo(slice.txnId[txn] + 1);
                            assertThat(slice.value[slice.firstOpOf[txn]]).isEqualTo(slice.txnId[txn]);
                        }
                        good += slice.txnCount;
                    }
                }
            }
        }
        assertThat(good).isEqualTo(150_000 - 3 * 150);
    }

    @Test
    void splitsMayBeReadAtOnceByDifferentThreads() throws Exception {
        copy(MANY.formatted("bigint", "varchar", "varchar"), "row_group_size 2048");
        List<String> expected = many("'", "'");

        try (HistorySource source = ParquetHistorySource.open("h", List.of(file()))) {
            ExecutorService threads = Executors.newFixedThreadPool(3);
            try {
                List<Future<List<String>>> parts = new ArrayList<>();
                for (int split = 0; split < source.splits().size(); split++) {
                    int part = split;
                    parts.add(threads.submit(() -> lines(source, part)));
                }
                List<String> lines = new ArrayList<>();
                for (Future<List<String>> part : parts) {
                    lines.addAll(part.get());
                }
                assertThat(lines).isEqualTo(expected);
            } finally {
                threads.shutdownNow();
            }
        }
    }

    private static List<String> lines(HistorySource source, int split) throws IOException {
        List<String> lines = new ArrayList<>();
        try (SliceReader reader = source.open(split, ColumnGroup.all(), BadRowHandler.REJECT)) {
            for (HistorySlice slice = reader.next(); slice != null; slice = reader.next()) {
                lines.addAll(SliceText.lines(slice));
            }
        }
        return lines;
    }

    @Test
    void historyOfMalformedRowsHasNoSlices() throws IOException, SQLException {
        copy(oneOp("{'kind': 'x', 'key': 1, 'value': 2}"), "codec zstd");

        assertThat(SliceText.read(file(), ColumnGroup.all(), BadRowHandler.PASS_OVER))
                .isEmpty();
    }

    @Test
    void valuesAndElementsOfTwoTypesAreRejected() throws SQLException {
        copy(
                "select 1 as txn_id, 2 as session_id, 3 as session_seq, [{'kind': 'w', 'key': 1, 'value': 'a',"
                        + " 'elements': null}, {'kind': 'r', 'key': 1, 'value': null, 'elements': [3]}] as ops",
                "codec zstd");

        assertThatThrownBy(() -> SliceText.read(file()))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessage(at(" row=1") + " value types are mixed: value=string elements=int64;"
                        + " make all values int64 or all string");
    }

    // ---------------------------------------------------------------- bad schemas

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1 as txn_id, 2 as session_id, 3 as session_seq|column missing: column=ops expected=list<struct<kind,key,value>> present=txn_id,session_id,session_seq; rename or add the column",
                "1 as id, [] as ops|column missing: column=txn_id expected=int64 present=id,ops; rename or add the column",
                "'1' as txn_id, 2 as session_id, 3 as session_seq|column has the wrong type: column=txn_id type=byte_array(string) expected=int64; cast the column when writing the file",
                "1.5::double as txn_id, 2 as session_id, 3 as session_seq|column has the wrong type: column=txn_id type=double expected=int64; cast the column when writing the file",
                "1 as txn_id, 2 as session_id, 3 as session_seq, 7 as status|column has the wrong type: column=status type=int32(signed) expected=string; cast the column when writing the file",
                "1 as txn_id, 2 as session_id, 3 as session_seq, 'w x 1' as ops|column has the wrong type: column=ops type=byte_array(string) expected=list<struct<kind,key,value>>; cast the column when writing the file",
                "1 as txn_id, 2 as session_id, 3 as session_seq, [1] as ops|column has the wrong type: column=ops type=list of int32(signed) expected=list<struct<kind,key,value>>; cast the column when writing the file",
                "1 as txn_id, 2 as session_id, 3 as session_seq, [{'kind': 'w'}] as ops|column missing: column=ops.key expected=int64 or string present=kind; rename or add the column",
                "1 as txn_id, 2 as session_id, 3 as session_seq, [{'kind': 'w', 'key': true}] as ops|column has the wrong type: column=ops.key type=boolean expected=int64 or string; cast the column when writing the file",
                "1 as txn_id, 2 as session_id, 3 as session_seq, [{'kind': 'w', 'key': 1, 'value': [2]}] as ops|column has the wrong type: column=ops.value type=list expected=int64 or string; cast the column when writing the file",
                "1 as txn_id, 2 as session_id, 3 as session_seq, [{'kind': 'w', 'key': 1, 'value': 2, 'elements': 3}] as ops|column has the wrong type: column=ops.elements type=int32(signed) expected=list of int64 or string; cast the column when writing the file",
            })
    void aFileWithoutTheColumnsOfAHistoryIsRejected(String columns, String reason) throws SQLException {
        copy("select " + columns, "codec zstd");

        assertThatThrownBy(() -> SliceText.read(file()))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessage(at("") + " " + reason);
    }

    @Test
    void aFileOfANewerSchemaIsRejected() throws SQLException {
        copy(oneOp("{'kind': 'w', 'key': 1, 'value': 2}"), "codec zstd, kv_metadata {schema_version: '2'}");

        assertThatThrownBy(() -> SliceText.read(file()))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessage(at("") + " history has a newer schema: schema_version=2 supported=1; use a newer nightjar");
    }

    @Test
    void aCodecThatIsNotSupportedIsNamed() throws SQLException {
        copy(oneOp("{'kind': 'w', 'key': 1, 'value': 2}"), "codec brotli");

        assertThatThrownBy(() -> SliceText.read(file()))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessage(at("") + " column cannot be read: column=txn_id row-group=0 cause=\"compression is not"
                        + " supported: codec=brotli supported=uncompressed,snappy,gzip,zstd,lz4_raw,lz4\";"
                        + " write the file with zstd");
    }

    private String at(String more) {
        return "[" + file() + more + "]";
    }

    private static String oneOp(String op) {
        return "select 1 as txn_id, 2 as session_id, 3 as session_seq, [" + op + "] as ops";
    }

    private void copy(String query, String options) throws SQLException {
        OtherParquet.run("copy (" + query + ") to '" + file() + "' (format parquet, " + options + ")");
    }

    /** Returns the content of {@link #MANY}. */
    private static List<String> many(String keyQuote, String valueQuote) {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < 5000; i++) {
            StringBuilder line = new StringBuilder("row " + (i + 1) + ": " + i + " " + i % 7 + "/" + i / 7);
            line.append(i % 5 == 0 ? " aborted [" : " committed [");
            line.append(i % 3 == 0 ? "-" : 1000 + i)
                    .append(',')
                    .append(2000 + i)
                    .append("] (-,-)");
            for (int j = 0; j < i % 5; j++) {
                line.append(j % 2 == 0 ? " w(" : " r(")
                        .append(keyQuote)
                        .append(i * j % 100)
                        .append(keyQuote);
                line.append(',')
                        .append(j == 3 ? "_" : valueQuote + (i * 1000L + j) + valueQuote)
                        .append(')');
            }
            lines.add(line.toString());
        }
        return lines;
    }
}
