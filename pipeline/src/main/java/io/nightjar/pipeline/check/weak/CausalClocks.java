package io.nightjar.pipeline.check.weak;

import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.infer.Chains;
import io.nightjar.pipeline.infer.ClientHistory;
import org.jspecify.annotations.Nullable;

/** A vector clock over sessions and reads: how many transactions of each chain are in the causal past of each transaction. */
final class CausalClocks {

    /*
     * Layout. Row of a transaction: page(txn)[offset(txn) + chain] is the number of transactions of the chain that
     * precede it or are itself; they are a prefix, since a chain is in causal order. Rows are stored in pages, so that
     * no array is larger than Java allows.
     *
     * Algorithm. A row is the row of the session predecessor, joined with the rows of the writers read from; a writer
     * already in the row adds nothing.
     */

    private static final int PAGE_BITS = 18;
    private static final int BUDGET_MASK = 0xFF;

    private final Chains chains;
    private final int txnBits;
    private final int txnMask;
    private final int[][] pages;

    private CausalClocks(Chains chains, int txnCount) {
        this.chains = chains;
        int chainBits = 32 - Integer.numberOfLeadingZeros(Math.max(1, chains.chainCount - 1));
        this.txnBits = Math.max(0, PAGE_BITS - chainBits);
        this.txnMask = (1 << txnBits) - 1;
        this.pages = new int[(txnCount >> txnBits) + 1][];
    }

    static long byteSize(int txnCount, int chainCount) {
        return 4L * txnCount * chainCount;
    }

    /**
     * @param causalOrder all transactions, in an order that keeps sessions and reads
     * @return null if the budget is spent
     */
    static @Nullable CausalClocks of(ClientHistory history, Chains chains, int[] causalOrder, Budget budget) {
        CausalClocks clocks = new CausalClocks(chains, history.txnCount);
        for (int i = 0; i < causalOrder.length; i++) {
            if ((i & BUDGET_MASK) == 0 && budget.isSpent()) {
                return null;
            }
            clocks.fill(history, causalOrder[i]);
        }
        return clocks;
    }

    int[] page(int txn) {
        return pages[txn >> txnBits];
    }

    int offset(int txn) {
        return (txn & txnMask) * chains.chainCount;
    }

    private void fill(ClientHistory history, int txn) {
        int chainCount = chains.chainCount;
        if (page(txn) == null) {
            pages[txn >> txnBits] = new int[chainCount << txnBits];
        }
        int[] row = page(txn);
        int offset = offset(txn);
        if (txn > 0 && history.sessionOf[txn - 1] == history.sessionOf[txn]) {
            System.arraycopy(page(txn - 1), offset(txn - 1), row, offset, chainCount);
        }
        for (int read = history.firstReadOf[txn]; read < history.firstReadOf[txn + 1]; read++) {
            int writer = history.writerOf[read];
            if (writer != ClientHistory.INITIAL && row[offset + chains.chainOf[writer]] <= chains.positionOf[writer]) {
                join(page(writer), offset(writer), row, offset, chainCount);
            }
        }
        row[offset + chains.chainOf[txn]] = chains.positionOf[txn] + 1;
    }

    private static void join(int[] from, int fromOffset, int[] into, int offset, int count) {
        for (int chain = 0; chain < count; chain++) {
            into[offset + chain] = Math.max(into[offset + chain], from[fromOffset + chain]);
        }
    }
}
