package io.nightjar.pipeline.infer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.datasets.generate.GeneratorOptions;
import io.nightjar.datasets.random.SeededRandom;
import io.nightjar.pipeline.check.GeneratedClients;
import org.junit.jupiter.api.Test;

class ChainsTest {

    private static final long FIRST_SEED = Long.getLong("nightjar.seed", 1);

    @Test
    void fewSessionsAreChains() {
        ClientHistory.Builder builder = new ClientHistory.Builder();
        builder.beginSession().beginTxn(1).write(0).beginTxn(2);
        builder.beginSession().beginTxn(3).read(0, 0);

        Chains chains = Chains.of(builder.build());

        assertThat(chains.chainCount).isEqualTo(2);
        assertThat(chains.chainOf).containsExactly(0, 0, 1);
        assertThat(chains.positionOf).containsExactly(0, 1, 0);
        assertThat(chains.txns).containsExactly(0, 1, 2);
    }

    @Test
    void singleTransactionSessionsReadingFromEachOtherAreOneChain() {
        ClientHistory.Builder builder = new ClientHistory.Builder();
        for (int txn = 0; txn < 1_000; txn++) {
            builder.beginSession().beginTxn(txn);
            builder.read(0, txn == 0 ? ClientHistory.INITIAL : txn - 1).write(0);
        }

        assertThat(Chains.of(builder.build()).chainCount).isEqualTo(1);
    }

    @Test
    void sessionsThatKnowNothingOfEachOtherStayChains() {
        ClientHistory.Builder builder = new ClientHistory.Builder();
        for (int txn = 0; txn < 1_000; txn++) {
            builder.beginSession().beginTxn(txn).write(0);
        }

        assertThat(Chains.of(builder.build()).chainCount).isEqualTo(1_000);
    }

    @Test
    void chainsKeepSessionsAndReads() {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + 200; seed++) {
            ClientHistory history = manySessions(seed);
            boolean[][] precedes = closure(history);

            Chains chains = Chains.of(history);

            assertThat(chains.chainCount).as("seed=%d", seed).isLessThanOrEqualTo(history.sessionCount);
            assertThat(chains.firstOf[chains.chainCount]).as("seed=%d", seed).isEqualTo(history.txnCount);
            for (int chain = 0; chain < chains.chainCount; chain++) {
                for (int i = chains.firstOf[chain]; i < chains.firstOf[chain + 1]; i++) {
                    int txn = chains.txns[i];
                    assertThat(chains.chainOf[txn]).as("seed=%d", seed).isEqualTo(chain);
                    assertThat(chains.positionOf[txn]).as("seed=%d", seed).isEqualTo(i - chains.firstOf[chain]);
                    if (i > chains.firstOf[chain]) {
                        assertThat(precedes[chains.txns[i - 1]][txn])
                                .as("seed=%d chain=%d", seed, chain)
                                .isTrue();
                    }
                }
            }
        }
    }

    @Test
    void readsInACircleHaveNoChains() {
        ClientHistory.Builder builder = new ClientHistory.Builder();
        for (int txn = 0; txn < 1_000; txn++) {
            builder.beginSession().beginTxn(txn).write(txn).read((txn + 1) % 1_000, (txn + 1) % 1_000);
        }
        ClientHistory circle = builder.build();

        assertThatThrownBy(() -> Chains.of(circle)).hasMessage("reads and sessions go in a circle: txnCount=1000");
    }

    @Test
    void oneShotSessionsOfAStoreBecomeFewerChains() {
        ClientHistory history = GeneratedClients.of(GeneratorOptions.builder()
                .transactions(4_000)
                .sessions(2_000)
                .keys(100)
                .concurrency(8)
                .ops(6)
                .build());

        assertThat(Chains.of(history).chainCount).isLessThan(history.sessionCount / 4);
    }

    @Test
    void tooManyChainsAreNone() {
        ClientHistory.Builder builder = new ClientHistory.Builder();
        for (int txn = 0; txn < 1_000; txn++) {
            builder.beginSession().beginTxn(txn).write(0);
        }
        ClientHistory history = builder.build();

        assertThat(Chains.of(history, CausalOrder.of(history), 999)).isNull();
        assertThat(Chains.of(history, CausalOrder.of(history), 1_000).chainCount)
                .isEqualTo(1_000);
    }

    private static ClientHistory manySessions(long seed) {
        SeededRandom random = new SeededRandom(seed);
        int txnCount = 70 + random.below(130);
        ClientHistory.Builder builder = new ClientHistory.Builder();
        for (int txn = 0; txn < txnCount; txn++) {
            if (txn < 70 || random.below(3) == 0) {
                builder.beginSession();
            }
            builder.beginTxn(txn);
            for (int read = random.below(4); txn > 0 && read > 0; read--) {
                int writer = txn - 1 - random.below(Math.min(txn, 20));
                builder.read(writer, writer);
            }
            builder.write(txn);
        }
        return builder.build();
    }

    private static boolean[][] closure(ClientHistory history) {
        boolean[][] precedes = new boolean[history.txnCount][history.txnCount];
        for (int txn = 0; txn < history.txnCount; txn++) { // writers have smaller numbers here
            for (int earlier = 0; earlier < txn; earlier++) {
                boolean isDirect = history.sessionOf[earlier] == history.sessionOf[txn];
                for (int read = history.firstReadOf[txn]; read < history.firstReadOf[txn + 1]; read++) {
                    isDirect |= history.writerOf[read] == earlier;
                }
                for (int first = 0; isDirect && first <= earlier; first++) {
                    precedes[first][txn] |= first == earlier || precedes[first][earlier];
                }
            }
        }
        return precedes;
    }
}
