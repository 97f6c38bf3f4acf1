package io.nightjar.formats.source;

class ParquetDressTest extends DressContract {

    @Override
    protected String fileName() {
        return "history.parquet";
    }

    @Override
    protected String format() {
        return "parquet";
    }
}
