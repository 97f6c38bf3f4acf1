package io.nightjar.pipeline.online;

import io.nightjar.pipeline.online.OnlineFinding.Change;
import java.util.ArrayList;
import java.util.List;

/** Listener that collects final findings. */
final class FinalFindings implements OnlineListener {

    private final List<OnlineFinding> all = new ArrayList<>();

    @Override
    public void changed(Change change, OnlineFinding finding, boolean isWrong) {
        if (change == Change.FINAL) {
            all.add(finding);
        }
    }

    @Override
    public boolean wantsProvisional() {
        return true;
    }

    List<OnlineFinding> all() {
        return all;
    }
}
