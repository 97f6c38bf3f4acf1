/**
 * Behind station 7: what people look at. A page of HTML over the runs of a lake, and the timeline of one anomaly.
 *
 * <p>The tables of complete runs come in, by {@link io.nightjar.jobs.sql.SqlSession}, and of each history, if it is still
 * there, one reading for its plots; out goes one text without references to anything outside. Knows nothing of how anything was
 * found, and asks no network.
 *
 * <p>Read {@link io.nightjar.jobs.report.ReportPage} first.
 */
@NullMarked
package io.nightjar.jobs.report;

import org.jspecify.annotations.NullMarked;
