/**
 * Reports of check results: an HTML page over the runs of a lake, and the timeline of one anomaly.
 *
 * <p>Input are the tables of complete runs, by {@link io.nightjar.jobs.sql.SqlSession}, and, for plots, one scan of
 * each history that still exists; output is a self-contained text. The package depends on no checker and uses no
 * network.
 *
 * <p>Read {@link io.nightjar.jobs.report.ReportPage} first.
 */
@NullMarked
package io.nightjar.jobs.report;

import org.jspecify.annotations.NullMarked;
