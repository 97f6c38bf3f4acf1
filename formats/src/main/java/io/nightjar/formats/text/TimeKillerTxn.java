package io.nightjar.formats.text;

import io.nightjar.formats.history.HistorySlice;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** One transaction of TimeKiller's JSON without its operations, as spelled in the file. */
final class TimeKillerTxn {

    private static final long TID = JsonCursor.packed("tid");
    private static final long SID = JsonCursor.packed("sid");
    private static final long STS = JsonCursor.packed("sts");
    private static final long CTS = JsonCursor.packed("cts");
    private static final long OPS = JsonCursor.packed("ops");

    final Name txn = new Name("tid");
    final Name session = new Name("sid");
    final Clock start = new Clock("sts");
    final Clock commit = new Clock("cts");

    private final Member[] members = {txn, session, start, commit};
    private boolean hasOps;

    /** Reads the element at the cursor. */
    void read(JsonCursor cursor, OpsReader ops, ExtraMemberCollector extra) throws IOException {
        for (Member member : members) {
            member.isGiven = false;
        }
        hasOps = false;
        extra.clear();
        cursor.expect('{');
        if (!cursor.take('}')) {
            do {
                readMember(cursor, cursor.readName(), ops, extra);
            } while (cursor.takeComma('}'));
        }
        for (Member member : members) {
            if (!member.isGiven) {
                throw missing(member.name);
            }
        }
        if (!hasOps) {
            throw missing("ops");
        }
    }

    private void readMember(JsonCursor cursor, long name, OpsReader ops, ExtraMemberCollector extra)
            throws IOException {
        if (name == TID) {
            txn.read(cursor);
        } else if (name == SID) {
            session.read(cursor);
        } else if (name == STS) {
            start.read(cursor);
        } else if (name == CTS) {
            commit.read(cursor);
        } else if (name == OPS) {
            if (hasOps) {
                throw twice("ops");
            }
            hasOps = true;
            ops.read(cursor);
        } else {
            extra.take(cursor);
        }
    }

    private static BadRowException missing(String name) {
        return BadRowException.of("member missing").with("name=%s expected=tid,sid,sts,cts,ops", name);
    }

    static BadRowException twice(String name) {
        return BadRowException.of("name twice in one object").with("name=" + name);
    }

    /** Reads an int64, plain or quoted. */
    static long readLong(JsonCursor cursor, String name) throws IOException {
        return cursor.isNumberNext() ? cursor.readLong() : readQuotedLong(cursor, name);
    }

    private static long readQuotedLong(JsonCursor cursor, String name) throws IOException {
        if (cursor.peek() != '"') {
            throw cursor.unexpected("an integer as " + name);
        }
        cursor.readString();
        String digits = cursor.textString();
        if (!isLong(digits)) {
            throw BadRowException.of("not an integer").with("%s=%s %s", name, digits, cursor.location());
        }
        return Long.parseLong(digits);
    }

    /** Returns whether a text is the canonical form of an int64, so that the conversion is reversible. */
    static boolean isLong(String text) {
        if (text.isEmpty() || text.length() > 20) {
            return false;
        }
        try {
            return Long.toString(Long.parseLong(text)).equals(text);
        } catch (NumberFormatException notOne) {
            return false;
        }
    }

    /** Reads the operations from their array. */
    interface OpsReader {
        void read(JsonCursor cursor) throws IOException;
    }

    /** A required member of a transaction. */
    private abstract static class Member {

        final String name;
        boolean isGiven;

        Member(String name) {
            this.name = name;
        }

        final void begin() {
            if (isGiven) {
                throw twice(name);
            }
            isGiven = true;
        }
    }

    /** A transaction or session: a number, or a string that is not one. */
    static final class Name extends Member {

        /** Valid if {@link #text} is null. */
        long number;

        /** The name if it is not an int64. */
        @Nullable
        String text;

        /** Whether it is quoted in the file. */
        boolean isQuoted;

        Name(String member) {
            super(member);
        }

        /** Returns the name as text, for names of either type. */
        String spelling() {
            return text == null ? Long.toString(number) : text;
        }

        private void read(JsonCursor cursor) throws IOException {
            begin();
            text = null;
            isQuoted = !cursor.isNumberNext();
            if (!isQuoted) {
                number = cursor.readLong();
                return;
            }
            if (cursor.peek() != '"') {
                throw cursor.unexpected("a number or a string as " + name);
            }
            cursor.readString();
            String spelled = cursor.textString();
            if (isLong(spelled)) {
                number = Long.parseLong(spelled);
            } else {
                text = spelled;
            }
        }
    }

    /** A hybrid clock: physical time, and a logical count within it. */
    static final class Clock extends Member {

        long physical;
        long logical;

        Clock(String member) {
            super(member);
        }

        private void read(JsonCursor cursor) throws IOException {
            begin();
            if (cursor.peek() != '{') {
                throw cursor.unexpected("a clock such as {\"p\":3,\"l\":0} as " + name);
            }
            cursor.expect('{');
            boolean hasPhysical = false;
            boolean hasLogical = false;
            do {
                long part = cursor.readName();
                if (part == 'p' && !hasPhysical) {
                    physical = readLong(cursor, "p");
                    hasPhysical = true;
                } else if (part == 'l' && !hasLogical) {
                    logical = readLong(cursor, "l");
                    hasLogical = true;
                } else {
                    throw unknownMember(cursor);
                }
            } while (cursor.takeComma('}'));
            if (!hasPhysical || !hasLogical) {
                throw incomplete();
            }
            if (physical == HistorySlice.NONE) {
                throw JsonLinesRow.reserved(name);
            }
        }

        private static BadRowException unknownMember(JsonCursor cursor) {
            return BadRowException.of("unknown or repeated member of a clock")
                    .with("name=%s expected=p,l %s", cursor.textString(), cursor.location());
        }

        private BadRowException incomplete() {
            return BadRowException.of("clock is not complete").with("name=%s expected=p,l", name);
        }
    }
}
