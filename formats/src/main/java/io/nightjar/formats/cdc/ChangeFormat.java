package io.nightjar.formats.cdc;

import java.io.IOException;
import java.nio.file.Path;

/** The formats of change logs. */
enum ChangeFormat {
    DEBEZIUM("debezium", false, true, DebeziumParser::new),
    TEST_DECODING("test-decoding", true, false, TestDecodingParser::new),
    WAL2JSON("wal2json", true, true, Wal2JsonParser::new),
    MYSQLBINLOG("mysqlbinlog", true, false, BinlogParser::new),
    COCKROACH("cockroach", false, true, CockroachParser::new),
    TIDB("tidb", false, true, TidbParser::new);

    private final String spelling;
    private final boolean isFramed;
    private final boolean isJson;
    private final ChangeParser.Opener opener;

    ChangeFormat(String spelling, boolean isFramed, boolean isJson, ChangeParser.Opener opener) {
        this.spelling = spelling;
        this.isFramed = isFramed;
        this.isJson = isJson;
        this.opener = opener;
    }

    String spelling() {
        return spelling;
    }

    /** Returns whether the log contains each transaction as a whole between its start and its end, in commit order. */
    boolean isFramed() {
        return isFramed;
    }

    boolean isJson() {
        return isJson;
    }

    ChangeParser open(Path file) throws IOException {
        return opener.open(file);
    }
}
