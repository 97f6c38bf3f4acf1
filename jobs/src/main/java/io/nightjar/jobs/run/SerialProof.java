package io.nightjar.jobs.run;

/** How serializability was decided where timestamps do not prove it by the order of commits. */
public enum SerialProof {
    /** Nothing was tried, or nothing proves it. */
    NONE,
    /** An order that moves transactions in front of versions that they missed explains every read. */
    POSITIONS,
    /** Versions or values were asked. */
    VALUES
}
