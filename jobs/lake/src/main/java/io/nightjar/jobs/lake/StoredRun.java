package io.nightjar.jobs.lake;

import io.nightjar.jobs.RunResult;

/** A complete run of a lake, as stored in its {@code run.json}. */
public record StoredRun(String runId, String historyId, long schemaVersion, RunFacts facts, RunResult result) {

    /** Returns whether a run with these options over this input would be the same run again. */
    public boolean matches(String optionsJson, String inputFingerprint) {
        return facts.inputFingerprint().equals(inputFingerprint)
                && facts.optionsJson().equals(RunJson.compact(optionsJson));
    }
}
