package io.nightjar.formats.jepsen;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.history.SourceDiagnostic;
import io.nightjar.formats.text.OneSplit;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A history of Jepsen: operation maps in EDN, or in the JSON of elle-cli.
 *
 * <p>A file is one split, because an operation may complete anywhere after its invocation. Facts about the file as a
 * whole are determined once, before it is first opened.
 */
public final class JepsenSource implements HistorySource {

    private final String uri;
    private final Path file;
    private final boolean isJson;
    private final List<Split> splits;
    private @Nullable JepsenFacts facts;

    private JepsenSource(String uri, Path file, boolean isJson) {
        this.uri = uri;
        this.file = file;
        this.isJson = isJson;
        this.splits = OneSplit.of(uri, List.of(file));
    }

    public static JepsenSource edn(String uri, Path file) {
        return new JepsenSource(uri, file, false);
    }

    public static JepsenSource json(String uri, Path file) {
        return new JepsenSource(uri, file, true);
    }

    @Override
    public String uri() {
        return uri;
    }

    @Override
    public String format() {
        return isJson ? "elle-json" : "edn";
    }

    @Override
    public List<Split> splits() {
        return splits;
    }

    @Override
    public SliceReader open(int split, Set<ColumnGroup> wanted, BadRowHandler badRows) throws IOException {
        return new JepsenReader(file, isJson, facts(), wanted, badRows);
    }

    @Override
    public synchronized List<SourceDiagnostic> remarks() {
        return facts == null ? List.of() : facts.remarks();
    }

    @Override
    public void close() {
        // readers own the open file, the source has none
    }

    private synchronized JepsenFacts facts() throws IOException {
        if (facts == null) {
            facts = JepsenFacts.find(file, isJson);
        }
        return facts;
    }
}
