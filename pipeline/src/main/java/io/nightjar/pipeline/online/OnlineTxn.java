package io.nightjar.pipeline.online;

/**
 * A transaction as the online check names it.
 *
 * @param startTs {@link OnlineCheck#NO_TIME} of a writer of which the commit is known only
 */
public record OnlineTxn(long txnId, long startTs, long commitTs) {}
