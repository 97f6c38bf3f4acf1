package io.nightjar.pipeline.validate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SliceBuilder;
import io.nightjar.formats.history.ValueType;
import org.junit.jupiter.api.Test;

class TypeAgreementTest {

    private final TypeAgreement types = new TypeAgreement();

    @Test
    void slicesOfOneTypeAgree() {
        types.add(slice("a.jsonl", 1, "x", 1));
        types.add(slice("b.jsonl", 1, "y", 2));

        assertThat(types.keyType()).isEqualTo(ValueType.STRING);
        assertThat(types.valueType()).isEqualTo(ValueType.LONG);
    }

    @Test
    void keysOfTwoTypesAreRejectedWithBothRows() {
        types.add(slice("a.jsonl", 3, "x", 1));
        SliceBuilder numbers = begun("b.jsonl", 7);
        numbers.keysAreLongs();
        numbers.valuesAreLongs();
        numbers.op(OpKind.WRITE, 5, 1);
        numbers.endTxn();

        assertThatThrownBy(() -> types.add(numbers.build()))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessage("[b.jsonl row=7] keys of two types: key=5 type=int64 other-type=string"
                        + " other-row=[a.jsonl row=3]; use one type for the whole history");
    }

    @Test
    void valuesOfTwoTypesAreRejectedWithBothRows() {
        types.add(slice("a.jsonl", 3, "x", 1));
        SliceBuilder names = begun("b.jsonl", 7);
        Rows.readNothing(names, "x").endTxn();
        names.beginTxn(8, 2, 2, 0);
        Rows.named(names, OpKind.READ, "x", "one").endTxn();

        assertThatThrownBy(() -> types.add(names.build()))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessage("[b.jsonl row=8] values of two types: value=one type=string other-type=int64"
                        + " other-row=[a.jsonl row=3]; use one type for the whole history");
    }

    @Test
    void listElementsAreValues() {
        SliceBuilder names = begun("a.jsonl", 1);
        Rows.named(names, OpKind.APPEND, "x", "one").endTxn();
        types.add(names.build());
        SliceBuilder numbers = begun("a.jsonl", 2);
        Rows.readList(numbers, "x", 4, 5).endTxn();

        assertThatThrownBy(() -> types.add(numbers.build())).hasMessageContaining("value=4 type=int64");
    }

    @Test
    void aSliceThatOnlyReadsNothingFitsAll() {
        SliceBuilder empty = begun("a.jsonl", 1);
        Rows.readList(empty, "x").endTxn();
        types.add(empty.build());
        SliceBuilder names = begun("a.jsonl", 2);
        Rows.named(names, OpKind.WRITE, "x", "one").endTxn();

        types.add(names.build());

        assertThat(types.valueType()).isEqualTo(ValueType.STRING);
    }

    @Test
    void aSliceWithoutOperationsFitsAll() {
        types.add(slice("a.jsonl", 1, "x", 1));
        SliceBuilder empty = begun("a.jsonl", 2);
        empty.endTxn();

        types.add(empty.build());

        assertThat(types.keyType()).isEqualTo(ValueType.STRING);
    }

    private static HistorySlice slice(String file, long row, String key, long value) {
        SliceBuilder builder = begun(file, row);
        Rows.write(builder, key, value).endTxn();
        return builder.build();
    }

    private static SliceBuilder begun(String file, long row) {
        return new SliceBuilder(file).beginTxn(row, row, 1, row);
    }
}
