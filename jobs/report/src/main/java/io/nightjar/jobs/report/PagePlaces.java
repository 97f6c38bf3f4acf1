package io.nightjar.jobs.report;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The anchors of a page, and the links to other pages.
 *
 * @param prefix of the names of one run's places, so that several runs fit on one page; may be empty
 * @param runId the run
 * @param isLive whether the page is served, so that there are pages beside it
 */
record PagePlaces(String prefix, String runId, boolean isLive) {

    /** The name of an anomaly's place. */
    String anomaly(String anomalyId) {
        return prefix + anomalyId.replaceAll("[^A-Za-z0-9_-]", "_");
    }

    String section(String name) {
        return prefix + name;
    }

    /** Returns where an anomaly is told that is not on this page, or null. */
    @Nullable
    String pageOf(String anomalyId) {
        return isLive
                ? "/anomaly/" + URLEncoder.encode(anomalyId, StandardCharsets.UTF_8) + "?run="
                        + URLEncoder.encode(runId, StandardCharsets.UTF_8)
                : null;
    }

    static String pageOfRun(String runId) {
        return "/run/" + URLEncoder.encode(runId, StandardCharsets.UTF_8);
    }
}
