package io.nightjar.formats.text;

import io.nightjar.formats.file.CorruptDataException;
import io.nightjar.formats.history.SetsFields;
import io.nightjar.formats.history.StringPool;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import it.unimi.dsi.fastutil.longs.LongArrays;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Mapping of the clocks and names of a TimeKiller history to int64: unchanged if possible, otherwise ordinals.
 *
 * <p>Clocks are ordinals from 1 in the order of (physical, logical) if one logical count is not zero. Transactions and
 * sessions are ordinals from 1 in the order of appearance if one has a name that is not an integer.
 */
final class TimeKillerIds {

    private static final int NONE = -1;

    // Clock i, in order, is (physicalOf[i], logicalOf[i]); null if every logical count is zero.
    private long[] physicalOf;
    private long[] logicalOf;
    private int clockCount;

    private @Nullable StringPool txns;
    private @Nullable StringPool sessions;

    private TimeKillerIds() {}

    /** Scans the files: quickly if no name needs renaming, otherwise transaction by transaction. */
    static TimeKillerIds find(List<Path> files) throws IOException {
        TimeKillerIds ids = new TimeKillerIds();
        for (Path file : files) {
            if (!PlainScan.isPlain(file)) {
                ids.collect(files);
                return ids;
            }
        }
        return ids;
    }

    boolean areClocksOrdinals() {
        return physicalOf != null;
    }

    boolean areTxnsOrdinals() {
        return txns != null;
    }

    boolean areSessionsOrdinals() {
        return sessions != null;
    }

    long timestamp(TimeKillerTxn.Clock clock) {
        if (physicalOf != null) {
            return 1 + indexOf(clock);
        }
        if (clock.logical != 0) {
            throw hidden("a logical clock");
        }
        return clock.physical;
    }

    long txn(TimeKillerTxn.Name name) {
        return number(name, txns);
    }

    long session(TimeKillerTxn.Name name) {
        return number(name, sessions);
    }

    private static long number(TimeKillerTxn.Name name, @Nullable StringPool names) {
        if (names != null) {
            byte[] utf8 = name.spelling().getBytes(StandardCharsets.UTF_8);
            return 1 + names.find(utf8, 0, utf8.length);
        }
        if (name.text != null) {
            throw hidden("the name " + name.text);
        }
        return name.number;
    }

    private static BadRowException hidden(String what) {
        return BadRowException.of("unexpected text after a member with escapes in its name")
                .with("found=" + what)
                .advise("write tid, sid, sts, cts and l without");
    }

    private int indexOf(TimeKillerTxn.Clock clock) {
        int low = 0;
        int high = clockCount - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            boolean isBelow = physicalOf[middle] < clock.physical
                    || (physicalOf[middle] == clock.physical && logicalOf[middle] < clock.logical);
            if (isBelow) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private void collect(List<Path> files) throws IOException {
        LongArrayList physical = new LongArrayList();
        LongArrayList logical = new LongArrayList();
        StringPool txnNames = new StringPool();
        StringPool sessionNames = new StringPool();
        boolean[] isNeeded = new boolean[3]; // clocks, transactions, sessions
        TimeKillerTxn txn = new TimeKillerTxn();
        ExtraMemberCollector extra = new ExtraMemberCollector();
        for (Path file : files) {
            try (TimeKillerArray array = new TimeKillerArray(file)) {
                while (array.advance()) {
                    if (!isReadable(array, txn, extra)) {
                        continue;
                    }
                    add(txn.start, physical, logical);
                    add(txn.commit, physical, logical);
                    txnNames.intern(txn.txn.spelling());
                    sessionNames.intern(txn.session.spelling());
                    isNeeded[0] |= txn.start.logical != 0 || txn.commit.logical != 0;
                    isNeeded[1] |= txn.txn.text != null;
                    isNeeded[2] |= txn.session.text != null;
                }
            }
        }
        if (isNeeded[0]) {
            sortClocks(physical.elements(), logical.elements(), physical.size());
        }
        txns = isNeeded[1] ? txnNames : null;
        sessions = isNeeded[2] ? sessionNames : null;
    }

    /** Returns false for a row that the reader will reject; the row has then been skipped. */
    private static boolean isReadable(TimeKillerArray array, TimeKillerTxn txn, ExtraMemberCollector extra)
            throws IOException {
        try {
            txn.read(array.cursor(), JsonCursor::skipValue, extra);
            return true;
        } catch (BadRowException bad) {
            array.passOver(0);
            return false;
        } catch (CorruptDataException damaged) {
            throw array.malformed(damaged.fault());
        }
    }

    private static void add(TimeKillerTxn.Clock clock, LongArrayList physical, LongArrayList logical) {
        physical.add(clock.physical);
        logical.add(clock.logical);
    }

    @SetsFields
    private void sortClocks(long[] physical, long[] logical, int count) {
        LongArrays.radixSort(physical, logical, 0, count);
        int last = NONE;
        for (int i = 0; i < count; i++) {
            if (last == NONE || physical[i] != physical[last] || logical[i] != logical[last]) {
                last++;
                physical[last] = physical[i];
                logical[last] = logical[i];
            }
        }
        clockCount = last + 1;
        physicalOf = Arrays.copyOf(physical, clockCount);
        logicalOf = Arrays.copyOf(logical, clockCount);
    }
}
