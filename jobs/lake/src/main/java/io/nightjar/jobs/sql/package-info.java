/**
 * Behind station 7: SQL over the anomaly tables and over any history.
 *
 * <p>The files of a lake's complete runs and the text of queries come in; rows go out to the caller. Nothing here
 * writes to a lake, and nothing here prints: results go to a {@link io.nightjar.jobs.sql.ResultSink}.
 *
 * <p>Read {@link io.nightjar.jobs.sql.SqlSession} first.
 */
@NullMarked
package io.nightjar.jobs.sql;

import org.jspecify.annotations.NullMarked;
