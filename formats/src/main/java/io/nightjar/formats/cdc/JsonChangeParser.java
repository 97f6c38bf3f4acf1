package io.nightjar.formats.cdc;

import io.nightjar.formats.text.JsonItems;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Base of parsers whose events are the lines or elements of a JSON file. */
abstract class JsonChangeParser implements ChangeParser {

    final JsonItems items;

    JsonChangeParser(Path file, boolean mayBePairs) throws IOException {
        items = JsonItems.ofConsole(file, mayBePairs);
    }

    @Override
    public long row() {
        return items.row();
    }

    @Override
    public @Nullable String raw() {
        return items.raw();
    }

    @Override
    public boolean isLost() {
        return items.isLost();
    }

    @Override
    public void close() throws IOException {
        items.close();
    }
}
