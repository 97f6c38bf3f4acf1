package io.nightjar.formats.arrow;

import io.nightjar.formats.source.DressContract;

class ArrowDressTest extends DressContract {

    @Override
    protected String fileName() {
        return "history.arrow";
    }

    @Override
    protected String format() {
        return "arrow";
    }
}
