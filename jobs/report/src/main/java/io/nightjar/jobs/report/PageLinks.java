package io.nightjar.jobs.report;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Anchors of a page, and links to other pages.
 *
 * @param prefix prefix of a run's anchors, so that several runs fit on one page; may be empty
 * @param runId the run
 * @param isLive whether the page is served and so can link to other pages
 */
record PageLinks(String prefix, String runId, boolean isLive) {

    /** Returns the anchor of an anomaly. */
    String anomaly(String anomalyId) {
        return prefix + anomalyId.replaceAll("[^A-Za-z0-9_-]", "_");
    }

    String section(String name) {
        return prefix + name;
    }

    /** Returns the address of an anomaly that is not on this page, or null. */
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
