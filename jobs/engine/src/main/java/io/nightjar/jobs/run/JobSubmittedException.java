package io.nightjar.jobs.run;

/** A job was submitted and continues without the program that defined it; its verdict will be in the lake. */
public final class JobSubmittedException extends RuntimeException {

    public JobSubmittedException(String jobName) {
        super("job was submitted and continues without this process: job=" + jobName
                + "; its verdict will be in the lake");
    }
}
