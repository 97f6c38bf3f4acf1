package io.nightjar.jobs.sql;

import io.nightjar.jobs.JsonObjectText;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Sink that writes each row as a JSON object on one line. */
final class JsonSink implements ResultSink {

    private final PrintStream out;
    private List<String> keys = List.of();

    JsonSink(PrintStream out) {
        this.out = out;
    }

    /** Begins a result. Columns with the same name get a number as suffix, since an object contains a key once. */
    @Override
    public void begin(List<String> columns) {
        Set<String> taken = new HashSet<>();
        keys = new ArrayList<>();
        for (String column : columns) {
            String key = column;
            for (int number = 1; !taken.add(key); number++) {
                key = column + "_" + number;
            }
            keys.add(key);
        }
    }

    @Override
    public void row(List<Object> cells) {
        out.println(JsonObjectText.of(json -> {
            for (int column = 0; column < cells.size(); column++) {
                json.writeFieldName(keys.get(column));
                JsonObjectText.writeValue(json, cells.get(column));
            }
        }));
    }

    @Override
    public void end() {}
}
