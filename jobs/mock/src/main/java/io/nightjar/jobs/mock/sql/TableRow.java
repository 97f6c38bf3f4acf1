package io.nightjar.jobs.mock.sql;

import io.nightjar.jobs.mock.RowObject;
import org.jspecify.annotations.Nullable;

/**
 * A row of a table for H2.
 *
 * @param object the row as a whole; where columns are objects of their own, whether it is there
 * @param number its key for H2, and its place among the table's rows
 * @param cells the objects of its columns, as far as they have been asked for; null where the row is one object
 */
record TableRow(RowObject object, int number, RowObject @Nullable [] cells) {}
