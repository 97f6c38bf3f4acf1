/**
 * Stage 7: the anomaly tables ("the lake").
 *
 * <p>Its input is findings of stage 6 and the result of a run; its output is a directory of Parquet files, in which a
 * run appears as a whole or not at all. This package depends neither on the checks nor on queries.
 *
 * <p>Read {@link io.nightjar.jobs.lake.Lake} first, then {@link io.nightjar.jobs.lake.RunWriter}; the columns are in
 * {@link io.nightjar.jobs.lake.LakeTable}.
 */
@NullMarked
package io.nightjar.jobs.lake;

import org.jspecify.annotations.NullMarked;
