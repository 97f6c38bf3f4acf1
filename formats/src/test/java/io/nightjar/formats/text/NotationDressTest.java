package io.nightjar.formats.text;

import io.nightjar.formats.source.DressContract;

class NotationDressTest extends DressContract {

    @Override
    protected String fileName() {
        return "history.txt";
    }

    @Override
    protected String format() {
        return "notation";
    }
}
