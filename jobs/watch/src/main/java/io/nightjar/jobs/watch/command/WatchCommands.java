package io.nightjar.jobs.watch.command;

import io.nightjar.jobs.command.CommandProvider;
import java.util.List;

/** The command {@code watch}. */
public final class WatchCommands implements CommandProvider {

    @Override
    public List<String> names() {
        return List.of("watch");
    }

    @Override
    public Object create(String name) {
        return new WatchCommand();
    }
}
