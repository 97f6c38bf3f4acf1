package io.nightjar.pipeline.online;

import io.nightjar.pipeline.online.OnlineFinding.Change;

/** Told what becomes of findings, in the order in which it happens. */
public interface OnlineListener {

    /**
     * @param isWrong whether the finding stands after the change
     */
    void changed(Change change, OnlineFinding finding, boolean isWrong);

    /** Whether to be told of what is not final, too. */
    boolean wantsProvisional();
}
