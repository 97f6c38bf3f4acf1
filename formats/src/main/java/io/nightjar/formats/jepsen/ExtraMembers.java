package io.nightjar.formats.jepsen;

import io.nightjar.formats.history.SetsFields;
import io.nightjar.formats.text.BadRowException;
import io.nightjar.formats.text.ExtraMemberCollector;
import io.nightjar.formats.text.JsonText;
import io.nightjar.formats.text.Utf8;
import org.jspecify.annotations.Nullable;

/** Builds the extra column of a transaction from the unknown members of an operation, converting EDN to JSON. */
final class ExtraMembers {

    private final ExtraMemberCollector members = new ExtraMemberCollector();
    private final Utf8 json = new Utf8();

    private EdnScanner scanner;
    private EdnForm form;

    /** Returns the object, or null if it would be empty. */
    @Nullable
    @SetsFields
    String of(OperationMap operation, boolean hasProcessOriginal) {
        scanner = operation.scanner;
        form = operation.form;
        boolean hasFunction = operation.hasFunction() && !isTxn(operation);
        boolean hasProcess = hasProcessOriginal && operation.hasProcess();
        if (operation.otherCount() == 0 && !hasFunction && !hasProcess) {
            return null;
        }
        members.clear();
        if (hasProcess) {
            put("process", operation.processFrom(), operation.processTo());
        }
        if (hasFunction) {
            put("f", operation.functionFrom(), operation.functionTo());
        }
        for (int other = 0; other < operation.otherCount(); other++) {
            form.read(operation.otherNameFrom(other), operation.otherNameTo(other));
            put(form.string(), operation.otherFrom(other), operation.otherTo(other));
        }
        return members.build();
    }

    private static boolean isTxn(OperationMap operation) {
        operation.form.read(operation.functionFrom(), operation.functionTo());
        return operation.form.is("txn");
    }

    private void put(String name, int from, int to) {
        json.clear();
        putForm(from, to);
        members.put(name, json.bytes, json.length);
    }

    /** Recurses into collections, whose depth the scanner bounds. */
    private void putForm(int from, int to) {
        int at = from;
        while (scanner.bytes[at] == '#' && EdnForm.isTag(scanner.bytes[at + 1])) {
            at = skipTag(at);
        }
        switch (scanner.bytes[at]) {
            case '{' -> putMap(at);
            case '[', '(' -> putElements(at + 1);
            case '#' -> {
                if (scanner.bytes[at + 1] == '{') {
                    putElements(at + 2);
                } else {
                    putText(at, to);
                }
            }
            default -> putAtom(at, to);
        }
    }

    private int skipTag(int at) {
        int end = at + 1;
        while (!EdnScanner.isDelimiter(scanner.bytes[end])) {
            end++;
        }
        return scanner.skipBlank(end);
    }

    private void putElements(int first) {
        json.put('[');
        int at = scanner.skipBlank(first);
        for (boolean isFirst = true; !isEnd(at); isFirst = false) {
            if (!isFirst) {
                json.put(',');
            }
            at = putNext(at);
        }
        json.put(']');
    }

    private void putMap(int brace) {
        json.put('{');
        int at = scanner.skipBlank(brace + 1);
        for (boolean isFirst = true; !isEnd(at); isFirst = false) {
            if (!isFirst) {
                json.put(',');
            }
            int nameEnd = scanner.skipForm(at);
            putName(at, nameEnd);
            json.put(':');
            at = scanner.skipBlank(nameEnd);
            if (scanner.isJson && scanner.bytes[at] == ':') {
                at = scanner.skipBlank(at + 1);
            }
            if (isEnd(at)) {
                throw scanner.unexpected(at, "a value");
            }
            at = putNext(at);
        }
        json.put('}');
    }

    private int putNext(int at) {
        int end = scanner.skipForm(at);
        putForm(at, end);
        return scanner.skipBlank(end);
    }

    private boolean isEnd(int at) {
        byte b = scanner.bytes[at];
        return b == '}' || b == ']' || b == ')';
    }

    private void putName(int from, int to) {
        byte first = scanner.bytes[from];
        boolean isCollection = first == '{' || first == '[' || first == '(' || first == '#';
        if (first == '"') {
            putString(from, to);
        } else if (isCollection) {
            putText(from, to);
        } else {
            form.read(from, to);
            JsonText.putString(form.text, form.textFrom, form.textLength, json);
        }
    }

    private void putText(int from, int to) {
        if (!Utf8.isWellFormed(scanner.bytes, from, to - from)) {
            throw BadRowException.of("text is not UTF-8").with(scanner.location(from));
        }
        JsonText.putString(scanner.bytes, from, to - from, json);
    }

    private void putAtom(int from, int to) {
        byte first = scanner.bytes[from];
        if (first == '"') {
            putString(from, to);
            return;
        }
        boolean isNumber = (first >= '0' && first <= '9') || first == '-' || first == '+';
        if (isNumber) {
            putNumber(from, to);
            return;
        }
        switch (form.read(from, to)) {
            case NIL -> JsonText.putAscii("null", json);
            case JSON -> json.put(form.text, form.textFrom, form.textLength);
            case OTHER -> putText(from, to);
            default -> JsonText.putString(form.text, form.textFrom, form.textLength, json);
        }
    }

    /** Appends a string unchanged except for line ends and similar characters: escapes of EDN are escapes of JSON. */
    private void putString(int from, int to) {
        byte[] bytes = scanner.bytes;
        if (!Utf8.isWellFormed(bytes, from, to - from)) {
            throw BadRowException.of("text is not UTF-8").with(scanner.location(from));
        }
        json.put('"');
        for (int at = from + 1; at < to - 1; at++) {
            byte b = bytes[at];
            if (b == '\\') {
                int length = escapeLength(at, to - 1);
                json.put(bytes, at, length);
                at += length - 1;
            } else if (b >= 0 && b < ' ') {
                JsonText.putAscii("\\u%04x".formatted(b), json);
            } else {
                json.put(b);
            }
        }
        json.put('"');
    }

    private int escapeLength(int at, int end) {
        byte escape = scanner.bytes[at + 1];
        if ("\"\\/bfnrt".indexOf(escape) >= 0) {
            return 2;
        }
        boolean isHex = escape == 'u' && at + 6 <= end;
        for (int digit = at + 2; isHex && digit < at + 6; digit++) {
            isHex = Character.digit(scanner.bytes[digit], 16) >= 0;
        }
        if (!isHex) {
            throw BadRowException.of("unknown escape in a string").with(scanner.location(at));
        }
        return 6;
    }

    /** Copies numbers that are valid JSON unchanged, at any length; others become strings. */
    private void putNumber(int from, int to) {
        int end = scanner.bytes[to - 1] == 'N' || scanner.bytes[to - 1] == 'M' ? to - 1 : to;
        if (JsonText.isNumber(scanner.bytes, from, end)) {
            json.put(scanner.bytes, from, end - from);
        } else {
            putText(from, to);
        }
    }
}
