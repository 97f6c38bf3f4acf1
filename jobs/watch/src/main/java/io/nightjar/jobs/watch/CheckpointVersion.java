package io.nightjar.jobs.watch;

import io.nightjar.jobs.UsageException;

/** The version of checkpoints: that of this process, and the refusal of others. */
public final class CheckpointVersion {

    /** Changes with the format of the kept state, and with the findings that follow from the same rows. */
    public static final String THIS = "NJWE";

    private CheckpointVersion() {}

    /**
     * Returns if a version is that of this process.
     *
     * @throws UsageException if it is not
     */
    public static void require(String version) {
        if (!version.equals(THIS)) {
            throw new UsageException("the checkpoint is of another version of nightjar, whose verdicts may differ;"
                    + " name another folder with --checkpoint, or let that version end the watch");
        }
    }
}
