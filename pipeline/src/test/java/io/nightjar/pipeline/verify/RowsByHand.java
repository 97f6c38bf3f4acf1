package io.nightjar.pipeline.verify;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SliceBuilder;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import it.unimi.dsi.fastutil.longs.LongSets;
import java.util.List;

/** A few rows written by hand, {@code r(x,1) append(l,2) r(l,[1,2]) r(y,_)}, to replay findings against. */
final class RowsByHand {

    private final SliceBuilder builder = new SliceBuilder("rows.txt");
    private final LongSet counted = new LongOpenHashSet();
    private String initialValue;
    private long row;

    RowsByHand txn(long id, long session, String ops) {
        return txn(id, session, HistorySlice.NONE, HistorySlice.NONE, ops);
    }

    /** The position in the session is the row. */
    RowsByHand txn(long id, long session, long invoke, long complete, String ops) {
        builder.beginTxn(++row, id, session, row).clientTimes(invoke, complete);
        builder.keysAreStrings();
        builder.valuesAreStrings();
        for (String op : ops.isEmpty() ? new String[0] : ops.split(" ")) {
            add(op);
        }
        builder.endTxn();
        return this;
    }

    RowsByHand aborted(long id, long session, String ops) {
        return ofStatus((byte) 1, id, session, ops);
    }

    RowsByHand unknown(long id, long session, String ops) {
        return ofStatus((byte) 2, id, session, ops);
    }

    RowsByHand counted(long id) {
        counted.add(id);
        return this;
    }

    RowsByHand initialValue(String value) {
        initialValue = value;
        return this;
    }

    private RowsByHand ofStatus(byte status, long id, long session, String ops) {
        builder.beginTxn(++row, id, session, row).status(status);
        builder.keysAreStrings();
        builder.valuesAreStrings();
        for (String op : ops.split(" ")) {
            add(op);
        }
        builder.endTxn();
        return this;
    }

    private void add(String op) {
        int open = op.indexOf('(');
        int comma = op.indexOf(',');
        String name = op.substring(0, open);
        long key = builder.keyNames().intern(op.substring(open + 1, comma));
        String value = op.substring(comma + 1, op.length() - 1);
        if (!name.equals("r")) {
            builder.op((byte) OpKind.writeCode(name), key, builder.valueNames().intern(value));
        } else if (value.startsWith("[")) {
            builder.beginList();
            String inner = value.substring(1, value.length() - 1);
            for (String element : inner.isEmpty() ? new String[0] : inner.split(",")) {
                builder.element(builder.valueNames().intern(element));
            }
            builder.listRead(key);
        } else if (value.equals("_")) {
            builder.op(OpKind.READ_NOTHING, key, 0);
        } else {
            builder.op(OpKind.READ, key, builder.valueNames().intern(value));
        }
    }

    /** Shows the rows to a verifier of these findings; the reasons why some are refuted. */
    Replayed replayable() {
        return new Replayed(builder.build(), initialValue, counted);
    }

    /** The rows, to be shown as often as wanted. */
    record Replayed(HistorySlice slice, String initialValue, LongSet counted) {

        List<String> reasons(Finding... findings) {
            List<Finding> all = List.of(findings);
            return SievedReplay.refuted(
                            all,
                            initialValue,
                            List.of(slice),
                            () -> new FindingReplay(
                                    all, initialValue, level -> counted, level -> LongSets.EMPTY_SET, counted, null))
                    .stream()
                    .map(RefutedFinding::reason)
                    .toList();
        }
    }
}
