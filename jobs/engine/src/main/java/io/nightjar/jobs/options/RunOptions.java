package io.nightjar.jobs.options;

import io.nightjar.jobs.command.MemoryConverter;
import io.nightjar.jobs.command.OutputPaths;
import io.nightjar.jobs.lake.Lake;
import io.nightjar.jobs.lake.LakeNames;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of a run: directory of its tables, name, memory, and value of the initial state. */
public final class RunOptions {

    private static final String NO_LAKE = "none";

    @Option(
            names = "--lake",
            paramLabel = "DIR",
            defaultValue = "nightjar-lake",
            description = "Where the anomaly tables go, or none. Default: ${DEFAULT-VALUE}.")
    private String lake;

    @Option(
            names = "--run-id",
            paramLabel = "ID",
            description = "The name of this run; a run that is there already is not repeated.")
    private @Nullable String runId;

    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            converter = MemoryConverter.class,
            description =
                    "Memory limit of the process, such as 4g; the rest is spilled to disk. Default: half the machine.")
    private @Nullable Long memory;

    @Option(
            names = "--initial-value",
            paramLabel = "V",
            description = "Reading V means the initial state, as null does.")
    private @Nullable String initialValue;

    /** Returns the folder of the lake, which may not exist yet; null if no tables are wanted. */
    @Nullable
    public Path lake() {
        Path root = lake.equals(NO_LAKE) ? null : OutputPaths.folder("--lake", lake);
        if (root != null) {
            Lake.open(root);
        }
        return root;
    }

    /** Returns the run id that the user gave; null if one is to be generated. */
    @Nullable
    public String runId() {
        if (runId != null) {
            LakeNames.checkRunId(runId);
        }
        return runId;
    }

    /** Returns the bytes that remain for the check's own data. */
    public long memoryBytes() {
        long heap = Runtime.getRuntime().maxMemory();
        return memory == null ? heap : Math.min(memory, heap);
    }

    /** Returns the value that means the initial state; null if none was given. */
    @Nullable
    public String initialValue() {
        return initialValue;
    }
}
