package io.nightjar.formats.text;

import io.nightjar.formats.source.DressContract;

class CompressedJsonLinesDressTest extends DressContract {

    @Override
    protected String fileName() {
        return "history.jsonl.zst";
    }

    @Override
    protected String format() {
        return "jsonl";
    }
}
