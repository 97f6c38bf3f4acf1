package io.nightjar.formats.jepsen;

import io.nightjar.formats.text.BadRowException;
import io.nightjar.formats.text.JsonCursor;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** One operation map: the positions of its members, and the members common to all operations. */
final class OperationMap {

    enum Type {
        INVOKE,
        OK,
        FAIL,
        INFO
    }

    /** Marker of a missing index or time. */
    static final long NONE = Long.MIN_VALUE;

    /** Jepsen's value of a time or index that was never set. */
    private static final long NOT_SET = -1;

    private static final int ABSENT = -1;
    private static final long INDEX = JsonCursor.packed("index");
    private static final long TIME = JsonCursor.packed("time");
    private static final long TYPE = JsonCursor.packed("type");
    private static final long PROCESS = JsonCursor.packed("process");
    private static final long FUNCTION = JsonCursor.packed("f");
    private static final long VALUE = JsonCursor.packed("value");

    final EdnScanner scanner;
    final EdnForm form;

    /** Begin and end of the map in the scanner's bytes. */
    int from;

    int to;

    private int memberCount;
    private int[] nameFrom = new int[16];
    private int[] nameTo = new int[16];
    private int[] valueFrom = new int[16];
    private int[] valueTo = new int[16];

    @Nullable
    Type type;

    long index;
    long time;

    /** Ordinals of the members; ABSENT if they are missing or nil. */
    private int process;

    private int function;
    private int value;
    private int otherCount;
    private int[] others = new int[8];

    OperationMap(EdnScanner scanner) {
        this.scanner = scanner;
        this.form = new EdnForm(scanner);
    }

    /** Finds the members and the end of the map that begins at a position; returns the end, or INCOMPLETE. */
    int scan(int brace) {
        from = brace;
        memberCount = 0;
        int at = brace + 1;
        while (true) {
            at = scanner.skipBlank(at);
            if (at < 0) {
                return EdnScanner.INCOMPLETE;
            }
            if (scanner.bytes[at] == '}') {
                to = at + 1;
                return to;
            }
            at = scanMember(at);
            if (at < 0) {
                return EdnScanner.INCOMPLETE;
            }
        }
    }

    private int scanMember(int start) {
        byte first = scanner.bytes[start];
        boolean isName = first == ':' || first == '"' || (first >= 'a' && first <= 'z');
        if (!isName && start < scanner.limit) {
            throw scanner.unexpected(start, scanner.isJson ? "a name or '}'" : "a keyword or '}'");
        }
        int nameEnd = scanner.skipForm(start);
        int at = nameEnd < 0 ? nameEnd : scanner.skipBlank(nameEnd);
        if (at >= 0 && scanner.isJson && at < scanner.limit) {
            if (scanner.bytes[at] != ':') {
                throw scanner.unexpected(at, "':'");
            }
            at = scanner.skipBlank(at + 1);
        }
        int end = at < 0 ? at : scanner.skipForm(at);
        if (end < 0) {
            return EdnScanner.INCOMPLETE;
        }
        if (memberCount == nameFrom.length) {
            grow();
        }
        nameFrom[memberCount] = start;
        nameTo[memberCount] = nameEnd;
        valueFrom[memberCount] = at;
        valueTo[memberCount] = end;
        memberCount++;
        return end;
    }

    private void grow() {
        int capacity = 2 * memberCount;
        nameFrom = Arrays.copyOf(nameFrom, capacity);
        nameTo = Arrays.copyOf(nameTo, capacity);
        valueFrom = Arrays.copyOf(valueFrom, capacity);
        valueTo = Arrays.copyOf(valueTo, capacity);
    }

    /** Parses the members of the scanned map. */
    void interpret() {
        type = null;
        index = NONE;
        time = NONE;
        process = ABSENT;
        function = ABSENT;
        value = ABSENT;
        otherCount = 0;
        boolean hasIndex = false;
        boolean hasTime = false;
        for (int member = 0; member < memberCount; member++) {
            form.read(nameFrom[member], nameTo[member]);
            long name = form.packed();
            if (name == VALUE) {
                value = once(value, member);
            } else if (name == TYPE) {
                readType(member);
            } else if (name == PROCESS) {
                process = once(process, member);
            } else if (name == FUNCTION) {
                function = once(function, member);
            } else if (name == INDEX) {
                hasIndex = onlyOnce(hasIndex, member);
                index = readNumber(member, "index");
                index = index == NOT_SET ? NONE : index;
            } else if (name == TIME) {
                hasTime = onlyOnce(hasTime, member);
                readTime(member);
            } else {
                addOther(member);
            }
        }
        if (type == null) {
            throw BadRowException.of("operation has no type")
                    .with("expected=invoke|ok|fail|info " + scanner.location(from))
                    .advise("give its :type");
        }
        process = orAbsent(process);
        value = orAbsent(value);
        function = orAbsent(function);
    }

    private int once(int known, int member) {
        onlyOnce(known != ABSENT, member);
        return member;
    }

    private boolean onlyOnce(boolean isKnown, int member) {
        if (isKnown) {
            throw BadRowException.of("name twice in one operation")
                    .with(
                            "name=%s %s",
                            scanner.text(nameFrom[member], nameTo[member]), scanner.location(nameFrom[member]));
        }
        return true;
    }

    private int orAbsent(int member) {
        return member != ABSENT && isNil(member) ? ABSENT : member;
    }

    private boolean isNil(int member) {
        int length = valueTo[member] - valueFrom[member];
        return (length == 3 || length == 4)
                && scanner.bytes[valueFrom[member]] == 'n'
                && form.read(valueFrom[member], valueTo[member]) == EdnForm.Kind.NIL;
    }

    private void readType(int member) {
        onlyOnce(type != null, member);
        form.read(valueFrom[member], valueTo[member]);
        if (form.is("ok")) {
            type = Type.OK;
        } else if (form.is("invoke")) {
            type = Type.INVOKE;
        } else if (form.is("info")) {
            type = Type.INFO;
        } else if (form.is("fail")) {
            type = Type.FAIL;
        } else {
            throw BadRowException.of("unknown operation type")
                    .with(
                            "type=%s expected=invoke|ok|fail|info %s",
                            scanner.text(valueFrom[member], valueTo[member]), scanner.location(valueFrom[member]));
        }
    }

    private long readNumber(int member, String name) {
        if (isNil(member)) {
            return NONE;
        }
        if (form.read(valueFrom[member], valueTo[member]) != EdnForm.Kind.LONG || form.number == NONE) {
            throw BadRowException.of("not an integer")
                    .with(
                            "%s=%s %s",
                            name,
                            scanner.text(valueFrom[member], valueTo[member]),
                            scanner.location(valueFrom[member]));
        }
        return form.number;
    }

    /** Reads a time; one that is not an integer uses an unsupported clock and is treated as an extra member. */
    private void readTime(int member) {
        if (isNil(member)) {
            return;
        }
        if (form.read(valueFrom[member], valueTo[member]) != EdnForm.Kind.LONG) {
            addOther(member);
        } else if (form.number != NOT_SET) {
            time = form.number;
        }
    }

    private void addOther(int member) {
        if (otherCount == others.length) {
            others = Arrays.copyOf(others, 2 * otherCount);
        }
        others[otherCount++] = member;
    }

    // ---------------------------------------------------------------- members

    boolean hasProcess() {
        return process != ABSENT;
    }

    /** Reads the process into {@link #form}. */
    EdnForm process() {
        form.read(valueFrom[process], valueTo[process]);
        return form;
    }

    int processFrom() {
        return valueFrom[process];
    }

    int processTo() {
        return valueTo[process];
    }

    boolean hasValue() {
        return value != ABSENT;
    }

    int valueFrom() {
        return valueFrom[value];
    }

    boolean hasFunction() {
        return function != ABSENT;
    }

    int functionFrom() {
        return valueFrom[function];
    }

    int functionTo() {
        return valueTo[function];
    }

    /** Returns the number of members other than the above. */
    int otherCount() {
        return otherCount;
    }

    int otherNameFrom(int other) {
        return nameFrom[others[other]];
    }

    int otherNameTo(int other) {
        return nameTo[others[other]];
    }

    int otherFrom(int other) {
        return valueFrom[others[other]];
    }

    int otherTo(int other) {
        return valueTo[others[other]];
    }
}
