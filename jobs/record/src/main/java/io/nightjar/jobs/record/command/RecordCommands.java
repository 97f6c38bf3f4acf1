package io.nightjar.jobs.record.command;

import io.nightjar.jobs.command.CommandProvider;
import java.util.List;

/** The command {@code record}. */
public final class RecordCommands implements CommandProvider {

    @Override
    public List<String> names() {
        return List.of("record");
    }

    @Override
    public Object create(String name) {
        return new RecordCommand();
    }
}
