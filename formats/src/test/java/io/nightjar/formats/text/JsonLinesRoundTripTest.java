package io.nightjar.formats.text;

import io.nightjar.formats.registry.RoundTripContract;

class JsonLinesRoundTripTest extends RoundTripContract {

    @Override
    protected String fileName() {
        return "history.jsonl";
    }

    @Override
    protected String format() {
        return "jsonl";
    }
}
