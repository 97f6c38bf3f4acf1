package io.nightjar.formats.arrow;

import io.nightjar.formats.registry.RoundTripContract;

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
