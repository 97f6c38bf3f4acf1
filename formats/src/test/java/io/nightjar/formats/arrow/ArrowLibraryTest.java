package io.nightjar.formats.arrow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.fixtures.HistoryRows;
import io.nightjar.fixtures.RandomSlices;
import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.history.ValueType;
import io.nightjar.formats.registry.Histories;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.compression.CommonsCompressionFactory;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.LargeVarCharVector;
import org.apache.arrow.vector.SmallIntVector;
import org.apache.arrow.vector.UInt4Vector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ViewVarCharVector;
import org.apache.arrow.vector.complex.LargeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.compression.CompressionUtil;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryEncoder;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.apache.arrow.vector.ipc.ArrowFileWriter;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.ipc.ArrowWriter;
import org.apache.arrow.vector.ipc.message.IpcOption;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Compatibility with Arrow's library in both directions. */
class ArrowLibraryTest {

    private static final int TXNS = 200;

    @TempDir
    Path folder;

    @Test
    void libraryReadsOurFiles() throws IOException {
        Path ours = ours(ValueType.STRING, ValueType.LONG);

        List<String> theirs = new ArrayList<>();
        try (BufferAllocator allocator = new RootAllocator();
                FileChannel in = FileChannel.open(ours);
                ArrowFileReader reader = new ArrowFileReader(in, allocator)) {
            while (reader.loadNextBatch()) {
                VectorSchemaRoot root = reader.getVectorSchemaRoot();
                ListVector ops = (ListVector) root.getVector("ops");
                for (int row = 0; row < root.getRowCount(); row++) {
                    List<?> list = ops.getObject(row);
                    Map<?, ?> first = list.isEmpty() ? Map.of() : (Map<?, ?>) list.get(0);
                    theirs.add("%s %s %s %s %d %s %s"
                            .formatted(
                                    root.getVector("txn_id").getObject(row),
                                    root.getVector("status").getObject(row),
                                    root.getVector("start_ts").getObject(row),
                                    root.getVector("extra").getObject(row),
                                    list.size(),
                                    first.get("kind"),
                                    first.get("key")));
                }
            }
        }

        assertThat(theirs).isEqualTo(summaries(ours));
    }

    /** Returns the columns of our reader's rows that are compared with the library's. */
    private static List<String> summaries(Path file) throws IOException {
        List<String> rows = new ArrayList<>();
        try (HistorySource source = Histories.open(file, null)) {
            for (HistorySlice slice : HistoryRows.slices(source, BadRowHandler.REJECT)) {
                for (int txn = 0; txn < slice.txnCount; txn++) {
                    int first = slice.firstOpOf[txn];
                    int count = slice.firstOpOf[txn + 1] - first;
                    rows.add("%s %s %s %s %d %s %s"
                            .formatted(
                                    slice.txnId[txn],
                                    TxnStatus.name(slice.status[txn]),
                                    slice.startTs[txn] == HistorySlice.NONE ? null : slice.startTs[txn],
                                    slice.extra[txn],
                                    count,
                                    count == 0 ? null : OpKind.name(slice.kind[first]),
                                    count == 0 ? null : slice.keyText(first)));
                }
            }
        }
        return rows;
    }

    @Test
    void libraryReadsHistoryWithoutValues() throws IOException {
        Path ours = folder.resolve("empty.arrow");
        HistoryRows.write(Histories.create(ours, null), List.of());

        try (BufferAllocator allocator = new RootAllocator();
                FileChannel in = FileChannel.open(ours);
                ArrowFileReader reader = new ArrowFileReader(in, allocator)) {
            assertThat(reader.loadNextBatch()).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = CompressionUtil.CodecType.class,
            names = {"ZSTD", "LZ4_FRAME"})
    void compressedFilesOfTheLibraryAreRead(CompressionUtil.CodecType codec) throws IOException {
        Path ours = ours(ValueType.STRING, ValueType.STRING);
        Path theirs = folder.resolve("theirs.arrow");
        rewrite(ours, theirs, codec, false);

        HistoryRows.assertSame(codec.name(), HistoryRows.at(theirs), HistoryRows.at(ours));
    }

    @Test
    void streamsOfTheLibraryAreRead() throws IOException {
        Path ours = ours(ValueType.LONG, ValueType.STRING);
        Path theirs = folder.resolve("theirs.arrow");
        rewrite(ours, theirs, CompressionUtil.CodecType.NO_COMPRESSION, true);

        HistoryRows.assertSame("stream", HistoryRows.at(theirs), HistoryRows.at(ours));
    }

    @Test
    void streamWithoutItsEndIsRejected() throws IOException {
        Path theirs = folder.resolve("theirs.arrow");
        rewrite(ours(ValueType.LONG, ValueType.LONG), theirs, CompressionUtil.CodecType.NO_COMPRESSION, true);
        byte[] whole = Files.readAllBytes(theirs);
        Files.write(theirs, java.util.Arrays.copyOf(whole, whole.length - 8));

        assertThatThrownBy(() -> HistoryRows.at(theirs))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessage("[%s] stream has no end: bytes=%d; was it written completely", theirs, whole.length - 8);
    }

    @Test
    void dictionaryEncodedColumnsAreRead() throws IOException {
        Path ours = ours(ValueType.LONG, ValueType.LONG);
        Path theirs = folder.resolve("dictionary.arrow");
        rewriteWithDictionary(ours, theirs);

        HistoryRows.assertSame("dictionary", HistoryRows.at(theirs), HistoryRows.at(ours));
    }

    @Test
    void otherWidthsAndLayoutsAreRead() throws IOException {
        Path theirs = folder.resolve("widths.arrow");
        writeWidths(theirs);

        assertThat(HistoryRows.at(theirs))
                .containsExactly(
                        "txn=1 session=-3 seq=0 committed ts=_.._ client=_.._"
                                + " w(STRING<a key that is too long for a view>,LONG<300>,v_,w_)"
                                + " extra={\"node\":\"n1\",\"retried\":true,\"load\":0.5}",
                        "txn=2 session=-3 seq=1 aborted ts=_.._ client=_.._ r(STRING<x>,nothing,v_,w_) extra=null");
    }

    private static void writeWidths(Path file) throws IOException {
        try (BufferAllocator allocator = new RootAllocator();
                IntVector txn = new IntVector("txn_id", allocator);
                SmallIntVector session = new SmallIntVector("session_id", allocator);
                UInt4Vector seq = new UInt4Vector("session_seq", allocator);
                LargeVarCharVector status = new LargeVarCharVector("status", allocator);
                ViewVarCharVector node = new ViewVarCharVector("node", allocator);
                BitVector retried = new BitVector("retried", allocator);
                Float8Vector load = new Float8Vector("load", allocator);
                LargeListVector ops = LargeListVector.empty("ops", allocator);
                FileChannel out = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            for (int row = 0; row < 2; row++) {
                txn.setSafe(row, row + 1);
                session.setSafe(row, -3);
                seq.setSafe(row, row);
                status.setSafe(row, utf8(row == 0 ? "committed" : "aborted"));
            }
            node.setSafe(0, utf8("n1"));
            retried.setSafe(0, 1);
            load.setSafe(0, 0.5);
            StructVector op = (StructVector) ops.addOrGetVector(FieldType.notNullable(new ArrowType.Struct()))
                    .getVector();
            VarCharVector kind = op.addOrGet("kind", FieldType.notNullable(new ArrowType.Utf8()), VarCharVector.class);
            ViewVarCharVector key =
                    op.addOrGet("key", FieldType.notNullable(new ArrowType.Utf8View()), ViewVarCharVector.class);
            IntVector value = op.addOrGet("value", FieldType.nullable(new ArrowType.Int(32, true)), IntVector.class);
            for (int row = 0; row < 2; row++) {
                ops.startNewValue(row);
                kind.setSafe(row, utf8(row == 0 ? "w" : "r"));
                key.setSafe(row, utf8(row == 0 ? "a key that is too long for a view" : "x"));
                op.setIndexDefined(row);
                ops.endValue(row, 1);
            }
            value.setSafe(0, 300);
            op.setValueCount(2);
            List<FieldVector> vectors = List.of(txn, session, seq, status, node, retried, load, ops);
            for (FieldVector vector : vectors) {
                vector.setValueCount(2);
            }
            try (ArrowFileWriter writer = new ArrowFileWriter(new VectorSchemaRoot(vectors), null, out)) {
                writer.start();
                writer.writeBatch();
                writer.end();
            }
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private Path ours(ValueType keyType, ValueType valueType) throws IOException {
        List<HistorySlice> history = new RandomSlices(11, keyType, valueType).slices(TXNS);
        Path file = folder.resolve("ours.arrow");
        HistoryRows.write(Histories.create(file, null), history);
        return file;
    }

    private static void rewrite(Path from, Path to, CompressionUtil.CodecType codec, boolean isStream)
            throws IOException {
        try (BufferAllocator allocator = new RootAllocator();
                FileChannel in = FileChannel.open(from);
                ArrowFileReader reader = new ArrowFileReader(in, allocator);
                OutputStream file = Files.newOutputStream(to);
                WritableByteChannel out = java.nio.channels.Channels.newChannel(file)) {
            VectorSchemaRoot root = reader.getVectorSchemaRoot();
            try (ArrowWriter writer = isStream
                    ? new ArrowStreamWriter(root, null, out)
                    : new ArrowFileWriter(
                            root, null, out, null, IpcOption.DEFAULT, CommonsCompressionFactory.INSTANCE, codec)) {
                writer.start();
                while (reader.loadNextBatch()) {
                    writer.writeBatch();
                }
                writer.end();
            }
        }
    }

    /** Writes the file again with its status column dictionary-encoded. */
    private static void rewriteWithDictionary(Path from, Path to) throws IOException {
        try (BufferAllocator allocator = new RootAllocator();
                FileChannel in = FileChannel.open(from);
                ArrowFileReader reader = new ArrowFileReader(in, allocator);
                VarCharVector words = new VarCharVector("words", allocator);
                FileChannel out = FileChannel.open(to, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            List<String> statuses = List.of("unknown", "committed", "aborted");
            for (int i = 0; i < statuses.size(); i++) {
                words.setSafe(i, statuses.get(i).getBytes(StandardCharsets.UTF_8));
            }
            words.setValueCount(statuses.size());
            DictionaryEncoding encoding = new DictionaryEncoding(7L, false, new ArrowType.Int(8, true));
            Dictionary dictionary = new Dictionary(words, encoding);
            reader.loadNextBatch();
            VectorSchemaRoot root = reader.getVectorSchemaRoot();
            List<FieldVector> vectors = new ArrayList<>(root.getFieldVectors());
            int status = 3;
            FieldVector encoded = (FieldVector) DictionaryEncoder.encode(vectors.get(status), dictionary);
            vectors.set(status, encoded);
            VectorSchemaRoot changed = new VectorSchemaRoot(vectors);
            DictionaryProvider provider = new DictionaryProvider.MapDictionaryProvider(dictionary);
            try (ArrowFileWriter writer = new ArrowFileWriter(changed, provider, out)) {
                writer.start();
                writer.writeBatch();
                writer.end();
            }
            encoded.close();
            assertThat(reader.loadNextBatch()).isFalse();
        }
    }
}
