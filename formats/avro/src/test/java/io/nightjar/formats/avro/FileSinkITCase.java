package io.nightjar.formats.avro;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.Operation;
import io.nightjar.Transaction;
import io.nightjar.api.History;
import io.nightjar.api.Nightjar;
import io.nightjar.api.Verdicts;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.file.sink.FileSink;
import org.apache.flink.core.fs.Path;
import org.apache.flink.formats.parquet.ParquetWriterFactory;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.filesystem.OutputFileConfig;
import org.apache.flink.streaming.api.functions.sink.filesystem.bucketassigners.BasePathBucketAssigner;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An archive that Flink's own sink writes, in a job in this process. */
@Tag("slow")
class FileSinkITCase {

    private static final int TASKS = 2;

    @TempDir
    java.nio.file.Path folder;

    @Test
    void partsOfAFileSinkAreOneHistory() throws Exception {
        StreamExecutionEnvironment job = StreamExecutionEnvironment.createLocalEnvironment(TASKS);
        archive(
                job.fromData(TypeInformation.of(Transaction.class), transactions())
                        .rebalance(),
                folder.toString());
        job.execute();

        assertThat(parts()).hasSize(TASKS).allSatisfy(part -> assertThat(part.toString())
                .endsWith(".parquet"));
        Verdicts verdicts = Nightjar.check(History.read(folder), "si", "ser");
        assertThat(verdicts.levels().get("snapshot-isolation").verdict()).isEqualTo(Verdicts.Answer.HOLDS);
        assertThat(verdicts.levels().get("serializable").verdict()).isEqualTo(Verdicts.Answer.VIOLATED);
        assertThat(verdicts.stories().get(0).transactions()).containsExactlyInAnyOrder(2L, 3L);
    }

    private static void archive(DataStream<Transaction> transactions, String folder) {
        transactions.sinkTo(FileSink.forBulkFormat(
                        new Path(folder), new ParquetWriterFactory<>(AvroHistoryWriter::open))
                .withBucketAssigner(new BasePathBucketAssigner<>())
                .withOutputFileConfig(
                        OutputFileConfig.builder().withPartSuffix(".parquet").build())
                .build());
    }

    /** A write skew of transactions 2 and 3 among transactions of keys of their own. */
    private static Transaction[] transactions() {
        List<Transaction> txns = new ArrayList<>();
        txns.add(transaction(1, 1, 2, write("x", 1), write("y", 1)));
        txns.add(transaction(2, 3, 5, read("x", 1), read("y", 1), write("x", 2)));
        txns.add(transaction(3, 4, 6, read("x", 1), read("y", 1), write("y", 3)));
        for (int id = 4; id < 200; id++) {
            txns.add(transaction(id, 2 * id, 2 * id + 1, write("k" + id, 1)));
        }
        return txns.toArray(new Transaction[0]);
    }

    private static Transaction transaction(long id, long start, long commit, Operation... ops) {
        return Transaction.newBuilder()
                .setTxnId(id)
                .setSessionId(id)
                .setSessionSeq(0)
                .setStatus("committed")
                .setStartTs(start)
                .setCommitTs(commit)
                .setOps(List.of(ops))
                .build();
    }

    private static Operation write(String key, long value) {
        return Operation.newBuilder().setKind("w").setKey(key).setValue(value).build();
    }

    private static Operation read(String key, long value) {
        return Operation.newBuilder().setKind("r").setKey(key).setValue(value).build();
    }

    private List<java.nio.file.Path> parts() throws IOException {
        try (Stream<java.nio.file.Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).toList();
        }
    }
}
