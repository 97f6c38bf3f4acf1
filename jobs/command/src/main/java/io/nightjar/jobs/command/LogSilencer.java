package io.nightjar.jobs.command;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.logging.LogManager;

/**
 * Turns the logging of libraries off. The command itself reports failures more clearly, and the logs of the cluster
 * contain the rest.
 *
 * <p>The JDK creates an instance at the first log message, if {@link #install} was called before.
 */
public final class LogSilencer {

    private static final String BY_CLASS = "java.util.logging.config.class";
    private static final String BY_FILE = "java.util.logging.config.file";

    /** Reads an empty configuration; the JDK calls it. */
    public LogSilencer() throws IOException {
        LogManager.getLogManager()
                .readConfiguration(new ByteArrayInputStream(".level=OFF".getBytes(StandardCharsets.US_ASCII)));
    }

    /** Unless the user configured logging; loads nothing. */
    public static void install() {
        if (System.getProperty(BY_FILE) == null && System.getProperty(BY_CLASS) == null) {
            System.setProperty(BY_CLASS, LogSilencer.class.getName());
        }
    }
}
