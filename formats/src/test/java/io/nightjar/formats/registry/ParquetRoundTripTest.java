package io.nightjar.formats.registry;

class ParquetRoundTripTest extends RoundTripContract {

    @Override
    protected String fileName() {
        return "history.parquet";
    }

    @Override
    protected String format() {
        return "parquet";
    }
}
