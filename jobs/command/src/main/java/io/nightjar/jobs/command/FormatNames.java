package io.nightjar.jobs.command;

import io.nightjar.formats.registry.Histories;
import java.util.Iterator;

/** The names of the formats that are read, for the help and for shells that complete them. */
public final class FormatNames implements Iterable<String> {

    @Override
    public Iterator<String> iterator() {
        return Histories.formatNames().iterator();
    }

    /** The names of the formats that are written. */
    public static final class Written implements Iterable<String> {

        @Override
        public Iterator<String> iterator() {
            return Histories.writableFormatNames().iterator();
        }
    }
}
