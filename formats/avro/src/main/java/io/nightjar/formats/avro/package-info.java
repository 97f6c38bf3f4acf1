/**
 * Archives of histories as Avro records in Parquet, for programs that record transactions themselves.
 *
 * <p>{@link io.nightjar.Transaction} and {@link io.nightjar.Operation} are generated from {@code history.avsc}, the
 * schema of every history file. {@link io.nightjar.formats.avro.AvroHistoryWriter} writes them, from a plain program or
 * in a sink of Flink; {@link io.nightjar.formats.avro.AvroHistoryReader} reads files of this and any other writer of
 * that schema. Checks do not use this package: they decode the files themselves.
 */
@NullMarked
package io.nightjar.formats.avro;

import org.jspecify.annotations.NullMarked;
