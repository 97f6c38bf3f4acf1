package io.nightjar.jobs.local;

/** A lane does not fit into what one lane may take; more lanes may help. */
final class LaneTooLargeException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    LaneTooLargeException(int lane, long laneBytes) {
        super("lane does not fit into memory: lane=" + lane + " bytes=" + laneBytes);
    }
}
