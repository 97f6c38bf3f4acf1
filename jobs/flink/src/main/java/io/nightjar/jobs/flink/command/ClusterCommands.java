package io.nightjar.jobs.flink.command;

import io.nightjar.jobs.command.CommandProvider;
import java.util.List;

/** The command {@code cluster}. */
public final class ClusterCommands implements CommandProvider {

    @Override
    public List<String> names() {
        return List.of("cluster");
    }

    @Override
    public Object create(String name) {
        return new ClusterCommand();
    }
}
