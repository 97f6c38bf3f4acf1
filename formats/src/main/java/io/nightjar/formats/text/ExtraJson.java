package io.nightjar.formats.text;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Builder of the extra column of one transaction: a given object, and columns that the format lacks. */
public final class ExtraJson {

    private final ExtraObject object = new ExtraObject();
    private final Utf8 json = new Utf8();
    private @Nullable String given;
    private boolean isChanged;

    /** Starts with the content of the source's extra column; a text that is not an object becomes a member. */
    public ExtraJson begin(@Nullable String extra) throws IOException {
        json.clear();
        isChanged = false;
        given = extra;
        if (extra != null) {
            object.parse(extra);
        }
        return this;
    }

    /** Adds a member whose value is already JSON, unless the given object has a member with that name. */
    public ExtraJson raw(String name, String value) {
        if (addName(name)) {
            byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
            json.put(utf8, 0, utf8.length);
        }
        return this;
    }

    /** Adds a member that is a string, unless the given object has a member with that name. */
    public ExtraJson string(String name, String value) {
        if (addName(name)) {
            JsonText.putString(value, json);
        }
        return this;
    }

    /** Returns the object as text; null if it is empty. */
    public @Nullable String build() {
        if (given != null && object.isObject() && !isChanged) {
            return given;
        }
        if (given != null && !isChanged) {
            addGiven();
        }
        if (json.length == 0) {
            return null;
        }
        json.put('}');
        return new String(json.bytes, 0, json.length, StandardCharsets.UTF_8);
    }

    private boolean addName(String name) {
        if (given != null && (object.isObject() ? object.has(name) : name.equals("extra"))) {
            return false;
        }
        if (!isChanged && given != null) {
            addGiven();
        }
        isChanged = true;
        json.put(json.length == 0 ? '{' : ',');
        JsonText.putString(name, json);
        json.put(':');
        return true;
    }

    private void addGiven() {
        if (!object.isObject()) {
            JsonText.putAscii("{\"extra\":", json);
            JsonText.putString(requireNonNull(given), json);
        } else if (!object.isEmpty()) {
            json.put('{');
            object.copyMembersTo(json);
        }
    }
}
