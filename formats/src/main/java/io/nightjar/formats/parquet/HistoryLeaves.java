package io.nightjar.formats.parquet;

import io.nightjar.formats.history.HistoryColumn;
import io.nightjar.formats.history.InputError;
import io.nightjar.formats.history.InputLocation;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.ValueType;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Mapping of the columns of a history to the schema of a file, for files of any tool. */
final class HistoryLeaves {

    /*
     * Layout. Lists have several shapes, here for ops; the same applies to elements:
     *
     *   ops (LIST) { repeated list { element { kind ... } } }      names of the middle and of the element vary
     *   ops (LIST) { repeated array { kind ... } }                 two levels, of old writers
     *   repeated ops { kind ... }                                  no LIST annotation
     *
     * They differ only in the meaning of definition levels: below nullOpsDef the list is null, below opDef it has no
     * entry. All columns of a null element are null.
     */

    private static final Set<String> TOP_LEVEL = Set.copyOf(HistoryColumn.columnNames(HistoryColumn.OF_TXNS));

    private static final String SCALAR = "int64 or string";
    private static final String OPS_TYPE = "list<struct<kind,key,value>>";

    private final Map<HistoryColumn, SchemaNode> leafOf = new EnumMap<>(HistoryColumn.class);

    /** Minimum definition level of an entry whose list of operations is present, though it may be empty. */
    final int nullOpsDef;

    /** Minimum definition level of an entry that is an operation. */
    final int opDef;

    /** Minimum definition level of an entry whose list of elements is present, though it may be empty. */
    final int listDef;

    /** Minimum definition level of an entry that is an element. */
    final int elementDef;

    /** Whether the schema permits a null list of elements. */
    final boolean isListNullable;

    /** Leaves that are not columns of a history and are not in a list. */
    final List<SchemaNode> others = new ArrayList<>();

    private final String file;
    private final FileFooter footer;

    HistoryLeaves(String file, FileFooter footer) {
        this.file = file;
        this.footer = footer;
        checkVersion(footer.metadata().get(HistorySchema.SCHEMA_VERSION_KEY));
        SchemaNode root = footer.root();
        for (HistoryColumn column : HistoryColumn.OF_TXNS) {
            find(root, "", column);
        }
        SchemaNode ops = required(root, "", HistoryColumn.OPS.columnName(), OPS_TYPE);
        SchemaNode repeatedOps = repeated(ops, ops.name, OPS_TYPE);
        SchemaNode op = element(repeatedOps);
        if (!op.isGroup()) {
            throw wrongType(ops.name, ops.typeName() + " of " + op.typeName(), OPS_TYPE);
        }
        nullOpsDef = ops == repeatedOps ? ops.maxDef - 1 : ops.maxDef;
        opDef = repeatedOps.maxDef;
        String inOps = ops.name + ".";
        for (HistoryColumn column : HistoryColumn.OF_OPS) {
            find(op, inOps, column);
        }

        SchemaNode list = op.child(HistoryColumn.ELEMENTS.columnName());
        if (list != null && isAllNull(list)) {
            list = null;
        }
        if (list == null) {
            listDef = 0;
            elementDef = 0;
            isListNullable = true;
        } else {
            SchemaNode repeatedElements = repeated(list, inOps + list.name, "list of int64 or string");
            SchemaNode scalar = element(repeatedElements);
            if (!isScalar(scalar)) {
                throw wrongType(inOps + list.name, scalar.typeName(), SCALAR);
            }
            leafOf.put(HistoryColumn.ELEMENTS, scalar);
            listDef = list == repeatedElements ? list.maxDef - 1 : list.maxDef;
            elementDef = repeatedElements.maxDef;
            isListNullable = list.repetition == Repetition.OPTIONAL;
        }
        for (SchemaNode leaf : footer.leaves()) {
            if (leaf.maxRep == 0 && !TOP_LEVEL.contains(leaf.names().get(0))) {
                others.add(leaf);
            }
        }
    }

    /** Returns the leaf of a column; null if the file does not have it. */
    @Nullable
    SchemaNode leaf(HistoryColumn column) {
        return leafOf.get(column);
    }

    private void find(SchemaNode parent, String prefix, HistoryColumn column) {
        SchemaNode leaf =
                switch (column.type()) {
                    case INT64, INT32 -> find(parent, prefix, column, "int64", HistoryLeaves::isInteger);
                    case BOOLEAN -> find(parent, prefix, column, "boolean", node -> node.type == PhysicalType.BOOLEAN);
                    case STRING -> find(parent, prefix, column, "string", HistoryLeaves::isString);
                    case KEY, VALUE -> find(parent, prefix, column, SCALAR, HistoryLeaves::isScalar);
                    case VALUES, OPERATIONS -> null; // lists, whose children are mapped
                };
        if (leaf != null) {
            leafOf.put(column, leaf);
        }
    }

    /**
     * Rejects a schema version greater than ours. Other tools may also have a schema version, so other values are
     * ignored.
     */
    private void checkVersion(@Nullable String version) {
        boolean isNumber = version != null && version.matches("[0-9]{1,9}");
        if (isNumber && Integer.parseInt(version) > Integer.parseInt(HistorySchema.SCHEMA_VERSION)) {
            throw new MalformedHistoryException(
                    InputLocation.file(file),
                    InputError.of("history has a newer schema")
                            .with("schema_version=" + version + " supported=" + HistorySchema.SCHEMA_VERSION)
                            .advise("use a newer nightjar"));
        }
    }

    static ValueType valueType(SchemaNode leaf) {
        return leaf.leafType().isBinary() ? ValueType.STRING : ValueType.LONG;
    }

    // ---------------------------------------------------------------- lists

    private SchemaNode repeated(SchemaNode list, String name, String expected) {
        if (list.repetition == Repetition.REPEATED) {
            return list;
        }
        boolean isList =
                list.isGroup() && list.children.size() == 1 && list.children.get(0).repetition == Repetition.REPEATED;
        if (!isList) {
            throw wrongType(name, list.typeName(), expected);
        }
        return list.children.get(0);
    }

    /** Returns the element of a list: the repeated field, or its only field if it is just a wrapper. */
    private static SchemaNode element(SchemaNode repeated) {
        boolean isWrapper = repeated.isGroup()
                && repeated.children.size() == 1
                && repeated.child(HistoryColumn.KIND.columnName()) == null
                && repeated.children.get(0).repetition != Repetition.REPEATED;
        return isWrapper ? repeated.children.get(0) : repeated;
    }

    // ---------------------------------------------------------------- columns and their types

    private SchemaNode required(SchemaNode parent, String prefix, String name, String expected) {
        SchemaNode node = parent.child(name);
        if (node == null) {
            List<String> present = new ArrayList<>();
            parent.children.forEach(child -> present.add(child.name));
            throw new MalformedHistoryException(
                    InputLocation.file(file).in(prefix + name),
                    InputError.of("column missing")
                            .with("column=" + prefix + name + " expected=" + expected + " present="
                                    + String.join(",", present))
                            .advise("rename or add the column"));
        }
        return node;
    }

    private @Nullable SchemaNode find(
            SchemaNode parent, String prefix, HistoryColumn column, String expected, Predicate<SchemaNode> fits) {
        String name = column.columnName();
        boolean isRequired = column.presence() == HistoryColumn.Presence.REQUIRED;
        SchemaNode node = isRequired ? required(parent, prefix, name, expected) : parent.child(name);
        if (node == null || fits.test(node) && node.repetition != Repetition.REPEATED) {
            return node;
        }
        if (!isRequired && isAllNull(node)) {
            return null;
        }
        throw wrongType(prefix + name, node.typeName(), expected);
    }

    /** Returns whether all values are null. Tools assign any type to such a column, so it is treated as missing. */
    private boolean isAllNull(SchemaNode node) {
        if (node.isGroup() || node.annotation == Annotation.ALL_NULL) {
            return !node.isGroup();
        }
        for (RowGroupInfo group : footer.rowGroups()) {
            ChunkInfo chunk = group.chunks().get(node.leaf);
            if (chunk.nullCount() != chunk.entryCount()) {
                return false;
            }
        }
        return !footer.rowGroups().isEmpty();
    }

    private static boolean isScalar(SchemaNode node) {
        return isInteger(node) || isString(node);
    }

    private static boolean isInteger(SchemaNode node) {
        boolean isStoredAsInteger = node.type == PhysicalType.INT32 || node.type == PhysicalType.INT64;
        boolean isWhole = node.annotation != Annotation.DECIMAL || node.scale == 0;
        return isStoredAsInteger && isWhole;
    }

    private static boolean isString(SchemaNode node) {
        if (node.type == null || !node.type.isBinary()) {
            return false;
        }
        return node.isText() || node.annotation == Annotation.NONE;
    }

    private MalformedHistoryException wrongType(String column, String found, String expected) {
        return new MalformedHistoryException(
                InputLocation.file(file).in(column),
                InputError.of("column has the wrong type")
                        .with("column=" + column + " type=" + found + " expected=" + expected)
                        .advise("cast the column when writing the file"));
    }
}
