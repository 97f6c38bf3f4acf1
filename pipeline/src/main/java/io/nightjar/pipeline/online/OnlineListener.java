package io.nightjar.pipeline.online;

import io.nightjar.pipeline.online.OnlineFinding.Change;

/** Called with what becomes of findings, in the order in which it happens. */
public interface OnlineListener {

    /** Listens to nothing. */
    OnlineListener NONE = new OnlineListener() {
        @Override
        public void changed(OnlineFinding.Change change, OnlineFinding finding, boolean isWrong) {}

        @Override
        public boolean wantsProvisional() {
            return false;
        }
    };

    /**
     * @param isWrong whether the finding stands after the change
     */
    void changed(Change change, OnlineFinding finding, boolean isWrong);

    /** Whether to be told of what is not final, too. */
    boolean wantsProvisional();
}
