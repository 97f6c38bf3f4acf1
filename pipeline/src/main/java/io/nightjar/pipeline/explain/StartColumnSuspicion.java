package io.nightjar.pipeline.explain;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Notices when so many reads would be right under one shift of their snapshots that the start column is to be doubted. */
public final class StartColumnSuspicion {

    private static final int MIN_TRANSACTIONS = 5;
    private static final double MAX_SHARE = 0.8;

    private StartColumnSuspicion() {}

    /** Returns the sentence for the lint finding, or null without suspicion. */
    public static @Nullable String of(List<Finding> findings) {
        long[] shifts = new long[findings.size()];
        int mismatches = 0;
        int later = 0;
        int earlier = 0;
        for (Finding finding : findings) {
            if (finding.anomaly() == Anomaly.EXT && finding.level() == IsolationLevel.SNAPSHOT_ISOLATION) {
                mismatches++;
                if (finding.slack() != null && finding.slack() != 0) {
                    shifts[later + earlier] = Math.abs(finding.slack());
                    later += finding.slack() > 0 ? 1 : 0;
                    earlier += finding.slack() < 0 ? 1 : 0;
                }
            }
        }
        int sameWay = Math.max(later, earlier);
        if (mismatches < MIN_TRANSACTIONS || sameWay < MAX_SHARE * mismatches) {
            return null;
        }
        Arrays.sort(shifts, 0, later + earlier);
        boolean isLate = earlier >= later;
        return String.format(
                Locale.ROOT,
                "%s wrong reads (EXT) would be right with snapshots %,d ticks %s (median; at most %,d): start_ts is"
                        + " probably not the read snapshot%s",
                sameWay == mismatches
                        ? String.format(Locale.ROOT, "all %,d", mismatches)
                        : String.format(Locale.ROOT, "%,d of %,d", sameWay, mismatches),
                shifts[(later + earlier) / 2],
                isLate ? "earlier" : "later",
                shifts[later + earlier - 1],
                isLate ? "" : " but an earlier moment, such as the begin of the transaction");
    }
}
