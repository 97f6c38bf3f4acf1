package io.nightjar.jobs.watch;

import java.io.IOException;

/** What a watch has to know does not fit into memory; with more, the same call goes on from its checkpoint. */
public final class NoRoomException extends IOException {

    private static final long serialVersionUID = 1L;

    public NoRoomException(String why) {
        super(why + "; the same call goes on from here");
    }
}
