package io.nightjar.jobs.packaging;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An operating system and a processor for which DuckDB has a native library. */
public enum Platform {
    LINUX_AMD64("linux-amd64", "amd64", "linux_x86_64"),
    LINUX_ARM64("linux-arm64", "arm64", "linux_aarch64"),
    MACOS_ARM64("macos-arm64", null, "macosx_11_0_arm64"),
    WINDOWS_AMD64("windows-amd64", null, "win_amd64");

    private final String label;
    private final @Nullable String debian;
    private final String python;

    Platform(String label, @Nullable String debian, String python) {
        this.label = label;
        this.debian = debian;
        this.python = python;
    }

    public String label() {
        return label;
    }

    /** Returns Debian's name of the architecture; empty where Debian does not run. */
    public Optional<String> debian() {
        return Optional.ofNullable(debian);
    }

    /** Returns the name by which pip decides whether a wheel is for its machine. */
    String python() {
        return python;
    }

    /** Returns the suffix of DuckDB's library, as in {@code libduckdb_java.so_linux_amd64}. */
    String duckDbSuffix() {
        return label.replace('-', '_');
    }

    public static List<String> labels() {
        return Arrays.stream(values()).map(Platform::label).toList();
    }

    public static Optional<Platform> byLabel(String label) {
        return Arrays.stream(values())
                .filter(platform -> platform.label.equals(label))
                .findFirst();
    }

    /** Returns the platform with these names of the system and the processor, as Java's properties have them. */
    public static Optional<Platform> of(String os, String processor) {
        String system = os.toLowerCase(Locale.ROOT);
        String name = system.startsWith("mac") ? "macos" : system.startsWith("windows") ? "windows" : system;
        return byLabel(name + "-" + (processor.equals("aarch64") ? "arm64" : "amd64"));
    }
}
