package io.nightjar.datasets.workload;

import java.util.Arrays;

/** One transaction: the operations planned so far, what its reads have returned, and how it goes on from there. */
public final class Program {

    /** How a transaction goes on; called when all that was planned is done, and for the last time when it plans nothing. */
    @FunctionalInterface
    public interface Script {

        /** @param step how often it was called before */
        void proceed(Program txn, int step);
    }

    private final Script script;
    private int step;
    private int planned;
    private int done;
    private boolean[] isRead = new boolean[8];
    private int[] key = new int[8];
    private long[] amount = new long[8];
    private int answerCount;
    private long[] answers = new long[8];
    private boolean rollsBack;

    public Program(Script script) {
        this.script = script;
    }

    public Program read(int ofKey) {
        return plan(true, ofKey, 0);
    }

    public Program write(int toKey, long newAmount) {
        return plan(false, toKey, newAmount);
    }

    /** Ends the transaction without its writes, as the application wants it. */
    public void rollBack() {
        rollsBack = true;
    }

    /** What the transaction's reads have returned, the first one 0. */
    public long answer(int read) {
        return answers[read];
    }

    public int answerCount() {
        return answerCount;
    }

    private Program plan(boolean reads, int ofKey, long newAmount) {
        if (planned == key.length) {
            isRead = Arrays.copyOf(isRead, 2 * planned);
            key = Arrays.copyOf(key, 2 * planned);
            amount = Arrays.copyOf(amount, 2 * planned);
        }
        isRead[planned] = reads;
        key[planned] = ofKey;
        amount[planned++] = newAmount;
        return this;
    }

    // ---------------------------------------------------------------- for who runs it

    /** Whether there is another operation; if not, the transaction ends. */
    public boolean hasNext() {
        if (done == planned && !rollsBack) {
            script.proceed(this, step++);
        }
        return done < planned && !rollsBack;
    }

    public boolean isRolledBack() {
        return rollsBack;
    }

    /** Of the next operation. */
    public boolean reads() {
        return isRead[done];
    }

    public int key() {
        return key[done];
    }

    public long amount() {
        return amount[done];
    }

    /** The next operation is done; a read has returned an amount. */
    public void done(long answer) {
        if (isRead[done++]) {
            if (answerCount == answers.length) {
                answers = Arrays.copyOf(answers, 2 * answerCount);
            }
            answers[answerCount++] = answer;
        }
    }
}
