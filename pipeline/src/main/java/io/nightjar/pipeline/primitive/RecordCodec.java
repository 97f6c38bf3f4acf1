package io.nightjar.pipeline.primitive;

import static java.util.Objects.requireNonNull;

import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Codec for records of numbers, texts, enums, lists, sets, maps, arrays and other records, by the declared types of
 * their components. Any reference may be null.
 */
public final class RecordCodec {
    /*
     * Layout. Components in their order. Numbers are signed varints, enums their ordinals; the elements of a collection
     * or an array follow their number. A number precedes every reference:
     *
     *   0    null
     *   1    a value that follows
     *   2+i  the i-th text or record again: a text that is equal, a record that is the same
     */
    private static final int NULL = 0;
    private static final int NEW = 1;
    private static final int FIRST = 2;

    private static final ClassValue<Shape> SHAPES = new ClassValue<>() {
        @Override
        protected Shape computeValue(Class<?> type) {
            return Shape.of(type);
        }
    };

    private final Map<Class<?>, Form> forms = new HashMap<>();

    /** Sets the record that represents objects of a class that is none. */
    public <T, R extends Record> RecordCodec with(
            Class<T> type, Class<R> form, Function<T, R> toRecord, Function<R, T> toObject) {
        forms.put(
                type,
                new Form(
                        form,
                        object -> toRecord.apply(type.cast(object)),
                        record -> toObject.apply(form.cast(record))));
        return this;
    }

    private record Form(Class<?> type, Function<Object, Object> toRecord, Function<Object, Object> toObject) {}

    /** Appends a record, or an object that a record represents, to a sink. */
    public void encode(Object value, ByteWriter to) {
        new Encoder(to).put(value.getClass(), value);
    }

    /** Returns the next object of a feed. */
    public <T> T decode(Class<T> type, ByteReader from) {
        return type.cast(requireNonNull(new Decoder(from).get(type)));
    }

    private static Class<?> raw(Type type) {
        return (Class<?>) (type instanceof ParameterizedType generic ? generic.getRawType() : type);
    }

    private static Type argument(Type type, int index) {
        return ((ParameterizedType) type).getActualTypeArguments()[index];
    }

    private static boolean recurs(Class<?> type) {
        return type == String.class || type.isRecord();
    }

    private static AssertionError unsupported(Type type) {
        return new AssertionError("bug: no encoding of this type: type=" + type);
    }

    /** The components of a type of records. */
    private record Shape(Constructor<?> constructor, Type[] types, Method[] accessors) {

        static Shape of(Class<?> type) {
            RecordComponent[] components = type.getRecordComponents();
            Class<?>[] raw = new Class<?>[components.length];
            Type[] types = new Type[components.length];
            Method[] accessors = new Method[components.length];
            for (int i = 0; i < components.length; i++) {
                raw[i] = components[i].getType();
                types[i] = components[i].getGenericType();
                accessors[i] = components[i].getAccessor();
                accessors[i].setAccessible(true); // the record may be private
            }
            try {
                Constructor<?> constructor = type.getDeclaredConstructor(raw);
                constructor.setAccessible(true);
                return new Shape(constructor, types, accessors);
            } catch (NoSuchMethodException impossible) {
                throw new AssertionError("bug: a record has its constructor: record=" + type, impossible);
            }
        }

        Object component(Object of, int index) throws ReflectiveOperationException {
            return accessors[index].invoke(of);
        }
    }

    private final class Encoder {

        private final ByteWriter to;
        private final Map<String, Integer> texts = new HashMap<>();
        private final Map<Object, Integer> records = new IdentityHashMap<>();

        Encoder(ByteWriter to) {
            this.to = to;
        }

        void put(Type type, @Nullable Object value) {
            Class<?> raw = raw(type);
            Form form = forms.get(raw);
            if (raw.isPrimitive() || value == null) {
                putNumber(raw, value);
            } else if (form != null) {
                put(form.type(), form.toRecord().apply(value));
            } else if (!recurs(raw)) {
                to.putVarint(NEW);
                putNew(type, raw, value);
            } else {
                Integer next = texts.size() + records.size() + FIRST;
                Integer known =
                        value instanceof String text ? texts.putIfAbsent(text, next) : records.putIfAbsent(value, next);
                to.putVarint(known == null ? NEW : known);
                if (known == null) {
                    putNew(type, raw, value);
                }
            }
        }

        private void putNumber(Class<?> raw, @Nullable Object value) {
            if (value == null) {
                to.putVarint(NULL);
            } else if (value instanceof Boolean isSet) {
                to.putByte(isSet ? 1 : 0);
            } else if (value instanceof Double fraction) {
                to.putSigned(Double.doubleToLongBits(fraction));
            } else if (value instanceof Long || value instanceof Integer) {
                to.putSigned(((Number) value).longValue());
            } else {
                throw unsupported(raw);
            }
        }

        private void putNew(Type type, Class<?> raw, Object value) {
            if (value instanceof String text) {
                to.putString(text);
            } else if (raw.isRecord()) {
                putComponents(SHAPES.get(raw), value);
            } else if (value instanceof Enum<?> constant) {
                to.putVarint(constant.ordinal());
            } else if (value instanceof byte[] bytes) {
                to.putVarint(bytes.length);
                to.putBytes(bytes, 0, bytes.length);
            } else if (value instanceof int[] numbers) {
                to.putVarint(numbers.length);
                PackedLongs.putInts(numbers, numbers.length, to);
            } else if (value instanceof long[] numbers) {
                to.putVarint(numbers.length);
                PackedLongs.put(numbers, numbers.length, to);
            } else if (value instanceof LongSet ids) {
                putNew(long[].class, long[].class, ids.toLongArray());
            } else if (value instanceof Map<?, ?> map) {
                to.putVarint(map.size());
                map.forEach((key, mapped) -> {
                    put(argument(type, 0), key);
                    put(argument(type, 1), mapped);
                });
            } else if (value instanceof Collection<?> elements) {
                to.putVarint(elements.size());
                elements.forEach(element -> put(argument(type, 0), element));
            } else {
                putNumber(raw, value);
            }
        }

        private void putComponents(Shape shape, Object record) {
            try {
                for (int i = 0; i < shape.types().length; i++) {
                    put(shape.types()[i], shape.component(record, i));
                }
            } catch (ReflectiveOperationException impossible) {
                throw new AssertionError("bug: a record has its accessors: record=" + record, impossible);
            }
        }
    }

    private final class Decoder {

        private final ByteReader from;
        private final List<@Nullable Object> seen = new ArrayList<>();

        Decoder(ByteReader from) {
            this.from = from;
        }

        @Nullable
        Object get(Type type) {
            Class<?> raw = raw(type);
            Form form = forms.get(raw);
            if (raw.isPrimitive()) {
                return getNumber(raw);
            }
            if (form != null) {
                Object record = get(form.type());
                return record == null ? null : form.toObject().apply(record);
            }
            int call = from.getCount();
            if (call != NEW) {
                return call == NULL ? null : seen.get(call - FIRST);
            }
            if (!recurs(raw)) {
                return getNew(type, raw);
            }
            int index = seen.size();
            seen.add(null);
            seen.set(index, raw == String.class ? from.getString() : getComponents(SHAPES.get(raw)));
            return seen.get(index);
        }

        private Object getNumber(Class<?> raw) {
            if (raw == boolean.class || raw == Boolean.class) {
                return from.getByte() == 1;
            }
            long number = from.getSigned();
            if (raw == double.class || raw == Double.class) {
                return Double.longBitsToDouble(number);
            }
            return raw == int.class || raw == Integer.class ? (Object) (int) number : (Object) number;
        }

        private Object getNew(Type type, Class<?> raw) {
            if (raw.isEnum()) {
                return raw.getEnumConstants()[from.getCount()];
            }
            if (raw == byte[].class) {
                int length = from.getCount();
                int start = from.skip(length);
                return Arrays.copyOfRange(from.array(), start, start + length);
            }
            if (raw == int[].class) {
                int[] numbers = new int[from.getCount()];
                PackedLongs.getInts(from, numbers, numbers.length);
                return numbers;
            }
            if (raw == long[].class) {
                return getLongs();
            }
            if (raw == LongSet.class) {
                return new LongOpenHashSet(getLongs());
            }
            if (raw == Map.class) {
                Map<@Nullable Object, @Nullable Object> map = new LinkedHashMap<>();
                for (int left = from.getCount(); left > 0; left--) {
                    map.put(get(argument(type, 0)), get(argument(type, 1)));
                }
                return map;
            }
            if (raw == List.class || raw == Set.class) {
                Collection<@Nullable Object> elements = raw == List.class ? new ArrayList<>() : new LinkedHashSet<>();
                for (int left = from.getCount(); left > 0; left--) {
                    elements.add(get(argument(type, 0)));
                }
                return elements;
            }
            return getNumber(raw);
        }

        private long[] getLongs() {
            long[] numbers = new long[from.getCount()];
            PackedLongs.get(from, numbers, numbers.length);
            return numbers;
        }

        private Object getComponents(Shape shape) {
            Object[] values = new Object[shape.types().length];
            for (int i = 0; i < values.length; i++) {
                values[i] = get(shape.types()[i]);
            }
            try {
                return shape.constructor().newInstance(values);
            } catch (ReflectiveOperationException impossible) {
                throw new AssertionError("bug: a record has its constructor: record=" + shape, impossible);
            }
        }
    }
}
