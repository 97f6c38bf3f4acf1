package io.nightjar.bench.micro;

import io.nightjar.datasets.generate.GeneratorOptions;
import io.nightjar.datasets.generate.HistoryGenerator;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.SliceBuilder;
import io.nightjar.pipeline.infer.ClientHistory;
import io.nightjar.pipeline.infer.OperationLog;
import io.nightjar.pipeline.infer.OperationLogBuilder;
import io.nightjar.pipeline.infer.ReadInference;
import io.nightjar.pipeline.infer.ReadResolution;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;

/**
 * Generated histories as clients observed them: no timestamps, and session after session, so that the rows reveal no
 * order.
 */
final class ClientView {

    private ClientView() {}

    /** Returns the committed transactions with the writers of their reads. */
    static ClientHistory history(GeneratorOptions options) {
        return read(log(options));
    }

    /** Returns all operations of a generated history. */
    static OperationLog log(GeneratorOptions options) {
        return gather(sessionWise(options));
    }

    static OperationLog gather(List<HistorySlice> slices) {
        OperationLogBuilder builder = new OperationLogBuilder(null);
        slices.forEach(builder::add);
        return builder.build();
    }

    /** @throws IllegalStateException if a read has no writer, which cannot be in a generated history */
    static ClientHistory read(OperationLog log) {
        ReadInference inference = new ReadInference(ReadResolution.of(log), true, false).run();
        if (inference.faultyReads() > 0) {
            throw new IllegalStateException("reads at fault: reads=" + inference.faultyReads());
        }
        return inference.history();
    }

    private static List<HistorySlice> sessionWise(GeneratorOptions options) {
        List<Row> rows = new ArrayList<>();
        try {
            HistoryGenerator.generate(options, slice -> {
                for (int txn = 0; txn < slice.txnCount; txn++) {
                    rows.add(new Row(slice, txn));
                }
            });
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        rows.sort(Comparator.comparingLong(Row::session).thenComparingLong(Row::seq));
        List<HistorySlice> slices = new ArrayList<>();
        SliceBuilder builder = new SliceBuilder("generated");
        for (Row row : rows) {
            builder.copyTxn(row.slice, row.txn);
            if (builder.weight() >= 1 << 16) {
                slices.add(builder.build(EnumSet.of(ColumnGroup.OPERATIONS)));
                builder = new SliceBuilder("generated");
            }
        }
        slices.add(builder.build(EnumSet.of(ColumnGroup.OPERATIONS)));
        return slices;
    }

    private record Row(HistorySlice slice, int txn) {

        long session() {
            return slice.sessionId[txn];
        }

        long seq() {
            return slice.sessionSeq[txn];
        }
    }
}
