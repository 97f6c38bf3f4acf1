package io.nightjar.jobs.watch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Memory of this process, as far as the operating system reports it. */
final class ProcessMemory {

    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String RESIDENT = "VmRSS:";

    private ProcessMemory() {}

    /** Returns the resident bytes of this process; null if unknown. */
    static @Nullable Long rssBytes() {
        return rssBytes(STATUS);
    }

    static @Nullable Long rssBytes(Path status) {
        try {
            for (String line : Files.readAllLines(status)) {
                if (line.startsWith(RESIDENT)) {
                    return Long.parseLong(line.replaceAll("[^0-9]", "")) << 10;
                }
            }
        } catch (IOException | NumberFormatException unknown) {
            return null; // another system
        }
        return null;
    }
}
