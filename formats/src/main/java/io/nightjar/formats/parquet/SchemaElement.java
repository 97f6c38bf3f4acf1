package io.nightjar.formats.parquet;

import io.nightjar.formats.history.InputFault;

/** One field of a schema as it stands in a footer, before it is known where it belongs. */
final class SchemaElement {

    static final int LOGICAL_INTEGER = 10;
    static final int LOGICAL_TIMESTAMP = 8;

    private static final int ABSENT = -1;

    int type = ABSENT;
    int typeLength;
    int repetition = ABSENT;
    String name = "";
    int childCount;

    /** The digits behind the point: of a decimal, or of the seconds of a timestamp. */
    int scale;

    Annotation annotation = Annotation.NONE;

    /** Takes the older of the two annotations, unless the newer one is there already. */
    void converted(int code) {
        if (annotation != Annotation.NONE) {
            return;
        }
        if (code == 9 || code == 10) {
            scale = code == 9 ? 3 : 6;
        }
        annotation = switch (code) {
            case 0 -> Annotation.STRING;
            case 1, 2 -> Annotation.MAP;
            case 3 -> Annotation.LIST;
            case 4 -> Annotation.ENUM;
            case 5 -> Annotation.DECIMAL;
            case 6 -> Annotation.DATE;
            case 7, 8 -> Annotation.TIME;
            case 9, 10 -> Annotation.TIMESTAMP;
            case 11, 12, 13, 14 -> Annotation.UNSIGNED;
            case 15, 16, 17, 18 -> Annotation.SIGNED;
            case 19 -> Annotation.JSON;
            case 20 -> Annotation.BSON;
            default -> Annotation.UNKNOWN;
        };
    }

    /** Takes the newer of the two annotations; integers are the caller's. */
    void logical(int choice) {
        annotation = switch (choice) {
            case 1 -> Annotation.STRING;
            case 2 -> Annotation.MAP;
            case 3 -> Annotation.LIST;
            case 4 -> Annotation.ENUM;
            case 5 -> Annotation.DECIMAL;
            case 6 -> Annotation.DATE;
            case 7 -> Annotation.TIME;
            case LOGICAL_TIMESTAMP -> Annotation.TIMESTAMP;
            case 11 -> Annotation.ALL_NULL;
            case 12 -> Annotation.JSON;
            case 13 -> Annotation.BSON;
            case 14 -> Annotation.UUID;
            default -> Annotation.UNKNOWN;
        };
    }

    SchemaNode node(boolean isRoot) {
        Repetition occurs = isRoot ? Repetition.REQUIRED : Repetition.of(repetition);
        PhysicalType stored = type == ABSENT ? null : PhysicalType.of(type);
        boolean isGroup = type == ABSENT;
        if (occurs == null || isGroup == (stored != null) || childCount < 0 || !isGroup && childCount > 0) {
            throw new CorruptFileException(
                    InputFault.of("schema has an impossible field").with("field=" + name));
        }
        boolean isFixed = stored == PhysicalType.FIXED_LEN_BYTE_ARRAY;
        if (isFixed && (typeLength <= 0 || typeLength > 1 << 20)) {
            throw new CorruptFileException(
                    InputFault.of("schema has a field of impossible length").with("field=" + name));
        }
        return new SchemaNode(name, occurs, stored, annotation, isFixed ? typeLength : 0, scale);
    }
}
