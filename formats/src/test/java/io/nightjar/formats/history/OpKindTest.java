package io.nightjar.formats.history;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OpKindTest {

    @Test
    void everyKindReadsOrWritesItsKeyAndNotBoth() {
        for (byte kind = 0; kind < OpKind.COUNT; kind++) {
            assertThat(OpKind.isRead(kind)).as(OpKind.name(kind)).isNotEqualTo(OpKind.isWrite(kind));
        }
    }

    @Test
    void onlyWritesStoreWhatTheValueColumnHolds() {
        for (byte kind = 0; kind < OpKind.COUNT; kind++) {
            if (OpKind.isWriteOfValue(kind)) {
                assertThat(OpKind.isWrite(kind) && OpKind.hasValue(kind))
                        .as(OpKind.name(kind))
                        .isTrue();
            }
        }
        assertThat(OpKind.isWriteOfValue(OpKind.INCREMENT)).isFalse();
    }

    @Test
    void theValueColumnHoldsAScalarAListOrNothing() {
        assertThat(OpKind.hasValue(OpKind.READ)).isTrue();
        assertThat(OpKind.hasList(OpKind.READ_LIST)).isTrue();
        assertThat(OpKind.hasValue(OpKind.READ_LIST)).isFalse();
        assertThat(OpKind.hasValue(OpKind.READ_NOTHING) || OpKind.hasList(OpKind.READ_NOTHING))
                .isFalse();
    }

    @Test
    void wordsOfFilesLeadToTheirKinds() {
        assertThat(OpKind.words()).containsExactly("r", "w", "append", "add", "inc");
        assertThat(OpKind.code("r")).isEqualTo(OpKind.READ);
        assertThat(OpKind.writeCode("r")).isEqualTo(-1);
        assertThat(OpKind.writeCode("inc")).isEqualTo(OpKind.INCREMENT);
        assertThat(OpKind.code("x")).isEqualTo(-1);
    }
}
