/**
 * Station 7: the anomaly tables ("the lake").
 *
 * <p>Findings of station 6 and the result of a run come in; a directory of Parquet files goes out, in which a run appears
 * as a whole or not at all. Nothing here knows how anything was found, nor how it is queried.
 *
 * <p>Read {@link io.nightjar.jobs.lake.Lake} first, then {@link io.nightjar.jobs.lake.RunWriter}; the columns are in
 * {@link io.nightjar.jobs.lake.LakeTable}.
 */
@NullMarked
package io.nightjar.jobs.lake;

import org.jspecify.annotations.NullMarked;
