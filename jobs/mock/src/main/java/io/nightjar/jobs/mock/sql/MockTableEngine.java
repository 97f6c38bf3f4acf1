package io.nightjar.jobs.mock.sql;

import org.h2.api.TableEngine;
import org.h2.command.ddl.CreateTableData;
import org.h2.table.Table;

/** Table engine that backs every CREATE TABLE with a mock table; H2 loads it by its class name. */
public final class MockTableEngine implements TableEngine {

    @Override
    public Table createTable(CreateTableData data) {
        boolean isInternalToH2 = data.id == 0 || data.temporary || data.session == null;
        SqlEngine engine = SqlEngine.of(data.schema.getDatabase());
        if (isInternalToH2 || engine == null) {
            data.tableEngine = null;
            return data.schema.getDatabase().getStore().createTable(data);
        }
        return new MockTable(data, engine);
    }
}
