package io.nightjar.jobs.mock;

import org.jspecify.annotations.Nullable;

/**
 * A version of an object.
 *
 * @param id unique among all versions; the value in the store
 * @param txnId the transaction that wrote it
 * @param content content of the object, null if deleted
 * @param text the archived content, which includes the id
 */
public record RowVersion(long id, long txnId, @Nullable Object content, String text) {}
