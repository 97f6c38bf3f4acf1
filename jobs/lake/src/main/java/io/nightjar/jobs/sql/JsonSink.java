package io.nightjar.jobs.sql;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
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
        StringWriter line = new StringWriter();
        try (JsonGenerator json = CellText.generator(line)) {
            json.writeStartObject();
            for (int column = 0; column < cells.size(); column++) {
                json.writeFieldName(keys.get(column));
                CellText.write(json, cells.get(column));
            }
            json.writeEndObject();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        out.println(line);
    }

    @Override
    public void end() {}
}
