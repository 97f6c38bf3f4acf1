package io.nightjar.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.nightjar.junit.IsolationExtension;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Tests of a register that two threads use at once, as a user writes them. */
class IsolationExtensionTest {

    /** Two that read the register before either writes it. */
    static final class TwoWithdrawals {

        @RegisterExtension
        final IsolationExtension isolation = IsolationExtension.expecting("serializable");

        private final AtomicLong balance = new AtomicLong();
        private final CountDownLatch haveRead = new CountDownLatch(2);

        @Test
        void loseAnUpdate() throws InterruptedException {
            isolation.begin().write("alice", 100).commit();
            balance.set(100);
            Thread one = new Thread(() -> withdraw(30));
            Thread other = new Thread(() -> withdraw(50));
            one.start();
            other.start();
            one.join();
            other.join();
        }

        private void withdraw(long amount) {
            try (History.Txn txn = isolation.begin()) {
                long before = balance.get();
                txn.read("alice", before);
                haveRead.countDown();
                haveRead.await();
                balance.set(before - amount);
                txn.write("alice", before - amount).commit();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        @Test
        void oneAfterTheOther() {
            isolation.begin().write("alice", 100).commit();
            isolation.begin().read("alice", 100).write("alice", 70).commit();
            isolation.begin().read("alice", 70).write("alice", 20).commit();
        }
    }

    @Test
    void aTestFailsWithTheExplanation() {
        TestExecutionSummary summary = run("loseAnUpdate");

        assertThat(summary.getTestsFailedCount()).isEqualTo(1);
        assertThat(summary.getFailures().get(0).getException())
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("serializable violated")
                .hasMessageContaining("alice");
    }

    @Test
    void serializableTestPasses() {
        assertThat(run("oneAfterTheOther").getTestsSucceededCount()).isEqualTo(1);
    }

    private static TestExecutionSummary run(String method) {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectMethod(TwoWithdrawals.class, method))
                .build();
        Launcher launcher = LauncherFactory.create();
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        launcher.execute(request, listener);
        return listener.getSummary();
    }
}
