package io.nightjar.formats.text;

import io.nightjar.formats.source.RoundTripContract;

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
