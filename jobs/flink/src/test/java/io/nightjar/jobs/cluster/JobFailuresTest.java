package io.nightjar.jobs.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.jobs.lake.LakeException;
import java.io.IOException;
import org.apache.flink.api.common.JobID;
import org.apache.flink.runtime.client.JobExecutionException;
import org.apache.flink.runtime.io.network.netty.exception.RemoteTransportException;
import org.apache.flink.util.SerializedThrowable;
import org.junit.jupiter.api.Test;

class JobFailuresTest {

    @Test
    void taskExceptionIsFoundInEveryWrapper() {
        assertThat(JobFailures.reasonOf(failedBy(new LakeException("full"))))
                .isExactlyInstanceOf(LakeException.class)
                .hasMessage("full");
        assertThat(JobFailures.reasonOf(failedBy(new RuntimeException(new IOException("unreadable")))))
                .isExactlyInstanceOf(IOException.class)
                .hasMessage("unreadable");
        assertThat(JobFailures.reasonOf(failedBy(new OutOfMemoryError("heap")))).isInstanceOf(OutOfMemoryError.class);
    }

    @Test
    void clusterFailureIsRetryable() {
        Throwable lost = new RemoteTransportException("connection to task manager lost", null, null);

        assertThat(JobFailures.reasonOf(failedBy(lost)))
                .isInstanceOf(ClusterException.class)
                .hasMessage("job was ended: reason=connection to task manager lost");
    }

    @Test
    void faultsOfOursAreNotTakenForTheClusters() {
        assertThat(JobFailures.reasonOf(failedBy(new IllegalStateException("broken"))))
                .isNull();
    }

    /** As it comes back from a cluster: bytes in bytes. */
    private static Exception failedBy(Throwable thrown) {
        return new JobExecutionException(
                new JobID(),
                "job failed",
                new RuntimeException(new SerializedThrowable(new SerializedThrowable(thrown))));
    }
}
