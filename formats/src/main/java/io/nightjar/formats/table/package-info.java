/**
 * Histories as tables with one row per operation, exported from databases, notebooks and log pipelines.
 *
 * <p>Part of stage 1. Converts files of rows (CSV, JSON, Parquet) to slices. The name of a column determines its role
 * ({@link io.nightjar.formats.table.ColumnRole}); the types of its values are determined by one scan of the table
 * ({@link io.nightjar.formats.table.TableFacts}). Must not depend on any checker.
 */
@NullMarked
package io.nightjar.formats.table;

import org.jspecify.annotations.NullMarked;
