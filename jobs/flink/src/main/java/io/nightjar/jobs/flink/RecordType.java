package io.nightjar.jobs.flink;

import org.apache.flink.api.common.typeinfo.TypeInformation;

/** Flink type of records that are not keys, have no accessible fields, and have a custom serializer. */
abstract class RecordType<T> extends TypeInformation<T> {

    private static final long serialVersionUID = 1;

    private final Class<T> type;

    RecordType(Class<T> type) {
        this.type = type;
    }

    @Override
    public final Class<T> getTypeClass() {
        return type;
    }

    @Override
    public final boolean isBasicType() {
        return false;
    }

    @Override
    public final boolean isTupleType() {
        return false;
    }

    @Override
    public final int getArity() {
        return 1;
    }

    @Override
    public final int getTotalFields() {
        return 1;
    }

    @Override
    public final boolean isKeyType() {
        return false;
    }

    @Override
    public final boolean canEqual(Object other) {
        return other instanceof RecordType;
    }

    @Override
    public final boolean equals(Object other) {
        return other instanceof RecordType<?> record && record.type.equals(type);
    }

    @Override
    public final int hashCode() {
        return type.hashCode();
    }

    @Override
    public final String toString() {
        return type.getSimpleName();
    }
}
