package io.nightjar.formats.avro;

import io.nightjar.Operation;
import io.nightjar.Transaction;
import io.nightjar.formats.history.ValueType;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.IndexedRecord;
import org.apache.parquet.avro.AvroParquetReader;
import org.apache.parquet.avro.AvroSchemaConverter;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.hadoop.metadata.FileMetaData;
import org.apache.parquet.io.InputFile;
import org.jspecify.annotations.Nullable;

/** Reader of history files as Avro records, from any writer of the columns of {@code history.avsc}. */
public final class AvroHistoryReader implements Closeable {

    /** Prefix of metadata that changes the meaning of rows: mixed types as JSON text, or why no level can hold. */
    private static final String METADATA = "nightjar.";

    private final Map<String, String> metadata;
    private final ValueType keyType;
    private final ValueType valueType;
    private final Schema schema;
    private final ParquetReader<GenericRecord> rows;

    private AvroHistoryReader(InputFile file) throws IOException {
        ParquetConfiguration settings =
                new PlainParquetConfiguration(Map.of(AvroSchemaConverter.ADD_LIST_ELEMENT_RECORDS, "false"));
        try (ParquetFileReader opened = ParquetFileReader.open(file)) {
            FileMetaData footer = opened.getFileMetaData();
            metadata = footer.getKeyValueMetaData().entrySet().stream()
                    .filter(entry -> entry.getKey().startsWith(METADATA))
                    .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
            Schema op = operation(new AvroSchemaConverter(settings).convert(footer.getSchema()));
            keyType = type(op, ValueType.STRING, "key");
            valueType = type(op, ValueType.LONG, "value", "elements");
        }
        schema = AvroHistoryWriter.schema(keyType, valueType);
        rows = AvroParquetReader.<GenericRecord>builder(file, settings)
                .withDataModel(GenericData.get())
                .usePageChecksumVerification()
                .build();
    }

    /** Opens a file. */
    public static AvroHistoryReader open(InputFile file) throws IOException {
        return new AvroHistoryReader(file);
    }

    private static Schema operation(Schema txn) {
        Schema.Field ops = txn.getField("ops");
        Schema list = ops == null ? txn : AvroSchemaConverter.getNonNull(ops.schema());
        Schema op = list.getType() == Schema.Type.ARRAY ? AvroSchemaConverter.getNonNull(list.getElementType()) : list;
        if (ops == null || op.getType() != Schema.Type.RECORD) {
            throw new IllegalArgumentException("not a history: expected=a list of operations in the column ops");
        }
        return op;
    }

    /** Returns the type of the first of these columns that exists. */
    private static ValueType type(Schema op, ValueType ofNone, String... columns) {
        for (String column : columns) {
            if (op.getField(column) != null) {
                Schema type = AvroSchemaConverter.getNonNull(op.getField(column).schema());
                Schema scalar = type.getType() == Schema.Type.ARRAY
                        ? AvroSchemaConverter.getNonNull(type.getElementType())
                        : type;
                return scalar.getType() == Schema.Type.STRING ? ValueType.STRING : ValueType.LONG;
            }
        }
        return ofNone;
    }

    /** Returns the type of keys. */
    public ValueType keyType() {
        return keyType;
    }

    /** Returns the type of values. */
    public ValueType valueType() {
        return valueType;
    }

    /** Returns the metadata that a copy of the rows needs; without it the copy could mean another history. */
    public Map<String, String> metadata() {
        return metadata;
    }

    /**
     * Returns the next transaction with the {@link AvroHistoryWriter#schema} of the types of the file, or null at the
     * end. Columns that the file lacks are null; other columns are omitted.
     */
    public @Nullable GenericRecord readRecord() throws IOException {
        GenericRecord row = rows.read();
        return row == null ? null : copy(row, new GenericData.Record(schema));
    }

    /**
     * Returns the same as a generated record. Integer keys become text.
     *
     * @throws IllegalArgumentException if a value is text; {@link #readRecord} returns it
     */
    public @Nullable Transaction read() throws IOException {
        GenericRecord row = rows.read();
        return row == null ? null : copy(row, new Transaction());
    }

    /** Copies the columns of the target by name. */
    private static <T extends IndexedRecord> T copy(IndexedRecord row, T target) {
        for (Schema.Field column : target.getSchema().getFields()) {
            Schema.Field found = row.getSchema().getField(column.name());
            Object value = found == null ? null : row.get(found.pos());
            if (value != null) {
                Schema type = AvroSchemaConverter.getNonNull(column.schema());
                target.put(column.pos(), convert(value, type, column.name(), target instanceof Transaction));
            } else if (!column.schema().isNullable()) {
                throw new IllegalArgumentException("missing value: column=" + column.name());
            }
        }
        return target;
    }

    private static Object convert(Object value, Schema type, String column, boolean isGenerated) {
        boolean isInteger = value instanceof Long || value instanceof Integer;
        Schema.Type expected = type.getType();
        if (expected == Schema.Type.RECORD) {
            return copy((IndexedRecord) value, isGenerated ? new Operation() : new GenericData.Record(type));
        }
        if (expected == Schema.Type.ARRAY) {
            List<Object> elements = new ArrayList<>();
            for (Object element : (List<?>) value) {
                if (element == null) {
                    throw new IllegalArgumentException("missing value: column=" + column);
                }
                elements.add(convert(element, type.getElementType(), column, isGenerated));
            }
            return elements;
        }
        if (expected == Schema.Type.STRING && (isInteger || value instanceof CharSequence)) {
            return value.toString();
        }
        if (expected == Schema.Type.LONG && isInteger) {
            return ((Number) value).longValue();
        }
        if (expected == Schema.Type.INT && isInteger) {
            return Math.toIntExact(((Number) value).longValue());
        }
        throw new IllegalArgumentException("unexpected type: column=" + column + " expected=" + expected.getName()
                + " found=" + value.getClass().getSimpleName());
    }

    @Override
    public void close() throws IOException {
        rows.close();
    }
}
