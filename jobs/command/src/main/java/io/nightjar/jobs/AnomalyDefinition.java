package io.nightjar.jobs;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Location of the definition of a type of anomalies: a section of {@code docs/anomalies.md}. */
public final class AnomalyDefinition {

    private static final String PAGE = "docs/anomalies.md";

    private AnomalyDefinition() {}

    /** Returns the page and section below the root of the project, as in {@code docs/anomalies.md#g2-item}. */
    public static String of(String type) {
        // the variants of a cycle are defined together
        return PAGE + "#" + type.toLowerCase(Locale.ROOT).replaceFirst("-(process|realtime)$", "");
    }

    /** Returns the absolute address of the section; null if the location of the documents is unknown. */
    public static @Nullable String address(String type) {
        return address(type, System.getProperty("nightjar.home"), System.getenv());
    }

    /**
     * @param home folder of the launcher; null if the process was started without it
     * @param environment variables, of which GitHub sets some for the repository of an action
     */
    static @Nullable String address(String type, @Nullable String home, Map<String, String> environment) {
        String server = environment.get("GITHUB_SERVER_URL");
        String repository = environment.get("GITHUB_ACTION_REPOSITORY");
        if (server != null && repository != null && repository.endsWith("/nightjar")) {
            return server + "/" + repository + "/blob/" + environment.getOrDefault("GITHUB_ACTION_REF", "HEAD") + "/"
                    + of(type);
        }
        Path page = home == null ? null : Path.of(home).resolve(PAGE).toAbsolutePath();
        return page != null && Files.isRegularFile(page) ? page.toUri() + of(type).substring(PAGE.length()) : null;
    }
}
