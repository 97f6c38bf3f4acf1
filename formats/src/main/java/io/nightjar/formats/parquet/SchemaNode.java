package io.nightjar.formats.parquet;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A field of a Parquet schema with its children: a leaf has values, other fields only nest. */
final class SchemaNode {

    private static final int NOT_A_LEAF = -1;

    final String name;
    final Repetition repetition;

    /** Null for groups. */
    final @Nullable PhysicalType type;

    final Annotation annotation;

    /** Length of a FIXED_LEN_BYTE_ARRAY in bytes. */
    final int typeLength;

    /** Number of decimal digits of a DECIMAL. */
    final int scale;

    final List<SchemaNode> children = new ArrayList<>();

    /** Ordinal among the leaves, which is the ordinal of its chunk in each row group. */
    int leaf = NOT_A_LEAF;

    /** Definition level of an entry in which this field, and so all its ancestors, are present. */
    int maxDef;

    /** Number of repeated fields on the path to this field, inclusive. */
    int maxRep;

    private List<String> names = List.of();

    SchemaNode(
            String name,
            Repetition repetition,
            @Nullable PhysicalType type,
            Annotation annotation,
            int typeLength,
            int scale) {
        this.name = name;
        this.repetition = repetition;
        this.type = type;
        this.annotation = annotation;
        this.typeLength = typeLength;
        this.scale = scale;
    }

    static SchemaNode group(String name, Repetition repetition, Annotation annotation, SchemaNode... children) {
        SchemaNode group = new SchemaNode(name, repetition, null, annotation, 0, 0);
        group.children.addAll(List.of(children));
        return group;
    }

    static SchemaNode leaf(String name, Repetition repetition, PhysicalType type, Annotation annotation) {
        return new SchemaNode(name, repetition, type, annotation, 0, 0);
    }

    /** Assigns levels to all fields and ordinals to all leaves; called on the root when the tree is complete. */
    List<SchemaNode> number() {
        List<SchemaNode> leaves = new ArrayList<>();
        for (SchemaNode child : children) {
            child.number(this, leaves);
        }
        return leaves;
    }

    private void number(SchemaNode parent, List<SchemaNode> leaves) {
        names = new ArrayList<>(parent.names);
        names.add(name);
        maxDef = parent.maxDef + (repetition == Repetition.REQUIRED ? 0 : 1);
        maxRep = parent.maxRep + (repetition == Repetition.REPEATED ? 1 : 0);
        if (isGroup()) {
            for (SchemaNode child : children) {
                child.number(this, leaves);
            }
        } else {
            leaf = leaves.size();
            leaves.add(this);
        }
    }

    /** Returns the type of a leaf. */
    PhysicalType leafType() {
        return requireNonNull(type);
    }

    /** Returns whether its bytes are declared, or usually are, text. */
    boolean isText() {
        return switch (annotation) {
            case STRING, ENUM, JSON -> true;
            case NONE -> typeLength == 0;
            default -> false;
        };
    }

    boolean isGroup() {
        return type == null;
    }

    /** Returns the names from the root to this field, without the root's. */
    List<String> names() {
        return names;
    }

    /** Returns {@link #names} joined by dots, for messages. */
    String path() {
        return String.join(".", names);
    }

    /** Returns the direct child with this name, or null. */
    @Nullable
    SchemaNode child(String of) {
        for (SchemaNode child : children) {
            if (child.name.equals(of)) {
                return child;
            }
        }
        return null;
    }

    /** Returns the type name in messages, for example {@code int64(unsigned)} or {@code list}. */
    String typeName() {
        if (repetition == Repetition.REPEATED) {
            return "repeated " + (type == null ? "group" : type.name().toLowerCase(Locale.ROOT));
        }
        if (type == null) {
            return annotation == Annotation.NONE ? "struct" : annotation.name().toLowerCase(Locale.ROOT);
        }
        String stored = type.name().toLowerCase(Locale.ROOT);
        return annotation == Annotation.NONE
                ? stored
                : stored + "(" + annotation.name().toLowerCase(Locale.ROOT) + ")";
    }
}
