package io.nightjar.pipeline.explain;

import org.jspecify.annotations.Nullable;

/** What an anomaly is called. */
public final class AnomalyTitle {

    private AnomalyTitle() {}

    /** The type, and behind it in brackets the classic name if it says more: {@code G-single-item (read-skew)}. */
    public static String of(String type, @Nullable String pattern) {
        return pattern == null || pattern.equals(type) ? type : type + " (" + pattern + ")";
    }
}
