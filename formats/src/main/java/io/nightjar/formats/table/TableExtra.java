package io.nightjar.formats.table;

import io.nightjar.formats.text.JsonText;
import io.nightjar.formats.text.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Collects the cells without a role of a row into one JSON object. */
final class TableExtra {

    private final Utf8 object = new Utf8();
    private final Set<String> names = new HashSet<>();

    void add(String name, Cell cell) {
        if (cell.isNull() || !names.add(name)) {
            return;
        }
        object.put(object.length == 0 ? '{' : ',');
        JsonText.putString(name, object);
        object.put(':');
        if (cell.isInteger()) {
            JsonText.putLong(cell.longValue(), object);
        } else {
            byte[] bytes = cell.bytes();
            JsonText.putString(bytes, cell.from(), cell.length(), object);
        }
    }

    @Nullable
    String build() {
        if (object.length == 0) {
            return null;
        }
        object.put('}');
        return new String(object.bytes, 0, object.length, StandardCharsets.UTF_8);
    }
}
