package io.nightjar.formats.parquet;

import java.util.List;

/**
 * Footer entry of one row group.
 *
 * @param firstRow counted from 1 in the file
 * @param chunks one for each leaf of the schema
 */
record RowGroupInfo(long firstRow, long rowCount, List<ChunkInfo> chunks) {}
