package io.nightjar.formats.parquet;

import java.util.List;

/** Footer entry of one row group. */
record WrittenRowGroup(long rowCount, List<WrittenChunk> chunks) {}
