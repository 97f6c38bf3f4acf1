package io.nightjar.jobs.mock;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Writes transactions as lines of an archive. */
final class ArchivedLine {

    /*
     * Timestamps are known at the end only, and without them searches and deletions leave every level open. So a line first has
     * reads and writes of objects alone, which prove the level by values if the server is killed, and behind them, as a member
     * that no check looks at, the same with searches and deletions. Finishing puts these in the place of the others.
     *
     * Where objects only are kept, a search does not say which rows it found: these are reads of objects before it, in the order
     * in which they were read, which is what read committed is about. So values decide all levels but ser, of which a search
     * whose rows are unknown leaves open what items alone would say holds.
     */

    private static final String OPS = ",\"ops\":";
    private static final String SEARCHES = ",\"searches\":";

    private final JsonFactory json = new JsonFactory();
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    /** Transactions of which clients have not learned how they ended: who reads from them names them. */
    private final LongOpenHashSet unknown = new LongOpenHashSet();

    private @Nullable MockStore tables;

    /** Keeps searches and deletions as such from now on, and initial contents as writes; null keeps objects only. */
    void keepTables(@Nullable MockStore ofStore) {
        tables = ofStore;
    }

    /** Returns the store whose tables name objects; null where only objects are kept. */
    @Nullable
    MockStore tables() {
        return tables;
    }

    /** The line of a transaction that has ended. */
    byte[] of(ArchivedTxn txn) throws IOException {
        if ("unknown".equals(txn.status)) {
            unknown.add(txn.id);
        }
        line.reset();
        try (JsonGenerator object = json.createGenerator(line)) {
            object.writeStartObject();
            object.writeNumberField("txn", txn.id);
            object.writeNumberField("session", txn.session);
            object.writeNumberField("seq", txn.seq);
            object.writeStringField("status", txn.status);
            writeOps(object, "ops", txn, false);
            if (tables != null && differs(txn)) {
                writeOps(object, "searches", txn, true);
            }
            object.writeArrayFieldStart("statements");
            for (String statement : txn.statements) {
                object.writeString(statement);
            }
            object.writeEndArray();
            if (txn.client != null) {
                object.writeStringField("client", txn.client);
            }
            object.writeEndObject();
        }
        line.write('\n');
        return line.toByteArray();
    }

    /** A line as a finished archive has it. */
    static String finished(String text) {
        int searches = text.indexOf(SEARCHES);
        return searches < 0
                ? text
                : text.substring(0, text.indexOf(OPS) + OPS.length()) + text.substring(searches + SEARCHES.length());
    }

    /** Whether reads and writes of objects do not say all. */
    private boolean differs(ArchivedTxn txn) {
        for (ArchivedTxn.Op op : txn.ops) {
            if (op.search() != null || op.isDeletion() || versionOfUnknown(op) != null) {
                return true;
            }
        }
        return false;
    }

    private void writeOps(JsonGenerator object, String member, ArchivedTxn txn, boolean asTables) throws IOException {
        object.writeArrayFieldStart(member);
        for (ArchivedTxn.Op op : txn.ops) {
            if (op.search() == null) {
                writeOp(object, op, asTables);
            } else if (asTables || tables == null) {
                writeSearch(object, op.search(), asTables);
            }
        }
        object.writeEndArray();
    }

    private void writeOp(JsonGenerator object, ArchivedTxn.Op op, boolean asTables) throws IOException {
        boolean isDeletion = asTables && op.isDeletion();
        RowVersion unknownVersion = asTables ? versionOfUnknown(op) : null;
        object.writeStartArray();
        object.writeString(isDeletion ? op.isWrite() ? "d" : "v" : op.isWrite() ? "w" : "r");
        object.writeString(op.name());
        if (!isDeletion) {
            object.writeString(textOf(op));
        } else if (unknownVersion != null) {
            object.writeNull();
        }
        if (unknownVersion != null) {
            object.writeStartObject();
            object.writeNumberField("writer", unknownVersion.txnId());
            object.writeEndObject();
        }
        object.writeEndArray();
    }

    /** The text of what was read or written, null for an initial state that is not in the archive. */
    private @Nullable String textOf(ArchivedTxn.Op op) {
        if (op.version() != null) {
            return op.version().text();
        }
        return tables == null || op.initial() == null ? null : op.initial().text(tables);
    }

    /** The version that was read if clients have not learned how its writer ended, else null. */
    private @Nullable RowVersion versionOfUnknown(ArchivedTxn.Op op) {
        RowVersion version = op.isWrite() ? null : op.version();
        return version != null && unknown.contains(version.txnId()) ? version : null;
    }

    private void writeSearch(JsonGenerator object, PredicateRead search, boolean asTables) throws IOException {
        object.writeStartArray();
        object.writeString("p");
        object.writeString(search.condition());
        object.writeStartArray();
        for (Object parameter : search.parameters()) {
            if (parameter instanceof Long number) {
                object.writeNumber(number);
            } else {
                object.writeString(String.valueOf(parameter));
            }
        }
        object.writeEndArray();
        if (asTables) {
            object.writeStartArray();
            for (ArchivedTxn.Op row : search.rows()) {
                writeOp(object, row, true);
            }
            object.writeEndArray();
        } else {
            object.writeNull();
        }
        object.writeStartObject();
        object.writeStringField("relation", search.space().name());
        object.writeEndObject();
        object.writeEndArray();
    }
}
