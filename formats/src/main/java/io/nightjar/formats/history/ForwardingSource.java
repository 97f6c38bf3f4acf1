package io.nightjar.formats.history;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A source that delegates to another one; subclasses change the reading of rows. */
public abstract class ForwardingSource implements HistorySource {

    protected final HistorySource source;

    /** @param source the underlying source, closed with this source */
    protected ForwardingSource(HistorySource source) {
        this.source = source;
    }

    @Override
    public String uri() {
        return source.uri();
    }

    @Override
    public String format() {
        return source.format();
    }

    @Override
    public List<Split> splits() {
        return source.splits();
    }

    @Override
    public boolean hasPredicateColumns() {
        return source.hasPredicateColumns();
    }

    @Override
    public @Nullable String impliedInitialValue() {
        return source.impliedInitialValue();
    }

    @Override
    public void checkUnchanged() throws IOException {
        source.checkUnchanged();
    }

    @Override
    public @Nullable Traffic traffic() {
        return source.traffic();
    }

    @Override
    public @Nullable SplitDigest reading(int split) {
        return source.reading(split);
    }

    @Override
    public void expect(int split, SplitDigest reading) throws IOException {
        source.expect(split, reading);
    }

    @Override
    public List<SourceDiagnostic> remarks() {
        return source.remarks();
    }

    @Override
    public void allowMixedTypes() {
        source.allowMixedTypes();
    }

    @Override
    public boolean holdAsJson(String faultKind) {
        return source.holdAsJson(faultKind);
    }

    @Override
    public @Nullable String initialValue(@Nullable String given) {
        return source.initialValue(given);
    }

    @Override
    public void close() throws IOException {
        source.close();
    }
}
