package io.nightjar.formats.arrow;

import io.nightjar.formats.source.RoundTripContract;

class ArrowRoundTripTest extends RoundTripContract {

    @Override
    protected String fileName() {
        return "history.arrow";
    }

    @Override
    protected String format() {
        return "arrow";
    }
}
