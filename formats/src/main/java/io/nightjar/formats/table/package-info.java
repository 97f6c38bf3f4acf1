/**
 * Histories as tables with one row an operation, as people export them from databases, notebooks and log pipelines.
 *
 * <p>Station 1. Files of rows come in (CSV, JSON, Parquet), slices go out. What a column means is told by its name
 * ({@link io.nightjar.formats.table.ColumnRole}); what its values are is found out by looking through the table once
 * ({@link io.nightjar.formats.table.TableFacts}). Must not know any checker.
 */
@NullMarked
package io.nightjar.formats.table;

import org.jspecify.annotations.NullMarked;
