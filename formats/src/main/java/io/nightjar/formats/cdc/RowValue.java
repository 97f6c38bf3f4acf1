package io.nightjar.formats.cdc;

import io.nightjar.formats.text.JsonText;
import io.nightjar.formats.text.Utf8;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Encoder of rows as one text: a JSON object with its members sorted by name, and no blanks. */
final class RowValue {

    private RowValue() {}

    static void put(List<String> names, List<Object> values, Utf8 into) {
        Map<String, Object> members = new TreeMap<>();
        for (int i = 0; i < names.size(); i++) {
            members.put(names.get(i), values.get(i));
        }
        put(members, into);
    }

    private static void put(Object value, Utf8 into) {
        if (value instanceof Map<?, ?> object) {
            into.put('{');
            boolean isFirst = true;
            for (Map.Entry<String, Object> member : sorted(object).entrySet()) {
                if (!isFirst) {
                    into.put(',');
                }
                isFirst = false;
                JsonText.putString(member.getKey(), into);
                into.put(':');
                put(member.getValue(), into);
            }
            into.put('}');
        } else if (value instanceof List<?> list) {
            into.put('[');
            for (int i = 0; i < list.size(); i++) {
                if (i > 0) {
                    into.put(',');
                }
                put(list.get(i), into);
            }
            into.put(']');
        } else if (value instanceof String text) {
            JsonText.putString(text, into);
        } else if (value instanceof Long number) {
            JsonText.putLong(number, into);
        } else {
            JsonText.putAscii(String.valueOf(value), into); // a fraction, a boolean, null
        }
    }

    private static Map<String, Object> sorted(Map<?, ?> object) {
        Map<String, Object> sorted = new TreeMap<>();
        object.forEach((name, value) -> sorted.put(String.valueOf(name), value));
        return sorted;
    }
}
