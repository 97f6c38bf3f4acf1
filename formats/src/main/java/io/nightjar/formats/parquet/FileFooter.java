package io.nightjar.formats.parquet;

import java.util.List;
import java.util.Map;

/**
 * Parsed footer of a Parquet file.
 *
 * @param root of the schema, numbered
 * @param leaves of the schema, depth first
 * @param dataEnd exclusive end of the bytes that may belong to pages
 */
record FileFooter(
        SchemaNode root,
        List<SchemaNode> leaves,
        List<RowGroupInfo> rowGroups,
        Map<String, String> metadata,
        long dataEnd) {}
