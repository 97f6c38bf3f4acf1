package io.nightjar.jobs.mock.command;

import io.nightjar.jobs.command.CommandProvider;
import java.util.List;

/** The commands {@code mock} and {@code explore}. */
public final class MockCommands implements CommandProvider {

    @Override
    public List<String> names() {
        return List.of("mock", "explore");
    }

    @Override
    public Object create(String name) {
        return switch (name) {
            case "mock" -> new MockCommand();
            case "explore" -> new ExploreCommand();
            default -> throw new IllegalArgumentException("unknown command: name=" + name);
        };
    }
}
