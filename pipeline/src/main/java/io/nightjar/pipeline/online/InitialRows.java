package io.nightjar.pipeline.online;

import static java.util.Objects.requireNonNullElse;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SliceBuilder;
import java.util.ArrayList;
import java.util.List;

/** Converts the initial states of keys to transactions that write them. */
final class InitialRows {

    private static final String FILE = "initial";
    private static final long[] NO_ELEMENTS = {};
    private static final int KEYS_OF_TXN = 1_000;
    private static final long TIME = Long.MIN_VALUE + 2; // the start is before it, and no timestamp is the first number

    private InitialRows() {}

    static List<HistorySlice> of(OnlineKeys keys) {
        List<HistorySlice> slices = new ArrayList<>();
        SliceBuilder slice = null;
        int row = 0;
        int inTxn = 0;
        for (int key = 0; key < keys.count() && keys.initials().isAnyKnown(); key++) {
            long[] list = requireNonNullElse(keys.initials().list(key), NO_ELEMENTS);
            boolean isList = list.length > 0;
            if (!keys.isTouched(key) || !isList && !keys.initials().isValue(key)) {
                continue;
            }
            if (slice == null) {
                slice = new SliceBuilder(FILE);
                long id = OnlineCheck.FIRST_INITIAL_ID + row;
                slice.beginTxn(++row, id, id, 0).timestamps(TIME - 1, TIME);
            }
            long name = keys.keyIn(slice, key);
            if (isList) {
                for (long element : list) {
                    slice.op(OpKind.APPEND, name, keys.valueIn(slice, element));
                }
            } else {
                slice.op(OpKind.WRITE, name, keys.valueIn(slice, keys.initials().value(key)));
            }
            if (++inTxn == KEYS_OF_TXN) {
                slices.add(end(slice));
                slice = null;
                inTxn = 0;
            }
        }
        if (slice != null) {
            slices.add(end(slice));
        }
        return slices;
    }

    private static HistorySlice end(SliceBuilder slice) {
        slice.endTxn();
        return slice.build();
    }
}
