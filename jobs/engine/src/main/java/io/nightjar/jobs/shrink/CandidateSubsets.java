package io.nightjar.jobs.shrink;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.CopyFilter;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.ListRef;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SetsFields;
import io.nightjar.formats.history.SliceBuilder;
import io.nightjar.formats.history.ValueType;
import io.nightjar.jobs.read.ValidatingScanner;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Larger and larger parts of a history, each with more of the transactions that may explain an anomaly. */
final class CandidateSubsets {

    private static final int MAX_TXNS = 50_000;

    private final ValidatingScanner rows;
    private final ShrinkTarget target;
    private HistorySlice participants;
    private long txnCount;
    private long opCount;

    CandidateSubsets(ValidatingScanner rows, ShrinkTarget target) {
        this.rows = rows;
        this.target = target;
    }

    /** Returns the number of transactions in the whole history; valid once a subset was read. */
    long txnCount() {
        return txnCount;
    }

    long opCount() {
        return opCount;
    }

    /** Selects the transactions of a subset. */
    private interface Choice {

        /** Prepares for a slice before its transactions. */
        void of(HistorySlice slice);

        boolean takes(HistorySlice slice, int txn);
    }

    /** Returns the transactions of the anomaly. */
    @SetsFields
    HistorySlice participants() throws IOException {
        txnCount = 0;
        opCount = 0;
        HistorySlice collected = collect(new Choice() {
            @Override
            public void of(HistorySlice slice) {
                txnCount += slice.txnCount;
                opCount += slice.opCount;
            }

            @Override
            public boolean takes(HistorySlice slice, int txn) {
                return target.txnIds().contains(slice.txnId[txn]);
            }
        });
        participants = requireNonNull(collected); // an anomaly has few
        return participants;
    }

    /** Returns these transactions and the writers of the values that they read of the keys in question. */
    @Nullable
    HistorySlice withWriters() throws IOException {
        Set<String> keys = keys();
        Set<String> wanted = new HashSet<>();
        for (int op = 0; op < participants.opCount; op++) {
            String key = participants.hasKey(op) ? participants.keyText(op) : null;
            if (key == null || !keys.contains(key)) {
                continue;
            }
            if (OpKind.hasList(participants.kind[op])) {
                int list = ListRef.list(participants.value[op]);
                for (int i = 0; i < ListRef.length(participants.value[op]); i++) {
                    wanted.add(pair(key, participants.valueText(participants.lists.element(list, i))));
                }
            } else if (OpKind.isRead(participants.kind[op]) && OpKind.hasValue(participants.kind[op])) {
                wanted.add(pair(key, participants.valueText(participants.value[op])));
            }
        }
        return collect(new OfKeys(keys) {
            @Override
            boolean wants(HistorySlice slice, int op) {
                return OpKind.isWriteOfValue(slice.kind[op])
                        && wanted.contains(pair(requireNonNull(slice.keyText(op)), slice.valueText(slice.value[op])));
            }
        });
    }

    /** Returns these transactions and all that touched the keys in question; null if those are too many. */
    @Nullable
    HistorySlice withKeys() throws IOException {
        return collect(new OfKeys(keys()) {
            @Override
            boolean wants(HistorySlice slice, int op) {
                return true;
            }
        });
    }

    /** Returns the whole history. */
    List<HistorySlice> whole() throws IOException {
        List<HistorySlice> all = new ArrayList<>();
        rows.pass(ColumnGroup.all(), slice -> all.add(slice.whole()));
        return all;
    }

    private Set<String> keys() {
        if (!target.keys().isEmpty()) {
            return target.keys();
        }
        Set<String> keys = new HashSet<>();
        for (int op = 0; op < participants.opCount; op++) {
            if (participants.hasKey(op)) {
                keys.add(participants.keyText(op));
            }
        }
        return keys;
    }

    private static String pair(String key, String value) {
        return key.length() + ":" + key + value;
    }

    /** Selects participants, and transactions with an operation on a wanted key. */
    private abstract class OfKeys implements Choice {

        private final Set<String> keys;
        private boolean @Nullable [] isWantedName; // by the slice's names of keys; null if keys are numbers
        private final Set<Long> wantedNumbers = new HashSet<>();

        OfKeys(Set<String> keys) {
            this.keys = keys;
            for (String key : keys) {
                try {
                    wantedNumbers.add(Long.parseLong(key));
                } catch (NumberFormatException name) {
                    continue; // not reached, since keys are names then
                }
            }
        }

        abstract boolean wants(HistorySlice slice, int op);

        @Override
        public void of(HistorySlice slice) {
            isWantedName = null;
            if (slice.keyType == ValueType.STRING) {
                isWantedName = new boolean[slice.keyNames.size()];
                for (int name = 0; name < isWantedName.length; name++) {
                    isWantedName[name] = keys.contains(slice.keyNames.get(name));
                }
            }
        }

        @Override
        public boolean takes(HistorySlice slice, int txn) {
            if (target.txnIds().contains(slice.txnId[txn])) {
                return true;
            }
            for (int op = slice.firstOpOf[txn]; op < slice.firstOpOf[txn + 1]; op++) {
                if (slice.hasKey(op) && isOfWantedKey(slice.key[op]) && wants(slice, op)) {
                    return true;
                }
            }
            return false;
        }

        private boolean isOfWantedKey(long key) {
            return isWantedName == null ? wantedNumbers.contains(key) : isWantedName[(int) key];
        }
    }

    /** Returns the chosen rows; null if they are too many. */
    private @Nullable HistorySlice collect(Choice choice) throws IOException {
        SliceBuilder subset = new SliceBuilder(rows.source().uri());
        rows.pass(ColumnGroup.all(), items -> {
            HistorySlice slice = items.whole();
            choice.of(slice);
            for (int txn = 0; txn < slice.txnCount && subset.txnCount() <= MAX_TXNS; txn++) {
                if (choice.takes(slice, txn)) {
                    subset.copyTxn(slice, txn, subset.txnCount() + 1, CopyFilter.ALL);
                }
            }
        });
        return subset.txnCount() > MAX_TXNS ? null : subset.build();
    }
}
