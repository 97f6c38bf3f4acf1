package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.jobs.UsageException;
import org.junit.jupiter.api.Test;

class FlinkJobTest {

    @Test
    void aJobIsNotSentToAnotherCluster() {
        assertThatThrownBy(() -> FlinkJob.main(new String[] {"--cluster=localhost:8081", "a.jsonl"}))
                .isInstanceOf(UsageException.class)
                .hasMessage("--cluster is not for a job, which is on its cluster already; leave it out");
    }

    @Test
    void wrongUsageFailsTheJob() {
        assertThatThrownBy(() -> FlinkJob.main(new String[] {"--level", "best", "--lake", "none", "a.jsonl"}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("check failed: code=64 arguments=--level best --lake none a.jsonl;"
                        + " see the log for the reason; code 75 is worth a retry");
    }
}
