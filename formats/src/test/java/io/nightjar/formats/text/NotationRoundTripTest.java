package io.nightjar.formats.text;

import io.nightjar.formats.registry.RoundTripContract;

class NotationRoundTripTest extends RoundTripContract {

    @Override
    protected String fileName() {
        return "history.txt";
    }

    @Override
    protected String format() {
        return "notation";
    }
}
