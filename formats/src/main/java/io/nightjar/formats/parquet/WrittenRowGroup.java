package io.nightjar.formats.parquet;

import java.util.List;

/** What the footer says of one row group. */
record WrittenRowGroup(long rowCount, List<WrittenChunk> chunks) {}
