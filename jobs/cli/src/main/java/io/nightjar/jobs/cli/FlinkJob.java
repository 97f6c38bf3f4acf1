package io.nightjar.jobs.cli;

import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.command.ExitCode;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code nightjar check} as the program of a Flink job, for {@code flink run}, application mode and session jobs: takes
 * the arguments of {@code check} and runs on the cluster that started it.
 *
 * <p>The verdict is in the lake, not in the state of the job: with every verdict, the job has finished. It has failed
 * if a retry may do better, or if a bug prevented the check.
 */
public final class FlinkJob {

    private FlinkJob() {}

    /** Runs the check; never ends the process, which is not ours. */
    public static void main(String[] args) {
        List<String> call = new ArrayList<>(List.of("check"));
        if (!names("--engine", args)) {
            call.addAll(List.of("--engine", "flink"));
        }
        if (names("--cluster", args)) {
            throw new UsageException("--cluster is not for a job, which is on its cluster already; leave it out");
        }
        call.addAll(List.of(args));
        int code = Main.run(call.toArray(String[]::new));
        if (!isAnswer(code)) {
            throw new IllegalStateException("check failed: code=" + code + " arguments=" + String.join(" ", args)
                    + "; see the log for the reason; code 75 is worth a retry");
        }
    }

    private static boolean names(String option, String[] args) {
        for (String arg : args) {
            if (arg.equals(option) || arg.startsWith(option + "=")) {
                return true;
            }
        }
        return false;
    }

    private static boolean isAnswer(int code) {
        return code == ExitCode.HOLDS
                || code == ExitCode.VIOLATED
                || code == ExitCode.UNDECIDED
                || code == ExitCode.REJECTED;
    }
}
