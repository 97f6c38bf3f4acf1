package io.nightjar.junit;

import io.nightjar.api.History;
import io.nightjar.api.Nightjar;
import io.nightjar.api.Recorder;
import io.nightjar.api.Verdicts;
import java.util.List;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Checks the transactions of a test's threads.
 *
 * <pre>{@code
 * @RegisterExtension
 * IsolationExtension isolation = IsolationExtension.expecting("serializable");
 *
 * @Test
 * void transfersAreSerializable() {
 *     runInThreads(4, () -> {
 *         try (History.Txn txn = isolation.begin()) {
 *             txn.read("alice", database.read("alice")).write("alice", database.write("alice"));
 *             txn.commit();
 *         }
 *     });
 * }
 * }</pre>
 */
public final class IsolationExtension implements BeforeEachCallback, AfterTestExecutionCallback {

    private final List<String> levels;
    private Recorder recorder = new Recorder();

    private IsolationExtension(List<String> levels) {
        this.levels = levels;
    }

    /** Creates an extension that fails a test unless these levels hold for its transactions. */
    public static IsolationExtension expecting(String... levels) {
        return new IsolationExtension(List.of(levels));
    }

    /** Begins a transaction of the calling thread, which is a separate session. */
    public History.Txn begin() {
        return recorder.begin();
    }

    @Override
    public void beforeEach(ExtensionContext test) {
        recorder = new Recorder();
    }

    /** Checks the history, unless the test failed: an earlier failure is more informative. */
    @Override
    public void afterTestExecution(ExtensionContext test) {
        if (test.getExecutionException().isPresent()) {
            return;
        }
        Verdicts verdicts = Nightjar.check(recorder.history(), levels.toArray(new String[0]));
        if (!verdicts.hold()) {
            throw new AssertionError(verdicts.explanation());
        }
    }
}
