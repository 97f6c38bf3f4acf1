package io.nightjar.pipeline.check.timestamp;

import io.nightjar.fixtures.small.SmallHistory;
import io.nightjar.fixtures.small.SmallHistory.Op;
import io.nightjar.fixtures.small.SmallHistory.Txn;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Which transactions count as committed: the committed ones, and the unknown ones that one of these read from. */
final class CountedTxns {

    private final SmallHistory history;
    private final Set<Long> counted = new HashSet<>();

    private CountedTxns(SmallHistory history) {
        this.history = history;
    }

    /** Ids of unknown transactions that count as committed. */
    static Set<Long> unknownOnesOf(SmallHistory history) {
        CountedTxns txns = new CountedTxns(history);
        boolean grew = true;
        while (grew) {
            grew = false;
            for (Txn unknown : history.txns()) {
                if (unknown.status() == TxnStatus.UNKNOWN
                        && !txns.counts(unknown)
                        && txns.isReadByACountedOne(unknown)) {
                    txns.counted.add(unknown.id());
                    grew = true;
                }
            }
        }
        return txns.counted;
    }

    private boolean counts(Txn txn) {
        return txn.status() == TxnStatus.COMMITTED || counted.contains(txn.id());
    }

    private boolean isReadByACountedOne(Txn unknown) {
        for (Txn reader : history.txns()) {
            if (counts(reader) && reader.id() != unknown.id()) {
                for (String key : history.keys()) {
                    for (String value : valuesReadFromOutside(reader, key)) {
                        if (finalWrites(unknown, key).contains(value)
                                && !isWrittenByACommittedOne(key, value)
                                && !isInitial(key, value)) {
                            return true;
                        }
                    }
                }
            }
        }
        return false;
    }

    /** A value that means the initial state is read from nobody; an element of a list never means it. */
    private boolean isInitial(String key, String value) {
        boolean list = history.txns().stream()
                .anyMatch(txn -> txn.opsOn(key).stream().anyMatch(op -> op.kind() == OpKind.APPEND));
        return !list
                && value.equals(history.initialValue())
                && history.txns().stream()
                        .filter(txn -> txn.status() == TxnStatus.COMMITTED)
                        .noneMatch(txn -> txn.opsOn(key).stream()
                                .anyMatch(op -> op.isWrite() && op.value().equals(value)));
    }

    private boolean isWrittenByACommittedOne(String key, String value) {
        return history.txns().stream()
                .filter(txn -> txn.status() == TxnStatus.COMMITTED)
                .anyMatch(txn -> finalWrites(txn, key).contains(value));
    }

    /** The last value written to a register; every element appended to a list. */
    private static List<String> finalWrites(Txn txn, String key) {
        List<String> values = new ArrayList<>();
        for (Op op : txn.opsOn(key)) {
            if (op.kind() == OpKind.WRITE) {
                values.clear();
                values.add(op.value());
            } else if (op.kind() == OpKind.APPEND) {
                values.add(op.value());
            }
        }
        return values;
    }

    /** The value of a register's first operation if that is a read; the elements of a list's first read. */
    private static List<String> valuesReadFromOutside(Txn reader, String key) {
        for (Op op : reader.opsOn(key)) {
            if (op.kind() == OpKind.READ_LIST) {
                return op.elements();
            }
            if (op.kind() == OpKind.READ) {
                return List.of(op.value());
            }
            if (op.kind() != OpKind.APPEND) {
                return List.of();
            }
        }
        return List.of();
    }
}
