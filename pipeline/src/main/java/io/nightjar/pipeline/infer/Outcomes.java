package io.nightjar.pipeline.infer;

import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.pipeline.primitive.IntColumn;

/**
 * Which transactions count: those that committed, and those of unknown outcome from which one that counts has read.
 */
public final class Outcomes {

    private final OperationLog log;
    private final boolean[] isCounted;
    private final IntColumn news = new IntColumn();
    private long[] isReadAmbiguously; // by version; null if none was
    private boolean mayOthersCount;

    private Outcomes(OperationLog log) {
        this.log = log;
        isCounted = new boolean[log.txnCount];
    }

    public static Outcomes of(OperationLog log, Versions versions, KeyUse use, ListOrders lists) {
        Outcomes outcomes = new Outcomes(log);
        boolean anyUnknown = false;
        for (int txn = 0; txn < log.txnCount; txn++) {
            outcomes.isCounted[txn] = log.status[txn] == TxnStatus.COMMITTED;
            anyUnknown |= log.status[txn] == TxnStatus.UNKNOWN;
        }
        if (anyUnknown) {
            outcomes.resolve(versions, use, lists);
        }
        return outcomes;
    }

    private void resolve(Versions versions, KeyUse use, ListOrders lists) {
        for (int key = 0; key < log.keyCount; key++) {
            for (int i = 0; i < lists.length(key); i++) {
                count(versions, versions.find(key, lists.element(key, i)));
            }
        }
        for (int txn = 0; txn < log.txnCount; txn++) {
            if (log.status[txn] == TxnStatus.COMMITTED) {
                followReads(txn, versions, use, lists);
            }
        }
        for (int i = 0; i < news.size(); i++) {
            followReads(news.get(i), versions, use, lists);
        }
        for (int i = 0; isReadAmbiguously != null && i < versions.repeatedWriteCount(); i++) {
            int version = versions.repeatedVersion(i);
            boolean isRead = (isReadAmbiguously[version >>> 6] & 1L << version) != 0;
            mayOthersCount |= isRead && isUnknown(versions.repeatingTxn(i));
        }
    }

    private void followReads(int txn, Versions versions, KeyUse use, ListOrders lists) {
        for (int op = log.firstOpOf[txn]; op < log.firstOpOf[txn + 1]; op++) {
            int key = log.key[op];
            if (log.kind[op] == OpKind.READ) {
                count(versions, versions.ofOp(op));
            } else if (log.kind[op] == OpKind.READ_LIST) {
                boolean isDone =
                        use.of(key) == KeyUse.LIST && log.status[txn] == TxnStatus.COMMITTED && lists.isPrefix(op);
                int length = isDone ? 0 : log.lists.length(log.value[op]);
                for (int i = 0; i < length; i++) {
                    count(versions, versions.find(key, log.lists.element(key, log.value[op], i)));
                }
            }
        }
    }

    private void count(Versions versions, int version) {
        int writer = version == Versions.NONE ? Versions.NOBODY : versions.writer(version);
        if (writer == Versions.SEVERAL) {
            isReadAmbiguously = isReadAmbiguously == null ? new long[(versions.count() >>> 6) + 1] : isReadAmbiguously;
            isReadAmbiguously[version >>> 6] |= 1L << version;
            mayOthersCount |= isUnknown(versions.firstWriter(version));
        } else if (writer >= 0 && log.status[writer] == TxnStatus.UNKNOWN && !isCounted[writer]) {
            isCounted[writer] = true;
            news.add(writer);
        }
    }

    public boolean isCounted(int txn) {
        return isCounted[txn];
    }

    /** Whether it counts, or may: where an unknown transaction and another one wrote what was read, any unknown one may. */
    public boolean mayCount(int txn) {
        return isCounted[txn] || mayOthersCount && isUnknown(txn);
    }

    /** Whether a transaction counts although nobody told that it committed. */
    public boolean isUnknown(int txn) {
        return log.status[txn] == TxnStatus.UNKNOWN;
    }
}
