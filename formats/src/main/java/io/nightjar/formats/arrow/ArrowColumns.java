package io.nightjar.formats.arrow;

import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.Place;
import io.nightjar.formats.history.ValueType;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.arrow.flatbuf.Type;

/** The columns of a history among those of one file; a column that is not there is null here. */
final class ArrowColumns {

    static final String TXN_ID = "txn_id";
    static final String SESSION_ID = "session_id";
    static final String SESSION_SEQ = "session_seq";
    static final String STATUS = "status";
    static final String START_TS = "start_ts";
    static final String COMMIT_TS = "commit_ts";
    static final String INVOKE_NS = "invoke_ns";
    static final String COMPLETE_NS = "complete_ns";
    static final String OPS = "ops";
    static final String EXTRA = "extra";
    static final String KIND = "kind";
    static final String KEY = "key";
    static final String VALUE = "value";
    static final String ELEMENTS = "elements";
    static final String VERSION = "version";
    static final String WRITER_TXN = "writer_txn";

    private static final Set<String> TOP_LEVEL =
            Set.of(TXN_ID, SESSION_ID, SESSION_SEQ, STATUS, START_TS, COMMIT_TS, INVOKE_NS, COMPLETE_NS, OPS, EXTRA);

    final ArrowField txnId;
    final ArrowField sessionId;
    final ArrowField sessionSeq;
    final ArrowField status;
    final ArrowField startTs;
    final ArrowField commitTs;
    final ArrowField invokeNs;
    final ArrowField completeNs;
    final ArrowField ops;
    final ArrowField op;
    final ArrowField kind;
    final ArrowField key;
    final ArrowField value;
    final ArrowField elements;
    final ArrowField element;
    final ArrowField version;
    final ArrowField writerTxn;
    final ArrowField extra;

    /** Numbers, booleans and strings that a history does not have; they are carried along in extra. */
    final List<ArrowField> others = new ArrayList<>();

    final ValueType keyType;
    final ValueType valueType;

    private final String file;

    ArrowColumns(String file, List<ArrowField> columns) {
        this.file = file;
        this.txnId = integer(columns, TXN_ID, true);
        this.sessionId = integer(columns, SESSION_ID, true);
        this.sessionSeq = integer(columns, SESSION_SEQ, true);
        this.status = string(columns, STATUS);
        this.startTs = integer(columns, START_TS, false);
        this.commitTs = integer(columns, COMMIT_TS, false);
        this.invokeNs = integer(columns, INVOKE_NS, false);
        this.completeNs = integer(columns, COMPLETE_NS, false);
        this.extra = string(columns, EXTRA);
        this.ops = required(columns, OPS);
        this.op = ops.isList() ? ops.children.get(0) : ops;
        if (op.type != Type.Struct_) {
            throw wrongType(ops, "list<struct<kind,key,value>>");
        }
        this.kind = required(op.children, KIND);
        if (!kind.isString()) {
            throw wrongType(kind, "utf8");
        }
        this.key = scalar(required(op.children, KEY));
        ArrowField values = find(op.children, VALUE);
        this.value = values == null ? null : scalar(values);
        this.version = integer(op.children, VERSION, false);
        this.writerTxn = integer(op.children, WRITER_TXN, false);
        ArrowField lists = find(op.children, ELEMENTS);
        if (lists != null && !lists.isList()) {
            throw wrongType(lists, "list of int64 or utf8");
        }
        this.elements = lists;
        this.element = lists == null ? null : scalar(lists.children.get(0));
        this.keyType = typeOf(key);
        this.valueType = valueType();
        for (ArrowField column : columns) {
            if (!TOP_LEVEL.contains(column.name) && column.isSimple()) {
                others.add(column);
            }
        }
    }

    /** LONG, STRING, or NONE for a column that has no type because all of it is null. */
    static ValueType typeOf(ArrowField field) {
        if (field == null || field.isNull()) {
            return ValueType.NONE;
        }
        return field.isInteger() ? ValueType.LONG : ValueType.STRING;
    }

    private ValueType valueType() {
        ValueType scalars = typeOf(value);
        ValueType listed = typeOf(element);
        if (scalars != ValueType.NONE && listed != ValueType.NONE && scalars != listed) {
            throw new MalformedHistoryException(
                    Place.file(file),
                    "values of two types in one history: ops.value=%s ops.elements=list<%s>; write all of them as strings or all as integers"
                            .formatted(value.typeName(), element.typeName()));
        }
        return scalars == ValueType.NONE ? listed : scalars;
    }

    private ArrowField integer(List<ArrowField> columns, String name, boolean isRequired) {
        ArrowField field = isRequired ? required(columns, name) : find(columns, name);
        if (field == null || (field.isNull() && !isRequired)) {
            return null;
        }
        if (!field.isInteger()) {
            throw wrongType(field, "int64");
        }
        return field;
    }

    private ArrowField string(List<ArrowField> columns, String name) {
        ArrowField field = find(columns, name);
        if (field == null || field.isNull()) {
            return null;
        }
        if (!field.isString()) {
            throw wrongType(field, "utf8");
        }
        return field;
    }

    private ArrowField scalar(ArrowField field) {
        if (!field.isInteger() && !field.isString() && !field.isNull()) {
            throw wrongType(field, "int64 or utf8");
        }
        return field;
    }

    private ArrowField required(List<ArrowField> columns, String name) {
        ArrowField field = find(columns, name);
        if (field == null) {
            String present = columns.stream().map(column -> column.name).collect(Collectors.joining(","));
            throw new MalformedHistoryException(
                    Place.file(file), "column missing: column=%s present=%s".formatted(name, present));
        }
        return field;
    }

    private ArrowField find(List<ArrowField> columns, String name) {
        ArrowField found = null;
        for (ArrowField column : columns) {
            if (column.name.equals(name)) {
                if (found != null) {
                    throw new MalformedHistoryException(Place.file(file), "column twice: column=" + name);
                }
                found = column;
            }
        }
        return found;
    }

    private MalformedHistoryException wrongType(ArrowField field, String expected) {
        return new MalformedHistoryException(
                Place.file(file),
                "column has the wrong type: column=%s type=%s expected=%s"
                        .formatted(field.name, field.typeName(), expected));
    }
}
