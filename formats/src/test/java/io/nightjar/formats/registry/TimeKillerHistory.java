package io.nightjar.formats.registry;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SliceBuilder;
import java.util.List;
import java.util.Random;

/** Random histories that TimeKiller's JSON supports. */
public final class TimeKillerHistory {

    private TimeKillerHistory() {}

    public static List<HistorySlice> slices(long seed, int txnCount) {
        Random random = new Random(seed);
        SliceBuilder slice = new SliceBuilder("timekiller");
        long[] seqOf = new long[3];
        slice.keysAreLongs();
        slice.valuesAreLongs();
        for (int row = 1; row <= txnCount; row++) {
            int session = random.nextInt(seqOf.length);
            slice.beginTxn(row, row, session, seqOf[session]++).timestamps(row * 10L, row * 10L + random.nextInt(30));
            int ops = random.nextInt(8);
            for (int i = 0; i < ops; i++) {
                addOp(slice, random);
            }
            slice.endTxn();
        }
        return List.of(slice.build());
    }

    private static void addOp(SliceBuilder slice, Random random) {
        long key = random.nextLong();
        switch (random.nextInt(5)) {
            case 0 -> slice.op(OpKind.READ_NOTHING, key, 0);
            case 1 -> slice.op(OpKind.APPEND, key, random.nextInt(100));
            case 2 -> slice.op(OpKind.WRITE, key, random.nextLong());
            case 3 -> slice.op(OpKind.READ, key, random.nextInt());
            default -> {
                slice.beginList();
                for (int i = random.nextInt(4); i > 0; i--) {
                    slice.element(random.nextInt(50));
                }
                slice.listRead(key);
            }
        }
    }
}
