package io.nightjar.jobs.command;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** Option for host names that requests to a server may use. */
public final class AllowedHosts {

    @Option(
            names = "--allow-host",
            paramLabel = "NAME",
            description = "Further host name that HTTP requests may use, besides the address listened on, localhost and"
                    + " IP addresses. May be repeated.")
    private List<String> names = new ArrayList<>();

    public List<String> names() {
        return List.copyOf(names);
    }
}
