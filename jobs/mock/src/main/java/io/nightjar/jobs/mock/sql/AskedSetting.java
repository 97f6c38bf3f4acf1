package io.nightjar.jobs.mock.sql;

/**
 * A setting that a statement changed by calling a function.
 *
 * @param value "default" to reset the setting
 * @param isLocal whether the value applies only until the end of the transaction
 */
public record AskedSetting(String name, String value, boolean isLocal) {}
