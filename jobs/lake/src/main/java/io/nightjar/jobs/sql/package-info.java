/**
 * After stage 7: SQL over the anomaly tables and over any history.
 *
 * <p>Its input is the files of a lake's complete runs and the text of queries; its output is rows for the caller. This
 * package never writes to a lake, and never prints: results go to a {@link io.nightjar.jobs.sql.ResultSink}.
 *
 * <p>Read {@link io.nightjar.jobs.sql.SqlSession} first.
 */
@NullMarked
package io.nightjar.jobs.sql;

import org.jspecify.annotations.NullMarked;
