package io.nightjar.jobs.mock.sql;

import io.nightjar.jobs.mock.MockSession;
import org.h2.result.DefaultRow;
import org.h2.result.SearchRow;
import org.h2.value.Value;

/** A row whose columns are read one by one, when H2 requests them. */
final class CellRow extends DefaultRow {

    private final SqlContext context;
    private final MockTable table;
    private final TableRow row;
    private final MockSession.Manner manner;

    CellRow(SqlContext context, MockTable table, TableRow row, MockSession.Manner manner) {
        super(new Value[table.getColumns().length]);
        this.context = context;
        this.table = table;
        this.row = row;
        this.manner = manner;
        setKey(row.number());
    }

    @Override
    public Value getValue(int column) {
        if (column != SearchRow.ROWID_INDEX && data[column] == null) {
            data[column] = table.cellValue(context, row, column, manner);
        }
        return super.getValue(column);
    }

    @Override
    public Value[] getValueList() {
        for (int column = 0; column < data.length; column++) {
            getValue(column);
        }
        return data;
    }
}
