package io.nightjar.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Applications on a store in their process. */
class WeakStoreTest {

    private static final int SEEDS = 30;

    @TempDir
    private Path directory;

    /**
     * Runs an application that loses money if reads may be old: both withdraw if the two accounts together have enough.
     * Returns whether it did.
     */
    private static boolean overdraws(WeakStore store) {
        store.load("alice", "60").load("bob", "60");
        WeakStore.Session one = store.session("one");
        WeakStore.Session two = store.session("two");
        try {
            withdraw(one.begin(), "alice");
            withdraw(two.begin(), "bob");
        } catch (WeakStore.AbortedException refused) {
            return false;
        }
        return Integer.parseInt(store.newest("alice")) + Integer.parseInt(store.newest("bob")) < 0;
    }

    private static void withdraw(WeakStore.Txn txn, String from) {
        int alice = Integer.parseInt(txn.get("alice"));
        int bob = Integer.parseInt(txn.get("bob"));
        if (alice + bob >= 100) {
            txn.put(from, String.valueOf((from.equals("alice") ? alice : bob) - 100));
        }
        txn.commit();
    }

    private static int broken(String level) {
        int broken = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            try (WeakStore store = WeakStore.at(level).seed(seed).open()) {
                broken += overdraws(store) ? 1 : 0;
            }
        }
        return broken;
    }

    @Test
    void writeSkewHappensUpToSnapshotIsolation() {
        assertThat(broken("rc")).isPositive();
        assertThat(broken("causal")).isPositive();
        assertThat(broken("si")).isPositive();
        assertThat(broken("ser")).isZero();
    }

    @Test
    void theArchiveKeepsTheLevelAndSaysWhereCallsCameFrom() throws IOException {
        for (String level : new String[] {"rc", "ra", "cc", "pc", "si", "ser"}) {
            Path archive = directory.resolve(level + ".jsonl");
            try (WeakStore store = WeakStore.at(level).seed(5).archive(archive).open()) {
                store.load("k1", "a \"b\"\n");
                WeakStore.Session[] sessions = {store.session("one"), store.session("two"), store.session("three")};
                for (int round = 0; round < 40; round++) {
                    WeakStore.Txn txn = sessions[round % sessions.length].begin();
                    try {
                        String key = "k" + round % 5;
                        txn.put(key, String.valueOf(txn.scan("k", "l").size()));
                        if (round % 7 == 0) {
                            txn.delete("k" + (round + 1) % 5);
                        }
                        if (txn.get("k3") == null) {
                            txn.getForUpdate("k4");
                        }
                        txn.commit();
                    } catch (WeakStore.AbortedException refused) {
                        assertThat(refused).hasMessageContaining("try again");
                    }
                }
            }
            assertThat(Nightjar.check(History.read(archive), level).verdict())
                    .as(level)
                    .isEqualTo(Verdicts.Answer.HOLDS);
            assertThat(Files.readString(archive))
                    .contains("\"client\":\"two\"")
                    .contains("scan(\\\"k\\\", \\\"l\\\") at " + WeakStoreTest.class.getName()
                            + ".theArchiveKeepsTheLevelAndSaysWhereCallsCameFrom(WeakStoreTest.java:");
        }
    }

    @Test
    void ownWritesAreReadAndRolledBack() {
        try (WeakStore store = WeakStore.at("ser").open()) {
            WeakStore.Session session = store.session("one");
            WeakStore.Txn txn = session.begin().put("a", "1").put("b", "2").delete("a");
            assertThat(txn.get("a")).isNull();
            assertThat(txn.scan("a", "z")).containsOnlyKeys("b");
            txn.rollback();
            assertThat(store.newest("b")).isNull();
            session.begin().put("b", "3").commit();
            assertThat(store.newest("b")).isEqualTo("3");
            assertThatThrownBy(() -> session.begin().put("c", null)).hasMessageContaining("no value: key=c");
        }
        assertThatThrownBy(() -> WeakStore.at("PL-9")).hasMessageContaining("give one of rc, ra, cc, pc, si and ser");
    }

    @Test
    void finishedTransactionRejectsCalls() {
        WeakStore store = WeakStore.at("cc").open();
        WeakStore.Session session = store.session("one");
        WeakStore.Txn txn = session.begin().put("a", "1");
        assertThatThrownBy(() -> store.load("b", "1")).hasMessageContaining("load: a transaction is open");
        assertThatThrownBy(() -> store.load("b", null)).hasMessageContaining("no value: key=b");
        assertThatThrownBy(() -> txn.get(null)).hasMessageContaining("no key");
        assertThatThrownBy(() -> txn.scan(null, "b")).hasMessageContaining("no range: from=null");
        txn.commit();
        txn.rollback(); // as in a finally block
        assertThatThrownBy(() -> txn.put("a", "2")).hasMessageContaining("the transaction has ended");
        assertThatThrownBy(txn::commit).hasMessageContaining("the transaction has ended");
        WeakStore.Txn second = session.begin();
        assertThatThrownBy(() -> txn.get("a")).hasMessageContaining("the transaction has ended");
        assertThat(store.newest("a")).isEqualTo("1");
        session.close();
        assertThatThrownBy(second::commit).hasMessageContaining("the session is closed");
        store.close();
        assertThatThrownBy(session::begin).hasMessageContaining("the store is closed");
        assertThatThrownBy(() -> store.load("c", "1")).hasMessageContaining("the store is closed");
    }
}
