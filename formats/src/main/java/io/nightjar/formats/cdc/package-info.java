/**
 * Logs of changes that databases and their connectors write: Debezium, PostgreSQL's logical decoding, MySQL's binary log,
 * CockroachDB's changefeeds, TiDB's versions.
 *
 * <p>Station 1. Parsers make {@link io.nightjar.formats.cdc.ChangeEvent}s of files, one at a time;
 * {@link io.nightjar.formats.cdc.ChangeReader} makes transactions of them in the order of their commits, which
 * {@link io.nightjar.formats.cdc.CommitSorter} finds where the log does not have it. A log of changes
 * says nothing of reads. Must not know any checker.
 */
@NullMarked
package io.nightjar.formats.cdc;

import org.jspecify.annotations.NullMarked;
