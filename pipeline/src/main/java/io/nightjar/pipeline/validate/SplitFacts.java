package io.nightjar.pipeline.validate;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.MalformedHistoryException;
import java.io.Serializable;

/** Facts that the rows of one split show row by row: {@link HistoryFacts}, and the types of keys and values. */
public final class SplitFacts implements Serializable {

    private static final long serialVersionUID = 1;

    final HistoryFacts facts = new HistoryFacts();
    final TypeAgreement types = new TypeAgreement();
    boolean areTypesMixed;

    /** Adds the next slice of the split. */
    public void add(HistorySlice slice) {
        facts.merge(HistoryFacts.of(slice));
        try {
            types.add(slice);
        } catch (MalformedHistoryException mixed) {
            areTypesMixed = true; // reported by the reader of all rows in order
        }
    }

    public long txnCount() {
        return facts.txnCount();
    }
}
