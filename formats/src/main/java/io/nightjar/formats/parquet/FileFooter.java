package io.nightjar.formats.parquet;

import java.util.List;
import java.util.Map;

/**
 * What a Parquet file says of itself.
 *
 * @param root of the schema, numbered
 * @param leaves of the schema, depth first
 * @param dataEnd position behind the last byte that may belong to a page
 */
record FileFooter(
        SchemaNode root,
        List<SchemaNode> leaves,
        List<RowGroupInfo> rowGroups,
        Map<String, String> metadata,
        long dataEnd) {}
