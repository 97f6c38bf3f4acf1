package io.nightjar.jobs.watch;

import io.nightjar.formats.finding.AnomalyTitle;
import io.nightjar.jobs.JsonObjectText;
import io.nightjar.jobs.RunResultJson;
import io.nightjar.jobs.lake.LakeRow;
import io.nightjar.jobs.sql.StoredRows;
import io.nightjar.pipeline.online.OnlineFinding;
import io.nightjar.pipeline.online.OnlineFinding.Change;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code verdict_changes}: a change of a finding.
 *
 * @param runId null without tables
 * @param seq counted from 1 in a run
 * @param isWrong whether the finding remains after the change
 */
public record VerdictChange(
        @Nullable String runId,
        String historyId,
        long seq,
        Change change,
        OnlineFinding finding,
        boolean isWrong,
        long changedMicros) {

    /** Returns the name for people; the cause of a wrong value is determined after the watch. */
    public String title() {
        return AnomalyTitle.of(finding.anomaly().spelling(), null, null);
    }

    /** Returns the row as a JSON object on one line. */
    public String json() {
        return JsonObjectText.ofValue(members());
    }

    /** Returns the columns of the row, as members of an object. */
    Map<String, Object> members() {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("schema", RunResultJson.SCHEMA);
        members.putAll(StoredRows.cells(row(new LakeRow.Ids("", historyId))));
        members.put("run_id", runId);
        return members;
    }

    LakeRow.VerdictChange row(LakeRow.Ids ids) {
        return new LakeRow.VerdictChange(
                ids,
                seq,
                finding.anomalyId(),
                change.word(),
                finding.anomaly().spelling(),
                finding.level().longName(),
                finding.subject().txnId(),
                finding.key(),
                finding.reading().expected(),
                finding.reading().observed(),
                WatchClock.instant(finding.arrived()),
                WatchClock.instant(changedMicros),
                finding.flips(),
                isWrong);
    }
}
