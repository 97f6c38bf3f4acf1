package consumer;

/** The database of the page's test: one account, and one transaction at a time. */
final class Bank {

    /** The transaction of a thread. */
    static final class Connection {

        private Long written;

        void commit() {
            balance = written;
        }
    }

    interface Action {
        void run(Connection connection) throws Exception;
    }

    private static Long balance;

    private Bank() {}

    static void inThreads(int count, Action action) throws Exception {
        Thread[] threads = new Thread[count];
        for (int i = 0; i < count; i++) {
            threads[i] = new Thread(() -> runAlone(action));
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        if (balance != 100 - count) {
            throw new AssertionError("balance=" + balance);
        }
    }

    private static synchronized void runAlone(Action action) {
        try {
            action.run(new Connection());
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    static Long balance(Connection connection, String account) {
        return balance;
    }

    static Long withdraw(Connection connection, String account) {
        connection.written = (balance == null ? 100 : balance) - 1;
        return connection.written;
    }
}
