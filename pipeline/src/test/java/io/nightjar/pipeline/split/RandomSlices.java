package io.nightjar.pipeline.split;

import io.nightjar.formats.history.Column;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SliceBuilder;
import io.nightjar.formats.history.StringTable;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** Slices from a seed with everything a slice may hold: mixed kinds, names, lists, gaps, missing entries and columns. */
final class RandomSlices {

    private static final long[] EXTREMES = {Long.MAX_VALUE, Long.MIN_VALUE + 1, 0, -1, 1L << 40};

    private final Random random;
    private final boolean namedKeys;
    private final boolean namedValues;
    private final boolean hasLists;
    private final boolean hasExtra;
    private final boolean hasGaps;
    private final double versioned;
    private final double extreme;
    private final int keyCount;
    private final Map<Long, List<Long>> listOf = new HashMap<>();

    private RandomSlices(long seed) {
        random = new Random(seed * 0x9E3779B97F4A7C15L);
        namedKeys = random.nextBoolean();
        namedValues = random.nextInt(3) == 0;
        hasLists = random.nextBoolean();
        hasExtra = random.nextInt(3) == 0;
        hasGaps = random.nextInt(3) == 0;
        versioned = new double[] {0, 0, 0.5, 1}[random.nextInt(4)];
        extreme = new double[] {0, 0, 0.1, 0.9}[random.nextInt(4)];
        keyCount = 1 + random.nextInt(20);
    }

    static HistorySlice of(long seed) {
        return new RandomSlices(seed).draw();
    }

    private HistorySlice draw() {
        SliceBuilder builder = new SliceBuilder(random.nextBoolean() ? "a.jsonl" : "größe/part-1.parquet");
        if (random.nextBoolean()) {
            builder.rowsAreLines();
        }
        int count = random.nextInt(8) == 0 ? random.nextInt(2) : random.nextInt(60);
        long row = 1 + random.nextInt(1_000_000);
        for (int txn = 0; txn < count; txn++) {
            addTxn(builder, row, txn);
            row += hasGaps ? 1 + random.nextInt(3) : 1;
        }
        Set<Column> wanted = EnumSet.allOf(Column.class);
        wanted.removeIf(column -> column != Column.OPERATIONS && random.nextInt(6) == 0);
        return builder.build(wanted);
    }

    private void addTxn(SliceBuilder builder, long row, int txn) {
        builder.beginTxn(row, number(txn), number(random.nextInt(4)), number(txn / 2));
        builder.status((byte) random.nextInt(3));
        builder.timestamps(time(100L + txn), time(103L + txn));
        builder.clientTimes(time(5_000L + txn), time(6_000L + txn));
        if (hasExtra && random.nextInt(3) == 0) {
            builder.extra("{\"node\":\"ü" + txn + "\"}");
        }
        int opCount = random.nextInt(20) == 0 ? 0 : random.nextInt(12);
        for (int op = 0; op < opCount; op++) {
            addOp(builder);
        }
        builder.endTxn();
    }

    private void addOp(SliceBuilder builder) {
        long key = key(builder);
        int choice = random.nextInt(hasLists ? 7 : 5);
        switch (choice) {
            case 0 -> builder.op(OpKind.READ_NOTHING, key, 0);
            case 1 -> builder.op(OpKind.READ, key, value(builder));
            case 2 -> builder.op(OpKind.WRITE, key, value(builder));
            case 3 -> builder.op(OpKind.ADD, key, value(builder));
            case 4 -> builder.op(OpKind.INCREMENT, key, value(builder));
            case 5 -> {
                long element = value(builder);
                listOf.computeIfAbsent(key, any -> new ArrayList<>()).add(element);
                builder.op(OpKind.APPEND, key, element);
            }
            default -> addListRead(builder, key);
        }
        if (random.nextDouble() < versioned) {
            builder.version(number(random.nextInt(50)));
        }
        if (random.nextDouble() < versioned && OpKind.isRead((byte) choice)) {
            builder.writerTxn(number(random.nextInt(50)));
        }
    }

    /** Most reads return a prefix of what was appended. */
    private void addListRead(SliceBuilder builder, long key) {
        List<Long> list = listOf.getOrDefault(key, List.of());
        int length = random.nextInt(list.size() + 1);
        builder.beginList();
        list.subList(0, length).forEach(builder::element);
        if (random.nextInt(5) == 0) {
            builder.element(value(builder));
        }
        builder.listRead(key);
    }

    private long key(SliceBuilder builder) {
        long number = number(random.nextInt(keyCount));
        if (!namedKeys) {
            builder.keysAreLongs();
            return number;
        }
        builder.keysAreStrings();
        return name(builder.keyNames(), "k" + number);
    }

    private long value(SliceBuilder builder) {
        long number = number(random.nextInt(1_000));
        if (!namedValues) {
            builder.valuesAreLongs();
            return number;
        }
        builder.valuesAreStrings();
        return name(builder.valueNames(), number == 0 ? "" : "é" + number);
    }

    /** Some names are in the table and never referred to. */
    private long name(StringTable names, String name) {
        if (random.nextInt(5) == 0) {
            names.intern("unused" + random.nextInt(10));
        }
        return names.intern(name);
    }

    private long number(long usual) {
        return random.nextDouble() < extreme ? EXTREMES[random.nextInt(EXTREMES.length)] : usual;
    }

    private long time(long usual) {
        return random.nextInt(5) == 0 ? HistorySlice.NONE : number(usual);
    }
}
