package io.nightjar.pipeline.online;

import io.nightjar.pipeline.online.OnlineFinding.Change;
import java.util.ArrayList;
import java.util.List;

/** Listener that collects final findings. */
final class FinalFindings implements OnlineListener {

    private final List<OnlineFinding> all = new ArrayList<>();
    private final boolean wantsProvisional;

    FinalFindings() {
        this(true);
    }

    /** @param wantsProvisional whether transactions are checked when they arrive, not only when they are sealed */
    FinalFindings(boolean wantsProvisional) {
        this.wantsProvisional = wantsProvisional;
    }

    @Override
    public void changed(Change change, OnlineFinding finding, boolean isWrong) {
        if (change == Change.FINAL) {
            all.add(finding);
        }
    }

    @Override
    public boolean wantsProvisional() {
        return wantsProvisional;
    }

    List<OnlineFinding> all() {
        return all;
    }
}
