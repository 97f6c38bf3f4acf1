package io.nightjar.formats.text;

import io.nightjar.formats.source.DressContract;

class JsonLinesDressTest extends DressContract {

    @Override
    protected String fileName() {
        return "history.jsonl";
    }

    @Override
    protected String format() {
        return "jsonl";
    }
}
