package io.nightjar.jobs.cli;

import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.sql.AnomalyLookup;
import java.nio.file.Path;
import java.util.List;

/** The anomaly that a user means by the beginning of its id. */
final class NamedAnomaly {

    private static final int NEAREST = 5;

    private NamedAnomaly() {}

    /** @throws UsageException if none matches, or more than one */
    static String resolve(AnomalyLookup lookup, String anomaly, Path lake) {
        List<String> ids = lookup.idsThatBeginWith(anomaly, NEAREST + 1);
        if (ids.contains(anomaly) || ids.size() == 1) {
            return ids.contains(anomaly) ? anomaly : ids.get(0);
        }
        if (ids.isEmpty()) {
            List<String> nearest = lookup.idsLike(anomaly, NEAREST);
            throw new UsageException("no such anomaly: anomaly=" + anomaly + " lake=" + lake
                    + (nearest.isEmpty() ? "; it holds none" : "; the nearest are " + String.join(" ", nearest)));
        }
        boolean areMore = ids.size() > NEAREST;
        List<String> shown = areMore ? ids.subList(0, NEAREST) : ids;
        throw new UsageException("more than one anomaly: anomaly=" + anomaly + " lake=" + lake + "; name one of "
                + String.join(" ", shown) + (areMore ? " …" : ""));
    }
}
