package io.nightjar.jobs.bench.command;

import io.nightjar.jobs.command.CommandProvider;
import java.util.List;

/** The command {@code bench}. */
public final class BenchCommands implements CommandProvider {

    @Override
    public List<String> names() {
        return List.of("bench");
    }

    @Override
    public Object create(String name) {
        return new BenchCommand();
    }
}
