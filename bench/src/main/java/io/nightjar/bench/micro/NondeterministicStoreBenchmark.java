package io.nightjar.bench.micro;

import io.nightjar.datasets.random.SeededRandom;
import io.nightjar.datasets.store.Chooser;
import io.nightjar.datasets.store.NondeterministicStore;
import io.nightjar.datasets.store.Store;
import io.nightjar.datasets.store.StrongCommitOrderStore;
import io.nightjar.datasets.store.WeakCommitOrderStore;
import io.nightjar.datasets.store.WeakFreeOrderStore;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Param;

/** The core of a mock, without SQL: all transactions of a history, each with ten operations, half of them reads. */
@Fork(value = 1, jvmArgsAppend = "-Xmx500m")
public class NondeterministicStoreBenchmark extends WholeRun {

    private static final int OPERATIONS = 10;
    private static final int KEYS = 1_000;

    /** The store and its level. */
    public enum Answers {
        CC_ANY {
            @Override
            NondeterministicStore open(int sessions, Chooser chooser) {
                return new WeakFreeOrderStore(WeakFreeOrderStore.Level.CAUSAL, sessions, KEYS, chooser);
            }
        },
        CC {
            @Override
            NondeterministicStore open(int sessions, Chooser chooser) {
                return new WeakCommitOrderStore(
                        WeakFreeOrderStore.Level.CAUSAL, sessions, KEYS, Integer.MAX_VALUE, chooser);
            }
        },
        SI {
            @Override
            NondeterministicStore open(int sessions, Chooser chooser) {
                return new StrongCommitOrderStore(
                        StrongCommitOrderStore.Level.SNAPSHOT_ISOLATION, sessions, KEYS, chooser);
            }
        };

        abstract NondeterministicStore open(int sessions, Chooser chooser);
    }

    @Param({"CC_ANY", "CC", "SI"})
    public Answers answers;

    @Param("8")
    public int sessions;

    @Param("10000")
    public int transactions;

    /** Makes sessions take turns after each operation; an aborted transaction counts too. */
    @Benchmark
    public long chooseAnswers() {
        SeededRandom random = new SeededRandom(1);
        NondeterministicStore store = answers.open(sessions, random::below);
        int[] done = new int[sessions];
        long reads = 0;
        long version = 0;
        for (int ended = 0; ended < transactions; ) {
            for (int session = 0; session < sessions && ended < transactions; session++) {
                if (done[session] == 0) {
                    store.begin(session);
                }
                int key = random.below(KEYS);
                boolean isAlive;
                if (random.below(2) == 0) {
                    isAlive = store.read(session, key) != Store.ABORTED;
                    reads++;
                } else {
                    isAlive = store.write(session, key, ++version);
                }
                done[session]++;
                if (isAlive && done[session] == OPERATIONS) {
                    store.commit(session);
                    isAlive = false;
                }
                if (!isAlive) {
                    done[session] = 0;
                    ended++;
                }
            }
        }
        if (reads == 0) {
            throw new IllegalStateException("nothing was read");
        }
        return reads;
    }
}
