package io.nightjar.formats.source;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SliceBuilder;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.history.ValueType;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Makes histories that use every column in every way. They satisfy no isolation level. */
public final class RandomHistory {

    private static final String[] STRINGS = {
        "x",
        "y",
        "_",
        "null",
        "1",
        "-7",
        "",
        " ",
        "a b",
        "quote\"",
        "back\\slash",
        "tab\t",
        "line\nbreak",
        "#no comment",
        "s1",
        "T1:",
        "é",
        "日本",
        "\uD83D\uDE00",
        "\u0000",
        "\u001f",
        "a:b/c.d-e$",
        "[1,2]",
        "{\"a\":1}",
        "long".repeat(50)
    };
    private static final long[] NUMBERS = {
        0, 1, -1, 7, 42, 999_999_999_999_999_999L, 1_000_000_000_000_000_000L, Long.MAX_VALUE, Long.MIN_VALUE, -12
    };
    private static final String[] EXTRAS = {
        "{\"node\":\"n1\"}",
        "{}",
        "{\"txn\":5,\"ops\":[]}",
        "{\"error\":{\"code\":1.5e3,\"text\":\"a \\\"b\\\" # c\"},\"retries\":[1,null,true,false]}",
        "{\"extra\":{\"session\":1}}",
        "{\"name with space\":\"\\u0000 \\uD83D\"}"
    };

    private final Random random;
    private final ValueType keyType;
    private final ValueType valueType;
    private int meanOps = 5;
    private boolean hasTimes = true;
    private boolean hasExtras = true;
    private boolean hasAttributes = true;
    private boolean hasLists = true;

    public RandomHistory(long seed, ValueType keyType, ValueType valueType) {
        this.random = new Random(seed);
        this.keyType = keyType;
        this.valueType = valueType;
    }

    /** Only what every history has: ids, status and operations on registers. */
    public RandomHistory bare() {
        hasTimes = false;
        hasExtras = false;
        hasAttributes = false;
        hasLists = false;
        return this;
    }

    public RandomHistory meanOps(int count) {
        meanOps = count;
        return this;
    }

    /** Transactions 1 to {@code txnCount}, in slices of random length. */
    public List<HistorySlice> slices(int txnCount) {
        List<HistorySlice> slices = new ArrayList<>();
        SliceBuilder slice = new SliceBuilder("random");
        long[] seqOf = new long[5];
        for (int row = 1; row <= txnCount; row++) {
            addTxn(slice, row, seqOf);
            if (random.nextInt(1 + txnCount / 4) == 0) {
                slices.add(slice.build());
                slice = new SliceBuilder("random");
            }
        }
        if (slice.txnCount() > 0) {
            slices.add(slice.build());
        }
        return slices;
    }

    private void addTxn(SliceBuilder slice, int row, long[] seqOf) {
        int session = random.nextInt(seqOf.length);
        seqOf[session] += random.nextInt(10) == 0 ? 3 : 1; // gaps are allowed
        long id = hasTimes && random.nextInt(50) == 0 ? -row : row;
        slice.beginTxn(row, id, session - 1L, seqOf[session] - 1);
        slice.status(oneIn(4) ? (oneIn(2) ? TxnStatus.ABORTED : TxnStatus.UNKNOWN) : TxnStatus.COMMITTED);
        if (hasTimes) {
            slice.timestamps(time(row), time(row + 10L));
            slice.clientTimes(time(-row), time(row * 1_000_000_000_000L));
        }
        slice.extra(hasExtras && oneIn(3) ? EXTRAS[random.nextInt(EXTRAS.length)] : null);
        int ops = oneIn(10) ? 0 : random.nextInt(2 * meanOps + 1);
        for (int i = 0; i < ops; i++) {
            addOp(slice);
        }
        slice.endTxn();
    }

    private void addOp(SliceBuilder slice) {
        long key = scalar(slice, true);
        switch (random.nextInt(hasLists ? 7 : 3)) {
            case 0 -> slice.op(OpKind.WRITE, key, scalar(slice, false));
            case 1 -> slice.op(OpKind.READ, key, scalar(slice, false));
            case 2 -> slice.op(OpKind.READ_NOTHING, key, 0);
            case 3 -> slice.op(OpKind.APPEND, key, scalar(slice, false));
            case 4 -> slice.op(OpKind.ADD, key, scalar(slice, false));
            case 5 -> slice.op(OpKind.INCREMENT, key, scalar(slice, false));
            default -> addList(slice, key);
        }
        if (hasAttributes && oneIn(4)) {
            slice.version(random.nextInt(1000) - 10L);
        }
        if (hasAttributes && oneIn(4)) {
            slice.writerTxn(random.nextInt(1000) - 10L);
        }
    }

    /** Mostly prefixes of one list, sometimes something else. */
    private void addList(SliceBuilder slice, long key) {
        slice.beginList();
        int length = random.nextInt(6);
        for (int i = 0; i < length; i++) {
            slice.element(oneIn(20) ? scalar(slice, false) : fixed(slice, i));
        }
        slice.listRead(key);
    }

    private long fixed(SliceBuilder slice, int position) {
        if (valueType == ValueType.STRING) {
            slice.valuesAreStrings();
            return slice.valueNames().intern("e" + position);
        }
        slice.valuesAreLongs();
        return 100 + position;
    }

    private long scalar(SliceBuilder slice, boolean isKey) {
        if ((isKey ? keyType : valueType) == ValueType.LONG) {
            if (isKey) {
                slice.keysAreLongs();
            } else {
                slice.valuesAreLongs();
            }
            return oneIn(5) ? NUMBERS[random.nextInt(NUMBERS.length)] : random.nextInt(20);
        }
        String text = oneIn(3) ? STRINGS[random.nextInt(STRINGS.length)] : "k" + random.nextInt(20);
        if (isKey) {
            slice.keysAreStrings();
            return slice.keyNames().intern(text);
        }
        slice.valuesAreStrings();
        return slice.valueNames().intern(text);
    }

    private long time(long base) {
        return oneIn(6) ? HistorySlice.NONE : base + random.nextInt(3);
    }

    private boolean oneIn(int n) {
        return random.nextInt(n) == 0;
    }
}
