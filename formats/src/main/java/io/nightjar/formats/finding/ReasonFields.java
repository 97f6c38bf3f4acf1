package io.nightjar.formats.finding;

import static java.util.Map.entry;
import static java.util.Objects.requireNonNull;

import io.nightjar.formats.finding.EdgeReason.VersionLink;
import io.nightjar.formats.level.IsolationLevel;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reasons as a word and fields, which are the components of their records as text; a link has several fields. */
final class ReasonFields {

    private static final Map<String, Class<? extends EdgeReason>> TYPES = Map.ofEntries(
            entry("session", EdgeReason.InSession.class),
            entry("realtime", EdgeReason.InTime.class),
            entry("read", EdgeReason.WasRead.class),
            entry("missed", EdgeReason.Missed.class),
            entry("missed-in-list", EdgeReason.MissedInList.class),
            entry("missed-in-set", EdgeReason.MissedInSet.class),
            entry("visible", EdgeReason.WasVisible.class),
            entry("no-overlap", EdgeReason.NoOverlap.class),
            entry("listed", EdgeReason.Listed.class),
            entry("numbered", EdgeReason.Numbered.class),
            entry("replaced", EdgeReason.Replaced.class),
            entry("linked", EdgeReason.Linked.class),
            entry("rows", EdgeReason.OfRows.class),
            entry(EdgeReason.Explained.WORD, EdgeReason.Explained.class));
    private static final Map<Class<?>, String> WORDS =
            TYPES.entrySet().stream().collect(Collectors.toMap(Map.Entry::getValue, Map.Entry::getKey));

    private ReasonFields() {}

    static String word(EdgeReason reason) {
        return requireNonNull(WORDS.get(reason.getClass()));
    }

    static List<@Nullable String> of(EdgeReason reason) {
        List<@Nullable String> fields = new ArrayList<>();
        put(reason, fields);
        return fields;
    }

    private static void put(Object record, List<@Nullable String> to) {
        try {
            for (RecordComponent component : record.getClass().getRecordComponents()) {
                Object value = component.getAccessor().invoke(record);
                if (value instanceof List<?> links) {
                    links.forEach(link -> put(link, to));
                } else if (value instanceof VersionLink) {
                    put(value, to);
                } else if (value instanceof IsolationLevel level) {
                    to.add(level.longName());
                } else {
                    to.add(value == null ? null : value.toString());
                }
            }
        } catch (ReflectiveOperationException impossible) {
            throw new AssertionError("bug: a record has its accessors: record=" + record, impossible);
        }
    }

    static EdgeReason reason(String word, List<@Nullable String> fields) {
        Class<? extends EdgeReason> type = TYPES.get(word);
        if (type == null) {
            throw new IllegalArgumentException("no such reason: word=" + word);
        }
        try {
            return read(type, fields.iterator());
        } catch (NoSuchElementException | NullPointerException e) {
            throw new IllegalArgumentException("not the parts of a reason: word=" + word + " parts=" + fields, e);
        }
    }

    private static <T> T read(Class<T> type, Iterator<@Nullable String> fields) {
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types = Stream.of(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        Object[] values = new Object[components.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = value(components[i], fields);
        }
        try {
            return type.getConstructor(types).newInstance(values);
        } catch (InvocationTargetException refused) {
            throw new IllegalArgumentException("not the parts of a reason: record=" + type.getSimpleName(), refused);
        } catch (ReflectiveOperationException impossible) {
            throw new AssertionError("bug: a record has its constructor: record=" + type, impossible);
        }
    }

    private static @Nullable Object value(RecordComponent component, Iterator<@Nullable String> fields) {
        Class<?> type = component.getType();
        if (type == List.class) {
            List<VersionLink> links = new ArrayList<>();
            while (fields.hasNext()) {
                links.add(read(VersionLink.class, fields));
            }
            return links;
        }
        if (type == VersionLink.class) {
            return read(VersionLink.class, fields);
        }
        String text = fields.next();
        if (text == null && (type == Long.class || type == IsolationLevel.class || type == String.class)) {
            return null; // a record that needs its text refuses this: annotations of nulls are absent at runtime
        }
        requireNonNull(text, component.getName());
        if (type == IsolationLevel.class) {
            return IsolationLevel.byName(text);
        }
        if (type == String.class) {
            return text;
        }
        if (type == boolean.class) {
            return Boolean.parseBoolean(text);
        }
        return type.isEnum() ? constant(type, text) : (Object) Long.valueOf(text);
    }

    private static Object constant(Class<?> type, String name) {
        return Stream.of(type.getEnumConstants())
                .filter(constant -> ((Enum<?>) constant).name().equals(name))
                .findAny()
                .orElseThrow(() -> new IllegalArgumentException("no such constant: name=" + name));
    }
}
