package io.nightjar.jobs.command;

import java.util.List;

/**
 * The commands of a module, found by {@link java.util.ServiceLoader}: a distribution without the module has no such
 * commands.
 */
public interface CommandProvider {

    List<String> names();

    /** Creates a command and loads the classes of no other. */
    Object create(String name);
}
