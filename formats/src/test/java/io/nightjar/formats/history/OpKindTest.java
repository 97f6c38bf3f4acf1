package io.nightjar.formats.history;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OpKindTest {

    @Test
    void nonRelationalKindEitherReadsOrWritesItsKey() {
        for (byte kind = 0; kind < OpKind.COUNT; kind++) {
            if (!OpKind.isRelational(kind) && !OpKind.isGuard(kind) && kind != OpKind.HAS) {
                assertThat(OpKind.isRead(kind)).as(OpKind.name(kind)).isNotEqualTo(OpKind.isWrite(kind));
            }
        }
    }

    @Test
    void onlyDeletionAmongRelationalKindsChangesItsKey() {
        for (byte kind = 0; kind < OpKind.COUNT; kind++) {
            if (OpKind.isRelational(kind)) {
                assertThat(OpKind.isWrite(kind)).as(OpKind.name(kind)).isEqualTo(kind == OpKind.DELETE);
                assertThat(OpKind.isRead(kind)).as(OpKind.name(kind)).isFalse();
            }
        }
    }

    @Test
    void oneWordMeansTheKindsWithAValueAndWithout() {
        assertThat(OpKind.withValue((byte) OpKind.code("p"))).isEqualTo(OpKind.PREDICATE_ANSWER);
        assertThat(OpKind.withValue((byte) OpKind.code("v"))).isEqualTo(OpKind.UNMATCHED_ROW);
        assertThat(OpKind.withValue((byte) OpKind.code("d"))).isEqualTo(-1);
        assertThat(OpKind.withoutValue((byte) OpKind.code("r"))).isEqualTo(OpKind.READ_NOTHING);
        assertThat(OpKind.withoutValue((byte) OpKind.code("w"))).isEqualTo(-1);
    }

    @Test
    void onlyWritesStoreTheirValue() {
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
        assertThat(OpKind.words())
                .containsExactly("r", "w", "append", "add", "inc", "p", "v", "d", "cas", "ins", "has", "rem");
        assertThat(OpKind.code("r")).isEqualTo(OpKind.READ);
        assertThat(OpKind.code("cas")).isEqualTo(OpKind.CAS);
        assertThat(OpKind.code("ins")).isEqualTo(OpKind.INSERT);
        assertThat(OpKind.writeCode("r")).isEqualTo(-1);
        assertThat(OpKind.writeCode("inc")).isEqualTo(OpKind.INCREMENT);
        assertThat(OpKind.code("x")).isEqualTo(-1);
    }
}
