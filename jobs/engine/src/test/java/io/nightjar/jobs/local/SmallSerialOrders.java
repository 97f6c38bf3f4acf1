package io.nightjar.jobs.local;

import io.nightjar.fixtures.small.SmallHistory;
import io.nightjar.fixtures.small.SmallHistory.Op;
import io.nightjar.fixtures.small.SmallHistory.Txn;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** Search through all serial orders of a small history of registers and lists. */
final class SmallSerialOrders {

    private final SmallHistory history;
    private final boolean keepsVersions;

    private SmallSerialOrders(SmallHistory history, boolean keepsVersions) {
        this.history = history;
        this.keepsVersions = keepsVersions;
    }

    /**
     * Returns whether some serial order of the committed transactions, and of any unknown ones, explains all reads and
     * keeps sessions.
     *
     * @param keepsVersions whether it must also write each key in the order of commit timestamps
     */
    static boolean exist(SmallHistory history, boolean keepsVersions) {
        return new SmallSerialOrders(history, keepsVersions).exist();
    }

    private boolean exist() {
        List<Txn> unknown = history.txns().stream()
                .filter(txn -> txn.status() == TxnStatus.UNKNOWN)
                .toList();
        for (int chosen = 0; chosen < 1 << unknown.size(); chosen++) {
            int committed = chosen;
            List<Txn> txns = history.txns().stream()
                    .filter(txn -> txn.status() == TxnStatus.COMMITTED
                            || unknown.contains(txn) && (committed >> unknown.indexOf(txn) & 1) == 1)
                    .toList();
            boolean isClosed = unknown.stream().noneMatch(txn -> !txns.contains(txn) && isReadByUnknown(txn, txns));
            if (isClosed && existsAfter(txns, new ArrayList<>(), new HashMap<>())) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether a promoted transaction read a value that only an unknown transaction had written. */
    private static boolean isReadByUnknown(Txn writer, List<Txn> committed) {
        return committed.stream()
                .filter(reader -> reader.status() == TxnStatus.UNKNOWN)
                .flatMap(reader -> reader.ops().stream())
                .filter(Op::isRead)
                .flatMap(SmallSerialOrders::writesRead)
                .anyMatch(write -> writer.ops().contains(write)
                        && committed.stream().noneMatch(other -> other.ops().contains(write)));
    }

    private static Stream<Op> writesRead(Op read) {
        if (read.elements() != null) {
            return read.elements().stream().map(element -> Op.append(read.key(), element));
        }
        return read.value() == null ? Stream.of() : Stream.of(Op.write(read.key(), read.value()));
    }

    private boolean existsAfter(List<Txn> txns, List<Txn> placed, Map<String, String> state) {
        if (placed.size() == txns.size()) {
            return true;
        }
        for (Txn next : txns) {
            boolean mayFollow = !placed.contains(next)
                    && isFirstOfSession(txns, placed, next)
                    && (!keepsVersions || placed.stream().noneMatch(earlier -> overwritesLater(next, earlier)));
            Map<String, String> after = mayFollow ? run(next, state) : null;
            if (after != null) {
                placed.add(next);
                boolean isFound = existsAfter(txns, placed, after);
                placed.remove(next);
                if (isFound) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isFirstOfSession(List<Txn> txns, List<Txn> placed, Txn next) {
        return txns.stream()
                .filter(other -> other.session() == next.session() && other.seq() < next.seq())
                .allMatch(placed::contains);
    }

    /** Returns whether both wrote a key, and the transaction placed earlier committed later. */
    private static boolean overwritesLater(Txn next, Txn earlier) {
        boolean isLater = earlier.commit() != HistorySlice.NONE
                && next.commit() != HistorySlice.NONE
                && earlier.commit() > next.commit();
        return isLater
                && next.ops().stream().filter(Op::isWrite).anyMatch(write -> earlier.opsOn(write.key()).stream()
                        .anyMatch(Op::isWrite));
    }

    /**
     * Returns the state after a transaction; null if it committed and reads another value than that of the state before
     * and its own writes.
     */
    private Map<String, String> run(Txn txn, Map<String, String> before) {
        Map<String, String> state = new HashMap<>(before);
        for (Op op : txn.ops()) {
            String content = state.get(op.key());
            if (op.kind() == OpKind.APPEND) {
                state.put(op.key(), content == null ? op.value() : content + " " + op.value());
            } else if (op.isWrite()) {
                state.put(op.key(), op.value());
            } else if (txn.status() == TxnStatus.COMMITTED && !agrees(op, content)) {
                return null;
            }
        }
        return state;
    }

    private boolean agrees(Op read, String content) {
        if (read.kind() == OpKind.READ_LIST) {
            return String.join(" ", read.elements()).equals(content == null ? "" : content);
        }
        return Objects.equals(content, read.value()) || content == null && isInitialValue(read);
    }

    /** Returns whether a value means the initial state of a key: no committed transaction wrote it. */
    private boolean isInitialValue(Op read) {
        return Objects.equals(history.initialValue(), read.value())
                && history.txns().stream()
                        .filter(txn -> txn.status() == TxnStatus.COMMITTED)
                        .flatMap(txn -> txn.opsOn(read.key()).stream())
                        .noneMatch(op -> op.isWrite() && op.value().equals(read.value()));
    }
}
