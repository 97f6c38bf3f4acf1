package io.nightjar.jobs.mock.sql;

import io.nightjar.jobs.mock.RowObject;
import org.jspecify.annotations.Nullable;

/**
 * A row of a table for H2.
 *
 * @param object the row as a whole; where each column is an object, its existence
 * @param number its key for H2, and its position among the table's rows
 * @param cells the objects of its columns, as far as they have been requested; null where the row is a single object
 */
record TableRow(RowObject object, int number, RowObject @Nullable [] cells) {}
