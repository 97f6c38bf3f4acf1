package io.nightjar.formats.parquet;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SliceBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Histories that make no sense but use every column. */
final class RandomHistory {

    private static final byte[] WRITES = {OpKind.WRITE, OpKind.APPEND, OpKind.ADD, OpKind.INCREMENT};

    private final SplittableRandom random;
    private final boolean namedKeys;
    private final boolean namedValues;
    private final boolean isSparse;

    RandomHistory(long seed) {
        random = new SplittableRandom(seed);
        namedKeys = random.nextBoolean();
        namedValues = random.nextBoolean();
        isSparse = random.nextBoolean();
    }

    /** Slices with rows that are consecutive from 1 on. */
    List<HistorySlice> slices(int sliceCount, int txnsInSlice) {
        List<HistorySlice> slices = new ArrayList<>();
        long row = 1;
        for (int i = 0; i < sliceCount; i++) {
            SliceBuilder builder = new SliceBuilder("random");
            for (int txn = 0; txn < txnsInSlice; txn++) {
                txn(builder, row++);
            }
            slices.add(builder.build());
        }
        return slices;
    }

    private void txn(SliceBuilder builder, long row) {
        builder.beginTxn(row, random.nextLong(), random.nextInt(10), row);
        builder.status((byte) random.nextInt(3));
        builder.timestamps(nullable(), nullable());
        builder.clientTimes(nullable(), nullable());
        if (random.nextInt(4) == 0) {
            builder.extra("{\"node\":\"n" + random.nextInt(3) + "\"}");
        }
        int ops = random.nextInt(6) == 0 ? 0 : random.nextInt(12);
        for (int op = 0; op < ops; op++) {
            op(builder);
        }
        builder.endTxn();
    }

    private void op(SliceBuilder builder) {
        long key = key(builder);
        switch (random.nextInt(isSparse ? 4 : 3)) {
            case 0 -> builder.op(WRITES[random.nextInt(WRITES.length)], key, value(builder));
            case 1 -> builder.op(OpKind.READ, key, value(builder));
            case 2 -> {
                if (random.nextInt(3) == 0) {
                    builder.op(OpKind.READ_NOTHING, key, 0);
                } else {
                    builder.op(OpKind.READ, key, value(builder));
                }
            }
            default -> {
                builder.beginList();
                for (int i = random.nextInt(random.nextInt(20) == 0 ? 300 : 4); i > 0; i--) {
                    builder.element(value(builder));
                }
                builder.listRead(key);
            }
        }
        if (isSparse && random.nextBoolean()) {
            builder.version(random.nextInt(100));
        }
        if (isSparse && random.nextBoolean()) {
            builder.writerTxn(-random.nextInt(100));
        }
    }

    private long nullable() {
        return isSparse && random.nextInt(3) == 0 ? HistorySlice.NONE : random.nextInt(1_000_000);
    }

    private long key(SliceBuilder builder) {
        if (namedKeys) {
            builder.keysAreStrings();
            return builder.keyNames().intern("key/ü" + random.nextInt(50));
        }
        builder.keysAreLongs();
        return random.nextInt(50) - 25;
    }

    private long value(SliceBuilder builder) {
        long number = random.nextInt(5) == 0 ? random.nextLong() : random.nextInt(1000);
        if (namedValues) {
            builder.valuesAreStrings();
            return builder.valueNames().intern("value " + number);
        }
        builder.valuesAreLongs();
        return number;
    }
}
