package io.nightjar.formats.table;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.nightjar.formats.history.HistoryColumn;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.text.BadRowException;
import io.nightjar.formats.text.Utf8;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.ToLongFunction;

/** Adds the operation and transaction data of a row to the accumulated transaction. */
final class TableOps {

    private static final ColumnRole[] TIMES = {
        ColumnRole.START, ColumnRole.COMMIT, ColumnRole.INVOKE, ColumnRole.COMPLETE
    };
    private static final HistoryColumn[] TIME_COLUMNS = {
        HistoryColumn.START_TS, HistoryColumn.COMMIT_TS, HistoryColumn.INVOKE_NS, HistoryColumn.COMPLETE_NS
    };
    private static final int OF_TXNS = TableColumns.bits(
            ColumnRole.STATUS,
            ColumnRole.START,
            ColumnRole.COMMIT,
            ColumnRole.INVOKE,
            ColumnRole.COMPLETE,
            ColumnRole.SESSION_SEQ,
            ColumnRole.SEQ);
    private static final int OF_FEW_OPS =
            TableColumns.bits(ColumnRole.VERSION, ColumnRole.WRITER, ColumnRole.OP_INDEX, ColumnRole.SEQ);
    private static final int UNSPECIFIED = -1;

    private final TableFacts facts;
    private final TxnAccumulator gathered;
    private final ToLongFunction<Cell> txnId;
    private final OpWord words = OpWord.ofOps();
    private final OpWord statusWords = OpWord.ofOutcomes();
    private final Utf8 name = new Utf8();
    private int outcome; // a TxnStatus, or UNSPECIFIED

    TableOps(TableFacts facts, TxnAccumulator gathered, ToLongFunction<Cell> txnId) {
        this.facts = facts;
        this.gathered = gathered;
        this.txnId = txnId;
    }

    /** Starts a transaction. */
    void begin() {
        outcome = UNSPECIFIED;
    }

    /** Ends the transaction after its last row. */
    void end() {
        gathered.status(
                outcome != UNSPECIFIED
                        ? (byte) outcome
                        : facts.hasOutcomes() ? TxnStatus.UNKNOWN : TxnStatus.COMMITTED);
    }

    /** Adds the current row; on failure nothing is added. */
    void add(TableColumns columns) {
        Cell op = columns.cell(ColumnRole.OP);
        int code = op.isNull() ? OpWord.BEGIN : words.code(op);
        if (code == OpWord.UNKNOWN_WORD) {
            throw BadRowException.of("unknown operation")
                    .with("op=" + op.shown() + " expected=" + OpKind.expected() + "|commit|abort");
        }
        Cell key = columns.cell(ColumnRole.KEY);
        Cell value = columns.cell(ColumnRole.VALUE);
        boolean isOp = code < OpWord.BEGIN;
        if (isOp) {
            check(code, key, value);
        }
        if (columns.hasAny(OF_TXNS)) {
            takeTxn(columns);
        }
        if (code >= OpWord.OUTCOME) {
            status(code - OpWord.OUTCOME);
        } else if (isOp) {
            addOp((byte) code, columns, key, value);
        }
    }

    private void check(int code, Cell key, Cell value) {
        if (key.isNull()) {
            throw BadRowException.of("key is null").with("every operation needs one");
        }
        refuseFraction(key, "key", facts.areKeysTexts());
        if (code != OpKind.READ && code != OpKind.DELETE && value.isNull()) {
            throw BadRowException.of("value is null").with("a write needs a value");
        }
        refuseFraction(value, "value", facts.areValuesTexts());
    }

    private static void refuseFraction(Cell cell, String column, boolean areTexts) {
        if (cell.isOtherNumber() && !(areTexts && cell.kind() == Cell.Kind.PLAIN)) {
            throw BadRowException.of("not an integer")
                    .with(column + "=" + cell.shown())
                    .advise("give int64, or text in the whole column");
        }
    }

    // ---------------------------------------------------------------- transactions

    private void takeTxn(TableColumns columns) {
        if (columns.has(ColumnRole.STATUS)) {
            Cell cell = columns.cell(ColumnRole.STATUS);
            if (!cell.isNull()) {
                int status = statusWords.code(cell);
                if (status == OpWord.UNKNOWN_WORD) {
                    throw BadRowException.of("unknown status")
                            .with("status=" + cell.shown() + " expected=committed|aborted|unknown");
                }
                status(status);
            }
        }
        for (int i = 0; i < TIMES.length; i++) {
            if (columns.has(TIMES[i]) && !columns.cell(TIMES[i]).isNull()) {
                String spelling = TIMES[i].spelling();
                set(TIME_COLUMNS[i], TableTime.of(columns.cell(TIMES[i]), spelling), spelling);
            }
        }
        Cell seq = columns.cell(ColumnRole.SESSION_SEQ);
        if (seq.isNull() && !facts.isSeqOfOps()) {
            seq = columns.cell(ColumnRole.SEQ);
        }
        if (!seq.isNull()) {
            set(HistoryColumn.SESSION_SEQ, seq.integer("seq"), "seq");
        }
    }

    private void set(HistoryColumn of, long number, String column) {
        long before = gathered.number(of);
        if (before != number && before != HistorySlice.NONE) {
            throw BadRowException.of("rows of one transaction differ")
                    .with("%s=%d but %s=%d in an earlier row, txn=%d", column, number, column, before, gathered.id());
        }
        gathered.number(of, number);
    }

    private void status(int status) {
        if (outcome != UNSPECIFIED && outcome != status) {
            throw BadRowException.of("rows of one transaction differ")
                    .with(
                            "status=%s but status=%s in an earlier row, txn=%d",
                            TxnStatus.name((byte) status), TxnStatus.name((byte) outcome), gathered.id());
        }
        outcome = status;
    }

    // ---------------------------------------------------------------- operations

    private void addOp(byte code, TableColumns columns, Cell key, Cell value) {
        Cell elements = columns.cell(ColumnRole.ELEMENTS);
        boolean isRead = code == OpKind.READ;
        boolean mayBeList = facts.hasAppends() && !columns.has(ColumnRole.ELEMENTS);
        Cell list = elements.isArray() ? elements : mayBeList && value.isArray() ? value : null;
        boolean isList = isRead && list != null;
        gathered.op(isList ? OpKind.READ_LIST : isRead && value.isNull() ? OpKind.READ_NOTHING : code);
        addKey(columns.cell(ColumnRole.TABLE), key);
        if (isList) {
            addElements(requireNonNull(list));
        } else if (!value.isNull() && code != OpKind.DELETE) {
            addValue(value);
        }
        if (columns.hasAny(OF_FEW_OPS)) {
            addMore(columns);
        }
    }

    private void addMore(TableColumns columns) {
        if (!columns.cell(ColumnRole.VERSION).isNull()) {
            gathered.version(columns.cell(ColumnRole.VERSION).integer("version"));
        }
        if (!columns.cell(ColumnRole.WRITER).isNull()) {
            gathered.writer(txnId.applyAsLong(columns.cell(ColumnRole.WRITER)));
        }
        Cell order = columns.cell(ColumnRole.OP_INDEX);
        if (order.isNull() && facts.isSeqOfOps()) {
            order = columns.cell(ColumnRole.SEQ);
        }
        if (!order.isNull()) {
            gathered.order(order.integer("op_index"));
        }
    }

    private void addKey(Cell table, Cell key) {
        if (!table.isNull()) {
            name.clear();
            byte[] of = table.bytes();
            name.put(of, table.from(), table.length());
            name.put('/');
            byte[] in = key.bytes();
            name.put(in, key.from(), key.length());
            gathered.key(name.bytes, 0, name.length);
        } else if (isNumber(key, facts.areKeysTexts())) {
            gathered.key(key.longValue());
        } else {
            byte[] bytes = key.bytes();
            gathered.key(bytes, key.from(), key.length());
        }
    }

    private void addValue(Cell value) {
        if (isNumber(value, facts.areValuesTexts())) {
            gathered.value(value.longValue());
        } else {
            byte[] bytes = value.bytes();
            gathered.value(bytes, value.from(), value.length());
        }
    }

    /** Returns whether a cell is a number: untyped text is a number only if all text of its column is. */
    private static boolean isNumber(Cell cell, boolean areTexts) {
        return cell.isInteger() && !(areTexts && cell.kind() == Cell.Kind.PLAIN);
    }

    private void addElements(Cell list) {
        boolean areTexts = facts.areValuesTexts() && list.kind() == Cell.Kind.PLAIN;
        gathered.beginList();
        byte[] bytes = list.bytes();
        try (JsonParser parser = JsonCells.parser(bytes, list.from(), list.length())) {
            parser.nextToken();
            Cell element = new Cell();
            for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
                JsonCells.take(parser, element);
                if (element.isNull() || element.isOtherNumber()) {
                    throw BadRowException.of("element is neither int64 nor text")
                            .with("element=" + element.shown());
                }
                if (element.isInteger() && areTexts) {
                    byte[] digits = Long.toString(element.longValue()).getBytes(StandardCharsets.US_ASCII);
                    gathered.element(digits, 0, digits.length);
                } else if (element.isInteger()) {
                    gathered.element(element.longValue());
                } else {
                    byte[] text = element.bytes();
                    gathered.element(text, element.from(), element.length());
                }
            }
            if (parser.nextToken() != null) {
                throw BadRowException.of("unexpected text after the list");
            }
        } catch (JsonProcessingException fault) {
            throw JsonCells.notJson(fault);
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
