package io.nightjar.jobs.cluster;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.core.execution.JobClient;

/** Waits for the end of a job, and reports the counts of its tasks until then. */
public final class JobWait {

    private static final long PAUSE_MS = 500;

    /** A JobManager that is so busy that it does not answer is as good as gone. */
    private static final Duration MAX_SILENCE = Duration.ofSeconds(60);

    private JobWait() {}

    /**
     * Waits for the end of a job.
     *
     * @param counted receives the current values of the job's accumulators, at intervals and at the end
     * @throws ExecutionException the failure of the job
     * @throws TimeoutException if the JobManager stops responding
     */
    public static JobExecutionResult forEnd(JobClient job, Consumer<Map<String, Object>> counted)
            throws InterruptedException, ExecutionException, TimeoutException {
        CompletableFuture<JobExecutionResult> result = job.getJobExecutionResult();
        while (true) {
            try {
                JobExecutionResult ended = result.get(PAUSE_MS, TimeUnit.MILLISECONDS);
                counted.accept(ended.getAllAccumulatorResults());
                return ended;
            } catch (TimeoutException notYet) {
                poll(job, result, counted);
            }
        }
    }

    private static void poll(
            JobClient job, CompletableFuture<JobExecutionResult> result, Consumer<Map<String, Object>> counted)
            throws InterruptedException, TimeoutException {
        CompletableFuture<Map<String, Object>> answer = job.getAccumulators();
        try {
            CompletableFuture.anyOf(answer, result).get(MAX_SILENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException ended) {
            return; // the result reports the failure
        } catch (TimeoutException silent) {
            throw new TimeoutException("the JobManager does not answer: seconds=" + MAX_SILENCE.toSeconds());
        }
        if (answer.isDone() && !answer.isCompletedExceptionally()) {
            counted.accept(answer.join());
        }
    }
}
