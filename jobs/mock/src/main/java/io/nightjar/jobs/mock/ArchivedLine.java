package io.nightjar.jobs.mock;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.nightjar.jobs.JsonObjectText;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Encoder of transactions as lines of an archive. */
final class ArchivedLine {

    /*
     * Definitions. An object-only line has reads and writes of objects; a full line has searches and deletions as well.
     *
     * Layout. Timestamps are computed at the end of a run, and without them searches and deletions leave every level
     * undecided. So a line first has the object-only operations, which prove the level by values if the server is
     * killed, followed by the full operations in a member that checks ignore. Finishing the archive replaces the former
     * by the latter.
     *
     * An archive of objects only does not name the rows that a search found: they are the object reads that precede it,
     * in read order, as read committed requires. So values decide all levels except ser: a search with unknown rows
     * leaves ser undecided even where the items alone would prove it.
     */

    private static final String OPS = ",\"ops\":";
    private static final String SEARCHES = ",\"searches\":";

    private final JsonFactory json = new JsonFactory();
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    /** Transactions with an outcome unknown to their clients; lines of their readers name them. */
    private final LongOpenHashSet unknown = new LongOpenHashSet();

    private @Nullable MockStore tables;

    /** Archives searches, deletions, and initial contents as writes from now on; null archives objects only. */
    void keepTables(@Nullable MockStore ofStore) {
        tables = ofStore;
    }

    /** Returns the store whose tables name objects; null where only objects are archived. */
    @Nullable
    MockStore tables() {
        return tables;
    }

    /** Returns the line of a finished transaction. */
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
            JsonObjectText.writeTexts(object, "statements", txn.statements);
            if (txn.client != null) {
                object.writeStringField("client", txn.client);
            }
            object.writeEndObject();
        }
        line.write('\n');
        return line.toByteArray();
    }

    /** Returns a line in the form of a finished archive. */
    static String finished(String text) {
        int searches = text.indexOf(SEARCHES);
        return searches < 0
                ? text
                : text.substring(0, text.indexOf(OPS) + OPS.length()) + text.substring(searches + SEARCHES.length());
    }

    /** Returns whether reads and writes of objects do not represent the transaction completely. */
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

    /** Returns the text of the version read or written, null for an initial state that is not in the archive. */
    private @Nullable String textOf(ArchivedTxn.Op op) {
        if (op.version() != null) {
            return op.version().text();
        }
        return tables == null || op.initial() == null ? null : op.initial().text(tables);
    }

    /** Returns the version read if its writer's outcome is unknown to the client, else null. */
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
