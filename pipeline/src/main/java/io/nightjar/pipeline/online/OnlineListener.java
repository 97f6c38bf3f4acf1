package io.nightjar.pipeline.online;

import io.nightjar.pipeline.online.OnlineFinding.Change;

/** Consumer of changes of findings, in their order. */
public interface OnlineListener {

    /** Ignores all changes. */
    OnlineListener NONE = new OnlineListener() {
        @Override
        public void changed(OnlineFinding.Change change, OnlineFinding finding, boolean isWrong) {}

        @Override
        public boolean wantsProvisional() {
            return false;
        }
    };

    /** @param isWrong whether the finding remains after the change */
    void changed(Change change, OnlineFinding finding, boolean isWrong);

    /** Returns whether changes that are not final should be reported too. */
    boolean wantsProvisional();
}
