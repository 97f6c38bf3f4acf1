package io.nightjar.jobs.mock;

import org.jspecify.annotations.Nullable;

/**
 * A version of an object.
 *
 * @param id unique among all versions; what the store hands around
 * @param txnId of the transaction that wrote it
 * @param content what is in the object, null if it has been deleted
 * @param text the same for the archive, with the id in it
 */
public record RowVersion(long id, long txnId, @Nullable Object content, String text) {}
