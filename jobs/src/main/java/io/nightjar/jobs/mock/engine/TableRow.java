package io.nightjar.jobs.mock.engine;

import io.nightjar.jobs.mock.RowObject;

/**
 * A row of a table for H2.
 *
 * @param number its key for H2, and its place among the table's rows
 */
record TableRow(RowObject object, int number) {}
