package io.nightjar.jobs.mock.sql;

/**
 * A setting that a statement has changed by a function.
 *
 * @param value "default" for what there is without having been set
 * @param isLocal whether it holds up to the end of the transaction only
 */
public record AskedSetting(String name, String value, boolean isLocal) {}
