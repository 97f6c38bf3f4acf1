package io.nightjar.formats.text;

import io.nightjar.formats.registry.RoundTripContract;

class CompressedJsonLinesRoundTripTest extends RoundTripContract {

    @Override
    protected String fileName() {
        return "history.jsonl.zst";
    }

    @Override
    protected String format() {
        return "jsonl";
    }
}
