package io.nightjar.jobs.mock.engine;

import java.util.List;

/**
 * What a statement returned.
 *
 * @param columns null if it returns no rows
 * @param rows values as {@link SqlType} says, null for NULL
 * @param count rows that were returned or changed
 */
public record SqlResult(List<SqlColumn> columns, List<Object[]> rows, long count) {}
