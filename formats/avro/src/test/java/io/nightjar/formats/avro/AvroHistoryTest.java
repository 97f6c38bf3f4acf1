package io.nightjar.formats.avro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.Operation;
import io.nightjar.Transaction;
import io.nightjar.api.History;
import io.nightjar.api.Nightjar;
import io.nightjar.api.Verdicts;
import io.nightjar.fixtures.HistoryRows;
import io.nightjar.fixtures.RandomSlices;
import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.HistoryWriter;
import io.nightjar.formats.history.ValueType;
import io.nightjar.formats.parquet.ParquetTableWriter;
import io.nightjar.formats.parquet.TableColumn;
import io.nightjar.formats.registry.Histories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.IndexedRecord;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.OutputFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Avro records against the reader and the writer of histories. */
class AvroHistoryTest {

    private static final String WRITE_SKEW =
            """
            s1 T1 [1,2]: w('x',1) w('y',1)
            s2 T2 [3,5]: r('x',1) r('y',1) w('x',2)
            s3 T3 [4,6]: r('x',1) r('y',1) w('y',3)
            s4 T4! [5,_]: w('y',4)
            """;

    @TempDir
    Path folder;

    @Test
    void exampleWritesHistoryThatCheckReads() throws IOException {
        Path file = folder.resolve("history.parquet");
        writeExample(file);

        assertThat(HistoryRows.at(file)).isEqualTo(HistoryRows.at(notation("s0 T1 [10,12]: w('x',1) r('y',_)")));
    }

    /** The one of programs and the one of Flink. */
    @Test
    void examplesAreThoseOfTheDocuments() throws IOException {
        String page = Files.readString(Path.of("../../docs/history-format.md"));
        String[] examples = page.split("```java\n");
        assertThat(examples).hasSize(3);

        assertThat(source(AvroHistoryTest.class)).contains(flat(examples[1].substring(0, examples[1].indexOf("```"))));
        assertThat(source(FileSinkITCase.class)).contains(flat(examples[2].substring(0, examples[2].indexOf("```"))));
    }

    private static String source(Class<?> test) throws IOException {
        return flat(Files.readString(Path.of("src/test/java", test.getName().replace('.', '/') + ".java")));
    }

    private static String flat(String code) {
        return code.replaceAll("\\s+", "");
    }

    private static void writeExample(Path file) throws IOException {
        try (ParquetWriter<Transaction> archive = AvroHistoryWriter.open(new LocalOutputFile(file))) {
            Operation write =
                    Operation.newBuilder().setKind("w").setKey("x").setValue(1L).build();
            Operation read = Operation.newBuilder().setKind("r").setKey("y").build(); // read of the initial state
            archive.write(Transaction.newBuilder()
                    .setTxnId(1)
                    .setSessionId(0)
                    .setSessionSeq(0)
                    .setStatus("committed")
                    .setStartTs(10L)
                    .setCommitTs(12L)
                    .setOps(List.of(write, read))
                    .build());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                WRITE_SKEW,
                "s1 T1: w(1,1) w(2,1)\ns2 T2: r(1,1) r(2,1) w(1,2)\ns3 T3: r(1,1) r(2,1) w(2,3)",
                "s1 T1: append('x',1)\ns2 T2: append('x',2)\ns3 T3: r('x',[1,2])\ns4 T4: r('x',[2,1])",
                "s1 T1: w('x',1)\ns2 T2: r('x',1) w('x',2)\ns1 T3: r('x',2)"
            })
    void copyOfGeneratedRecordsHasTheVerdictOfTheOriginal(String history) throws IOException {
        Path original = parquet(notation(history));
        Path copy = folder.resolve("copy.parquet");
        try (AvroHistoryReader reader = AvroHistoryReader.open(new LocalInputFile(original));
                ParquetWriter<Transaction> writer = AvroHistoryWriter.open(new LocalOutputFile(copy))) {
            for (Transaction txn = reader.read(); txn != null; txn = reader.read()) {
                writer.write(txn);
            }
        }

        Verdicts expected = Nightjar.check(History.read(original), "ra", "cc", "si", "ser");
        assertThat(Nightjar.check(History.read(copy), "ra", "cc", "si", "ser").levels())
                .isEqualTo(expected.levels());
        assertThat(expected.levels()).hasSize(4);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void copyOfRecordsHasTheRowsOfTheOriginal(long seed) throws IOException {
        Path original = folder.resolve("original.parquet");
        RandomSlices slices = RandomSlices.any(seed);
        HistoryRows.write(
                Histories.create(original, null), (seed % 2 == 0 ? slices : slices.withPredicates()).slices(300));

        HistoryRows.assertSame("seed=" + seed, HistoryRows.at(copy(original)), HistoryRows.at(original));
    }

    @Test
    void copyKeepsMixedTypesAndTheDoubt() throws IOException {
        Path mixed = notation("s1 T1: w('x',1)\ns2 T2: w(2,'1')");
        Path original = folder.resolve("original.parquet");
        HistoryWriter writer = Histories.create(original, null);
        writer.doubt("rows are missing");
        try (HistorySource source = Histories.open(mixed, null)) {
            source.allowMixedTypes();
            HistoryRows.write(writer, HistoryRows.slices(source, BadRowHandler.REJECT));
        }
        Path copy = copy(original);

        assertThat(HistoryRows.at(copy)).isEqualTo(HistoryRows.at(original));
        assertThat(Nightjar.check(History.read(copy), "ra").levels().get("read-atomic"))
                .isEqualTo(Nightjar.check(History.read(original), "ra").levels().get("read-atomic"))
                .satisfies(level -> assertThat(level.reason()).contains("rows are missing"));
    }

    @Test
    void unknownWordsAreRejectedAndLeaveNoHistory() throws IOException {
        Transaction sound = transaction("committed", operation("w"));
        for (Transaction wrong : List.of(transaction("comitted"), transaction("committed", operation("write")))) {
            Path file = folder.resolve(wrong.getOps().size() + ".parquet");
            String problem = wrong.getOps().isEmpty()
                    ? "unknown status: txn_id=7 found=comitted; use committed, aborted or unknown"
                    : "unknown kind of operation: txn_id=7 found=write; use one of [r, w, append, add, inc, p, v, d,"
                            + " cas, ins, has, rem]";
            assertThatThrownBy(() -> {
                        try (ParquetWriter<Transaction> writer = AvroHistoryWriter.open(new LocalOutputFile(file))) {
                            writer.write(sound);
                            writer.write(wrong);
                        }
                    })
                    .hasMessage(problem);
            assertThatThrownBy(() -> HistoryRows.at(file)).hasMessageContaining(file.toString());
        }
    }

    @Test
    void recordsOfAnotherSchemaAreRejected() throws IOException {
        OutputFile file = new LocalOutputFile(folder.resolve("long.parquet"));
        assertThatThrownBy(() -> {
                    try (ParquetWriter<IndexedRecord> writer =
                            AvroHistoryWriter.openRecords(file, ValueType.LONG, ValueType.LONG, Map.of())) {
                        writer.write(transaction("committed"));
                    }
                })
                .hasMessageStartingWith(
                        "unexpected schema of a record: expected={\"name\":\"io.nightjar.Transaction\"");
    }

    @Test
    void textValuesNeedRecords() throws IOException {
        Path file = parquet(notation("s1 T1: w('x','a')"));
        try (AvroHistoryReader reader = AvroHistoryReader.open(new LocalInputFile(file))) {
            assertThatThrownBy(reader::read).hasMessage("unexpected type: column=value expected=long found=Utf8");
        }
        try (AvroHistoryReader reader = AvroHistoryReader.open(new LocalInputFile(file))) {
            assertThat(reader.readRecord().get("ops").toString()).contains("\"value\": \"a\"");
            assertThat(reader.readRecord()).isNull();
        }
    }

    @Test
    void fileOfAnotherSubjectIsNoHistory() throws IOException {
        Path file = folder.resolve("table.parquet");
        try (ParquetTableWriter writer =
                new ParquetTableWriter(file, List.of(new TableColumn("n", TableColumn.Type.INT64, false)))) {
            writer.finish();
        }
        assertThatThrownBy(() -> AvroHistoryReader.open(new LocalInputFile(file)))
                .hasMessage("not a history: expected=a list of operations in the column ops");
    }

    private static Transaction transaction(String status, Operation... ops) {
        return Transaction.newBuilder()
                .setTxnId(7)
                .setSessionId(0)
                .setSessionSeq(0)
                .setStatus(status)
                .setOps(List.of(ops))
                .build();
    }

    private static Operation operation(String kind) {
        return Operation.newBuilder().setKind(kind).setKey("x").setValue(1L).build();
    }

    private Path notation(String text) throws IOException {
        return Files.writeString(folder.resolve("history.txt"), text.strip() + "\n");
    }

    private Path parquet(Path history) throws IOException {
        Path file = folder.resolve("original.parquet");
        try (HistorySource source = Histories.open(history, null)) {
            HistoryRows.write(Histories.create(file, null), HistoryRows.slices(source, BadRowHandler.REJECT));
        }
        return file;
    }

    private Path copy(Path original) throws IOException {
        Path copy = folder.resolve("copy.parquet");
        try (AvroHistoryReader reader = AvroHistoryReader.open(new LocalInputFile(original));
                ParquetWriter<IndexedRecord> writer = AvroHistoryWriter.openRecords(
                        new LocalOutputFile(copy), reader.keyType(), reader.valueType(), reader.metadata())) {
            for (GenericRecord txn = reader.readRecord(); txn != null; txn = reader.readRecord()) {
                writer.write(txn);
            }
        }
        return copy;
    }
}
