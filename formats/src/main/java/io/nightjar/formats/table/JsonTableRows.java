package io.nightjar.formats.table;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.nightjar.formats.file.CorruptDataException;
import io.nightjar.formats.file.InputFile;
import io.nightjar.formats.text.BadRowException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Rows of JSON in the layouts of data frames and databases. */
final class JsonTableRows implements TableRows {

    /*
     * Layout.
     *
     *   {"txn":1,"op":"w"} {"txn":1,...}                 an object per row, in lines or not   RECORDS
     *   [{"txn":1,"op":"w"},...]                         the same in an array                 RECORDS
     *   {"schema":{...},"data":[{"txn":1},...]}          pandas, orient=table                 RECORDS
     *   {"0":{"txn":1,"op":"w"},"1":{...}}               orient=index                         INDEX
     *   {"columns":["txn","op"],"data":[[1,"w"],...]}    orient=split                         SPLIT
     *   {"txn":{"0":1,"1":1},"op":{...}}                 orient=columns, the default          COLUMNS, in memory
     *   {"txn":[1,1],"op":["w",...]}                     a list for each column               COLUMNS, in memory
     */
    private enum Shape {
        RECORDS,
        INDEX,
        SPLIT,
        COLUMNS
    }

    private final InputStream in;
    private final JsonParser parser;
    private final Shape shape;
    private final boolean rowsAreLines;
    private final List<String> names = new ArrayList<>();
    private final Map<String, Integer> columnOf = new HashMap<>();
    private final List<Cell> cells = new ArrayList<>();
    private final List<long[]> setAt = new ArrayList<>(); // the row in which a cell was set last
    private ColumnStore store = new ColumnStore();
    private boolean isOpen; // whether the first row's object was entered, and its first name and value read
    private boolean isWrapped; // the rows are a member of an object with other members
    private boolean isLost;
    private long ordinal;
    private long row;

    /** @param isColumn whether a name is a column's, which distinguishes rows by name from columns by name */
    JsonTableRows(Path file, Predicate<String> isColumn) throws IOException {
        InputFile.check(file);
        in = InputFile.openText(file);
        try {
            parser = JsonCells.parser(in);
            JsonToken first = parser.nextToken();
            rowsAreLines = first == JsonToken.START_OBJECT;
            shape = begin(first, isColumn);
        } catch (JsonProcessingException fault) {
            in.close();
            throw JsonCells.notJson(fault);
        } catch (CorruptDataException damaged) {
            in.close();
            throw new BadRowException(damaged.fault());
        } catch (IOException | RuntimeException failed) {
            in.close();
            throw failed;
        }
    }

    private Shape begin(JsonToken first, Predicate<String> isColumn) throws IOException {
        if (first == JsonToken.START_ARRAY) {
            return Shape.RECORDS;
        }
        if (first != JsonToken.START_OBJECT) {
            throw BadRowException.of("a table in JSON begins with an object or an array")
                    .with("found=" + first);
        }
        String name = parser.nextFieldName();
        if (name == null) {
            throw BadRowException.of("row without members");
        }
        JsonToken value = parser.nextToken();
        if (value != JsonToken.START_OBJECT && value != JsonToken.START_ARRAY) {
            isOpen = true;
            return Shape.RECORDS;
        }
        if (name.equals("schema")) {
            parser.skipChildren();
            toData();
            isWrapped = true;
            return Shape.RECORDS;
        }
        if (name.equals("columns") && value == JsonToken.START_ARRAY) {
            while (parser.nextToken() == JsonToken.VALUE_STRING) {
                add(parser.getText());
            }
            toData();
            isWrapped = true;
            return Shape.SPLIT;
        }
        if (value == JsonToken.START_OBJECT && !isColumn.test(name)) {
            isOpen = true;
            return Shape.INDEX;
        }
        store = new ColumnStore();
        do {
            store.begin(add(name));
            boolean isObject = parser.currentToken() == JsonToken.START_OBJECT;
            if (!isObject && parser.currentToken() != JsonToken.START_ARRAY) {
                throw BadRowException.of("column is neither an object nor an array")
                        .with("column=" + name);
            }
            Cell cell = new Cell();
            for (JsonToken token = parser.nextToken(); !token.isStructEnd(); token = parser.nextToken()) {
                if (isObject) {
                    parser.nextToken();
                }
                JsonCells.take(parser, cell);
                store.add(cell);
            }
            name = parser.nextFieldName();
            if (name != null) {
                parser.nextToken();
            }
        } while (name != null);
        checkNothingFollows();
        store.check(names);
        return Shape.COLUMNS;
    }

    private void toData() throws IOException {
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            JsonToken value = parser.nextToken();
            if (name.equals("data") && value == JsonToken.START_ARRAY) {
                return;
            }
            parser.skipChildren();
        }
        throw BadRowException.of("member missing").with("name=data");
    }

    private int add(String name) {
        int column = names.size();
        if (columnOf.putIfAbsent(name, column) != null) {
            throw BadRowException.of("column occurs twice").with("column=" + name);
        }
        names.add(name);
        cells.add(new Cell());
        setAt.add(new long[1]);
        return column;
    }

    boolean rowsAreLines() {
        return rowsAreLines && shape == Shape.RECORDS;
    }

    @Override
    public List<String> columns() {
        return names;
    }

    @Override
    public boolean advance() throws IOException {
        try {
            return switch (shape) {
                case RECORDS, INDEX -> advanceRecord();
                case SPLIT -> advanceSplit();
                case COLUMNS -> advanceStored();
            };
        } catch (JsonProcessingException fault) {
            isLost = true;
            row = Math.max(1, rowsAreLines() ? parser.currentLocation().getLineNr() : ordinal);
            throw JsonCells.notJson(fault);
        } catch (CorruptDataException damaged) {
            isLost = true;
            row = Math.max(1, ordinal);
            throw new BadRowException(damaged.fault());
        }
    }

    private boolean advanceRecord() throws IOException {
        boolean isWithin = isOpen;
        isOpen = false;
        JsonToken token = isWithin ? parser.currentToken() : parser.nextToken();
        if (shape == Shape.INDEX && token == JsonToken.FIELD_NAME) {
            token = parser.nextToken();
        }
        if (token == null || token.isStructEnd()) {
            if (token != null) {
                endTable();
            }
            return false;
        }
        ordinal++;
        row = rowsAreLines() ? parser.currentTokenLocation().getLineNr() : ordinal;
        boolean isInRow = isWithin && shape == Shape.RECORDS;
        if (!isInRow && token != JsonToken.START_OBJECT) {
            parser.skipChildren();
            throw BadRowException.of("row is not an object with the names of columns")
                    .with("found=" + token);
        }
        String repeated = null;
        String name = isInRow ? parser.currentName() : parser.nextFieldName();
        while (name != null) {
            JsonToken value = isInRow ? token : parser.nextToken();
            isInRow = false;
            Integer known = columnOf.get(name);
            int column = known == null ? add(name) : known;
            repeated = setAt.get(column)[0] == ordinal ? name : repeated;
            setAt.get(column)[0] = ordinal;
            if (value == null) {
                break;
            }
            JsonCells.take(parser, cells.get(column));
            name = parser.nextFieldName();
        }
        for (int column = 0; column < cells.size(); column++) {
            if (setAt.get(column)[0] != ordinal) {
                cells.get(column).setNull();
            }
        }
        if (repeated != null) {
            throw BadRowException.of("name twice in one object").with("name=" + repeated);
        }
        return true;
    }

    /** Reads the rest of the file after the rows, so that no content is silently ignored. */
    private void endTable() throws IOException {
        isLost = true;
        if (isWrapped) {
            for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
                if (name.equals("data")) {
                    throw BadRowException.of("name twice in one object").with("name=data");
                }
                parser.nextToken();
                parser.skipChildren();
            }
        }
        checkNothingFollows();
    }

    private void checkNothingFollows() throws IOException {
        if (parser.nextToken() != null) {
            JsonLocation at = parser.currentTokenLocation();
            throw BadRowException.of("unexpected text after the table")
                    .with("at-line=%d column=%d", at.getLineNr(), at.getColumnNr());
        }
    }

    private boolean advanceSplit() throws IOException {
        JsonToken token = parser.nextToken();
        if (token == null || token.isStructEnd()) {
            endTable();
            return false;
        }
        row = ++ordinal;
        if (token != JsonToken.START_ARRAY) {
            parser.skipChildren();
            throw BadRowException.of("row is not an array").with("found=" + token);
        }
        int column = 0;
        for (token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            if (column < cells.size()) {
                JsonCells.take(parser, cells.get(column));
            } else {
                parser.skipChildren();
            }
            column++;
        }
        if (column != cells.size()) {
            throw BadRowException.of("row has another number of cells than columns")
                    .with("cells=" + column + " expected=" + cells.size());
        }
        return true;
    }

    private boolean advanceStored() {
        if (ordinal == store.rowCount()) {
            return false;
        }
        for (int column = 0; column < cells.size(); column++) {
            store.get(column, ordinal, cells.get(column));
        }
        row = ++ordinal;
        return true;
    }

    @Override
    public long row() {
        return row;
    }

    @Override
    public Cell cell(int column) {
        return cells.get(column);
    }

    @Override
    public boolean isLost() {
        return isLost;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
