package io.nightjar.jobs.local;

public final class WitnessReplay {
    public WitnessReplay(io.nightjar.formats.history.HistorySource s, CheckOptions o, Stages st) {}

    public boolean fits(Witness w) {
        return true;
    }
}
