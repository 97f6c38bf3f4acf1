package io.nightjar.formats.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.formats.history.MalformedHistoryException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Histories in the schemas of other tools, written by the reference writer. */
class ForeignSchemasTest {

    private static final String OP =
            """
            optional binary kind (STRING); optional int64 key; optional int64 value;""";

    @TempDir
    Path folder;

    private Path file() {
        return folder.resolve("h.parquet");
    }

    static List<String> listShapes() {
        return List.of(
                // the specification, Spark and Avro in three levels
                ops("optional group ops (LIST) { repeated group list { optional group element {", "list", "element"),
                // older pyarrow
                ops("optional group ops (LIST) { repeated group list { optional group item {", "list", "item"),
                // Spark's legacy mode, Hive
                ops("optional group ops (LIST) { repeated group bag { optional group array {", "bag", "array"),
                ops(
                        "optional group ops (LIST) { repeated group bag { optional group array_element {",
                        "bag",
                        "array_element"),
                // everything required
                ops("required group ops (LIST) { repeated group list { required group element {", "list", "element"));
    }

    private static String ops(String begin, String list, String element) {
        String elements =
                "optional group elements (LIST) { repeated group " + list + " { optional int64 " + element + "; } } ";
        return begin + OP + elements + "} } }";
    }

    @ParameterizedTest
    @MethodSource("listShapes")
    void listsInThreeLevelsAreRead(String ops) throws IOException {
        MessageType schema = schema(ops);
        GroupType list = schema.getType("ops").asGroupType().getType(0).asGroupType();
        String element = list.getFieldName(0);
        try (ParquetWriter<Group> writer = writer(schema, WriterVersion.PARQUET_1_0)) {
            Group txn = txn(schema, 1);
            Group opList = txn.addGroup("ops");
            op(opList.addGroup(0).addGroup(element), "w", 5L, 6L);
            Group read = op(opList.addGroup(0).addGroup(element), "r", 5L, null);
            Group elements = read.addGroup("elements");
            elements.addGroup(0).add(element, 7L);
            elements.addGroup(0).add(element, 8L);
            writer.write(txn);
            Group empty = txn(schema, 2);
            empty.addGroup("ops");
            writer.write(empty);
        }

        assertThat(SliceText.read(file()))
                .containsExactly(
                        "row 1: 1 0/1 committed [-,-] (-,-) w(5,6) r(5,[7, 8])", "row 2: 2 0/2 committed [-,-] (-,-)");
    }

    @Test
    void listsInTwoLevelsAreRead() throws IOException {
        MessageType schema = schema("required group ops (LIST) { repeated group array {" + OP
                + "optional group elements (LIST) { repeated int64 array; } } }");
        try (ParquetWriter<Group> writer = writer(schema, WriterVersion.PARQUET_1_0)) {
            Group txn = txn(schema, 1);
            Group ops = txn.addGroup("ops");
            op(ops.addGroup("array"), "append", 5L, 6L);
            Group elements = op(ops.addGroup("array"), "r", 5L, null).addGroup("elements");
            elements.add("array", 6L);
            elements.add("array", 9L);
            op(ops.addGroup("array"), "r", 4L, null).addGroup("elements");
            writer.write(txn);
        }

        assertThat(SliceText.read(file()))
                .containsExactly("row 1: 1 0/1 committed [-,-] (-,-) append(5,6) r(5,[6, 9]) r(4,[])");
    }

    @Test
    void repeatedFieldsWithoutAListAreRead() throws IOException {
        MessageType schema = schema("repeated group ops {" + OP + "repeated int64 elements; }");
        try (ParquetWriter<Group> writer = writer(schema, WriterVersion.PARQUET_2_0)) {
            Group txn = txn(schema, 1);
            op(txn.addGroup("ops"), "w", 5L, 6L);
            Group read = op(txn.addGroup("ops"), "r", 5L, null);
            read.add("elements", 6L);
            read.add("elements", 7L);
            op(txn.addGroup("ops"), "r", 4L, null);
            op(txn.addGroup("ops"), "r", 4L, 3L);
            writer.write(txn);
            writer.write(txn(schema, 2));
        }

        assertThat(SliceText.read(file()))
                .containsExactly(
                        "row 1: 1 0/1 committed [-,-] (-,-) w(5,6) r(5,[6, 7]) r(4,_) r(4,3)",
                        "row 2: 2 0/2 committed [-,-] (-,-)");
    }

    @Test
    void elementsThatCannotBeNullAreNothingWhenEmpty() throws IOException {
        MessageType schema = schema("required group ops (LIST) { repeated group list { required group element {" + OP
                + "required group elements (LIST) { repeated group list { required int64 element; } } } } }");
        try (ParquetWriter<Group> writer = writer(schema, WriterVersion.PARQUET_1_0)) {
            Group txn = txn(schema, 1);
            Group ops = txn.addGroup("ops");
            op(ops.addGroup(0).addGroup(0), "w", 5L, 6L).addGroup("elements");
            op(ops.addGroup(0).addGroup(0), "r", 5L, 6L).addGroup("elements");
            op(ops.addGroup(0).addGroup(0), "r", 5L, null).addGroup("elements");
            writer.write(txn);
        }

        assertThat(SliceText.read(file())).containsExactly("row 1: 1 0/1 committed [-,-] (-,-) w(5,6) r(5,6) r(5,_)");
    }

    @Test
    void anOperationThatIsNullIsABadRow() throws IOException {
        MessageType schema =
                schema("optional group ops (LIST) { repeated group list { optional group element {" + OP + "} } }");
        try (ParquetWriter<Group> writer = writer(schema, WriterVersion.PARQUET_1_0)) {
            Group txn = txn(schema, 1);
            Group ops = txn.addGroup("ops");
            op(ops.addGroup(0).addGroup(0), "w", 5L, 6L);
            ops.addGroup(0);
            writer.write(txn);
        }

        assertThatThrownBy(() -> SliceText.read(file()))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessage("[" + file()
                        + " row=1] op kind is null: op=1 expected=r|w|append|add|inc|p|v|d|cas|ins|has|rem;"
                        + " drop the op or give its kind");
    }

    @ParameterizedTest
    @EnumSource(WriterVersion.class)
    void manyRowsOfBothVersionsAreRead(WriterVersion version) throws IOException {
        MessageType schema =
                schema("required group ops (LIST) { repeated group list { required group element {" + OP + "} } }");
        List<String> expected = new ArrayList<>();
        try (ParquetWriter<Group> writer = writer(schema, version)) {
            for (long i = 0; i < 3000; i++) {
                Group txn = txn(schema, i);
                Group ops = txn.addGroup("ops");
                StringBuilder line = new StringBuilder("row " + (i + 1) + ": " + i + " 0/" + i);
                line.append(" committed [-,-] (-,-)");
                for (long j = 0; j < i % 12; j++) {
                    long value = i * i * i * j - 5_000_000_000L * j;
                    op(ops.addGroup(0).addGroup(0), "inc", j * i, value);
                    line.append(" inc(").append(j * i).append(',').append(value).append(')');
                }
                writer.write(txn);
                expected.add(line.toString());
            }
        }

        assertThat(SliceText.read(file())).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "PARQUET_1_0,true,UNCOMPRESSED",
        "PARQUET_1_0,false,GZIP",
        "PARQUET_2_0,true,SNAPPY",
        "PARQUET_2_0,false,ZSTD",
        "PARQUET_1_0,true,LZ4",
        "PARQUET_2_0,false,LZ4",
        "PARQUET_2_0,true,LZ4_RAW",
    })
    void stringsAndInt32sWithAndWithoutDictionaryAreRead(
            WriterVersion version, boolean byDictionary, CompressionCodecName codec) throws IOException {
        MessageType schema = MessageTypeParser.parseMessageType(
                """
                message history {
                  required int32 txn_id; optional int32 session_id; required int32 session_seq (INTEGER(16,true));
                  optional int32 start_ts (INTEGER(32,false));
                  required group ops (LIST) { repeated group list { required group element {
                    required binary kind (ENUM); required binary key; optional binary value (JSON); } } }
                }""");
        List<String> expected = new ArrayList<>();
        try (ParquetWriter<Group> writer = writer(schema, version, byDictionary, codec)) {
            for (int i = 0; i < 2000; i++) {
                Group txn = new SimpleGroupFactory(schema).newGroup();
                txn.append("txn_id", i - 1000).append("session_id", 3).append("session_seq", i);
                txn.append("start_ts", -i - 1);
                Group op = txn.addGroup("ops").addGroup(0).addGroup(0);
                op.append("kind", "w").append("key", "account-" + i % 100).append("value", "\"balance é" + i + '"');
                writer.write(txn);
                expected.add("row " + (i + 1) + ": " + (i - 1000) + " 3/" + i + " committed [" + (0xFFFFFFFFL - i)
                        + ",-] (-,-) w('account-" + i % 100 + "','\"balance é" + i + "\"')");
            }
        }

        assertThat(SliceText.read(file())).isEqualTo(expected);
    }

    @Test
    void stringsOfFixedLengthAreRead() throws IOException {
        MessageType schema = schema("required group ops (LIST) { repeated group list { required group element {"
                + "required binary kind (STRING); required fixed_len_byte_array(3) key; optional int64 value; } } }");
        try (ParquetWriter<Group> writer = writer(schema, WriterVersion.PARQUET_2_0)) {
            Group txn = txn(schema, 1);
            Group ops = txn.addGroup("ops");
            for (String key : List.of("abc", "abd", "xyz")) {
                Group op = ops.addGroup(0).addGroup(0);
                op.append("kind", "w").append("key", Binary.fromString(key)).append("value", 1L);
            }
            writer.write(txn);
        }

        assertThat(SliceText.read(file()))
                .containsExactly("row 1: 1 0/1 committed [-,-] (-,-) w('abc',1) w('abd',1) w('xyz',1)");
    }

    @Test
    void stringsThatAreNotUtf8AreABadRow() throws IOException {
        MessageType schema = schema("required group ops (LIST) { repeated group list { required group element {"
                + "required binary kind (STRING); required binary key; optional int64 value; } } }");
        try (ParquetWriter<Group> writer = writer(schema, WriterVersion.PARQUET_1_0)) {
            Group txn = txn(schema, 1);
            Group op = txn.addGroup("ops").addGroup(0).addGroup(0);
            op.append("kind", "w").append("key", Binary.fromConstantByteArray(new byte[] {'a', (byte) 0xC3}));
            op.append("value", 1L);
            writer.write(txn);
        }

        assertThatThrownBy(() -> SliceText.read(file()))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessage("[" + file() + " row=1] key is not utf-8: op=0; write strings in utf-8");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "repeated int64 txn_id|required int64 key|txn_id|repeated int64|int64",
                "required int64 txn_id|repeated int64 key|ops.key|repeated int64|int64 or string",
                "required int64 txn_id|required int96 key|ops.key|int96|int64 or string",
                "required int64 txn_id|required group key { required int64 id; }|ops.key|struct|int64 or string",
            })
    void aColumnThatHoldsMoreThanANumberIsRejected(
            String txnId, String key, String column, String type, String expected) throws IOException {
        MessageType schema = MessageTypeParser.parseMessageType("message history { " + txnId
                + "; required int64 session_id; required int64 session_seq; required group ops (LIST) {"
                + " repeated group list { required group element { required binary kind (STRING); "
                + key + (key.endsWith("}") ? "" : ";") + " } } } }");
        writer(schema, WriterVersion.PARQUET_1_0).close();

        assertThatThrownBy(() -> SliceText.read(file()))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessage("[" + file() + "] column has the wrong type: column=" + column + " type=" + type
                        + " expected=" + expected + "; cast the column when writing the file");
    }

    @Test
    void decimalsWithDigitsBehindThePointAreNoIntegers() throws IOException {
        MessageType schema = MessageTypeParser.parseMessageType(
                "message history { required int64 txn_id (DECIMAL(9,2)); required int64 session_id; }");
        try (ParquetWriter<Group> writer = writer(schema, WriterVersion.PARQUET_1_0)) {
            writer.write(new SimpleGroupFactory(schema)
                    .newGroup()
                    .append("txn_id", 1L)
                    .append("session_id", 1L));
        }

        assertThatThrownBy(() -> SliceText.read(file()))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessage("[" + file() + "] column has the wrong type: column=txn_id type=int64(decimal)"
                        + " expected=int64; cast the column when writing the file");
    }

    @Test
    void unknownColumnsOfEveryTypeGoToExtra() throws IOException {
        MessageType schema = MessageTypeParser.parseMessageType(
                """
                message history {
                  required int64 txn_id; required int64 session_id; required int64 session_seq;
                  required group ops (LIST) { repeated group list { required group element {
                    required binary kind (STRING); required int64 key; optional int64 value; } } }
                  optional boolean ok; optional float ratio; optional double load; optional int96 old;
                  optional binary raw; optional fixed_len_byte_array(16) id (UUID);
                  optional int64 big (INTEGER(64,false)); repeated int64 tags;
                }""");
        try (ParquetWriter<Group> writer = writer(schema, WriterVersion.PARQUET_2_0)) {
            Group txn = txn(schema, 1);
            txn.addGroup("ops");
            txn.append("ok", true).append("ratio", 0.5f).append("load", Double.NaN);
            txn.append("raw", Binary.fromConstantByteArray(new byte[] {(byte) 0xFF, 0}));
            txn.append("id", Binary.fromConstantByteArray(new byte[16])).append("big", -1L);
            txn.append("tags", 1L).append("tags", 2L);
            writer.write(txn);
        }

        assertThat(SliceText.read(file()))
                .containsExactly(
                        "row 1: 1 0/1 committed [-,-] (-,-) {\"ok\":true,\"ratio\":0.5,\"load\":\"NaN\","
                                + "\"raw\":\"/wA=\",\"id\":\"00000000-0000-0000-0000-000000000000\",\"big\":18446744073709551615}");
    }

    private static MessageType schema(String ops) {
        return MessageTypeParser.parseMessageType("message history { required int64 txn_id; optional int64 session_id;"
                + " required int64 session_seq; " + ops + " }");
    }

    private static Group txn(MessageType schema, long id) {
        Group txn = new SimpleGroupFactory(schema).newGroup();
        return txn.append("txn_id", id).append("session_id", 0L).append("session_seq", id);
    }

    private static Group op(Group op, String kind, Long key, Long value) {
        op.append("kind", kind).append("key", key);
        if (value != null) {
            op.append("value", value);
        }
        return op;
    }

    private ParquetWriter<Group> writer(MessageType schema, WriterVersion version) throws IOException {
        return writer(schema, version, true, CompressionCodecName.UNCOMPRESSED);
    }

    private ParquetWriter<Group> writer(
            MessageType schema, WriterVersion version, boolean byDictionary, CompressionCodecName codec)
            throws IOException {
        return ExampleParquetWriter.builder(new LocalOutputFile(file()))
                .withConf(new PlainParquetConfiguration())
                .withType(schema)
                .withWriterVersion(version)
                .withDictionaryEncoding(byDictionary)
                .withPageSize(4096)
                .withCodecFactory(new TestCodecs())
                .withCompressionCodec(codec)
                .build();
    }
}
