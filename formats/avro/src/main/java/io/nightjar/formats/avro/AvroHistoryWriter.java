package io.nightjar.formats.avro;

import io.nightjar.Transaction;
import io.nightjar.formats.history.OpColumns;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.history.ValueType;
import io.nightjar.formats.parquet.HistorySchema;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.specific.SpecificData;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.avro.AvroSchemaConverter;
import org.apache.parquet.avro.AvroWriteSupport;
import org.apache.parquet.conf.HadoopParquetConfiguration;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.api.RecordConsumer;

/**
 * Writers of history files from Avro records: Parquet with zstd and the schema of {@code history.avsc}.
 *
 * <p>A record with a status or a kind of operation that histories do not have is rejected. The file then has no footer,
 * so that no reader accepts the rows before it as a whole history. In Flink:
 *
 * <pre>{@code
 * FileSink.forBulkFormat(folder, new ParquetWriterFactory<>(AvroHistoryWriter::open))
 * }</pre>
 */
public final class AvroHistoryWriter {

    /** Size of a row group in memory; checks read row groups in parallel. */
    private static final long ROW_GROUP_BYTES = 8L << 20;

    private AvroHistoryWriter() {}

    /** Returns the schema of histories whose keys and values have these types: text or integers. */
    public static Schema schema(ValueType keys, ValueType values) {
        return new Schema.Parser().parse(new HistorySchema(keys, values, OpColumns.ALL).avroSchema());
    }

    /** Opens a writer of generated records, with text keys and integer values. */
    public static ParquetWriter<Transaction> open(OutputFile file) throws IOException {
        return new Builder<Transaction>(file, ValueType.STRING, ValueType.LONG).build();
    }

    /**
     * Opens a writer of any records with the {@link #schema} of keys and values of these types.
     *
     * @param metadata an empty map, or the {@link AvroHistoryReader#metadata} of the file that the records are from
     */
    public static ParquetWriter<IndexedRecord> openRecords(
            OutputFile file, ValueType keys, ValueType values, Map<String, String> metadata) throws IOException {
        return new Builder<IndexedRecord>(file, keys, values)
                .withExtraMetaData(metadata)
                .build();
    }

    private static final class Builder<T extends IndexedRecord> extends ParquetWriter.Builder<T, Builder<T>> {

        private final Schema schema;

        Builder(OutputFile file, ValueType keys, ValueType values) {
            super(file);
            schema = schema(keys, values);
            withConf(new PlainParquetConfiguration(Map.of(AvroWriteSupport.WRITE_OLD_LIST_STRUCTURE, "false")));
            withCompressionCodec(CompressionCodecName.ZSTD);
            withRowGroupSize(ROW_GROUP_BYTES);
        }

        @Override
        protected Builder<T> self() {
            return this;
        }

        @Override
        @Deprecated
        protected WriteSupport<T> getWriteSupport(Configuration settings) {
            return getWriteSupport(new HadoopParquetConfiguration(settings));
        }

        @Override
        protected WriteSupport<T> getWriteSupport(ParquetConfiguration settings) {
            return new CheckedRecords<>(
                    schema,
                    new AvroWriteSupport<>(
                            new AvroSchemaConverter(settings).convert(schema), schema, SpecificData.get()));
        }
    }

    /** Rejects records of another schema, whose columns would be exchanged, and unknown words. */
    private static final class CheckedRecords<T extends IndexedRecord> extends WriteSupport<T> {

        private final Schema schema;
        private final WriteSupport<T> records;
        private final int txnId;
        private final int status;
        private final int ops;
        private final int kind;
        private Schema checked; // the last schema of a record that was compared

        CheckedRecords(Schema schema, WriteSupport<T> records) {
            this.schema = schema;
            this.records = records;
            checked = schema;
            txnId = schema.getField("txn_id").pos();
            status = schema.getField("status").pos();
            ops = schema.getField("ops").pos();
            kind = schema.getField("ops")
                    .schema()
                    .getElementType()
                    .getField("kind")
                    .pos();
        }

        @Override
        @Deprecated
        public WriteContext init(Configuration settings) {
            return init(new HadoopParquetConfiguration(settings));
        }

        @Override
        public WriteContext init(ParquetConfiguration settings) {
            return records.init(settings);
        }

        @Override
        public void prepareForWrite(RecordConsumer consumer) {
            records.prepareForWrite(consumer);
        }

        @Override
        public void write(T txn) {
            if (txn.getSchema() != checked) {
                checkSchema(txn.getSchema());
                checked = txn.getSchema();
            }
            String word = String.valueOf(txn.get(status));
            if (TxnStatus.code(word) < 0) {
                throw rejected("unknown status", txn, word, "committed, aborted or unknown");
            }
            for (Object op : (List<?>) txn.get(ops)) {
                String name = String.valueOf(((IndexedRecord) op).get(kind));
                if (!OpKind.words().contains(name)) {
                    throw rejected("unknown kind of operation", txn, name, "one of " + OpKind.words());
                }
            }
            records.write(txn);
        }

        private void checkSchema(Schema found) {
            String expected = SchemaNormalization.toParsingForm(schema);
            if (!SchemaNormalization.toParsingForm(found).equals(expected)) {
                throw new IllegalArgumentException("unexpected schema of a record: expected=" + expected + " found="
                        + SchemaNormalization.toParsingForm(found));
            }
        }

        private IllegalArgumentException rejected(String problem, T txn, String found, String remedy) {
            return new IllegalArgumentException(
                    problem + ": txn_id=" + txn.get(txnId) + " found=" + found + "; use " + remedy);
        }
    }
}
