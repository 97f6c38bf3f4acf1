/**
 * Change logs written by databases and their connectors: Debezium, PostgreSQL's logical decoding, MySQL's binary log,
 * CockroachDB's changefeeds, TiDB's versions.
 *
 * <p>Part of stage 1. Parsers read {@link io.nightjar.formats.cdc.ChangeEvent}s from files, one at a time; {@link
 * io.nightjar.formats.cdc.ChangeReader} assembles transactions from them in commit order; {@link
 * io.nightjar.formats.cdc.CommitSorter} computes that order if the log does not have it. A change log contains no
 * reads. Must not depend on any checker.
 */
@NullMarked
package io.nightjar.formats.cdc;

import org.jspecify.annotations.NullMarked;
