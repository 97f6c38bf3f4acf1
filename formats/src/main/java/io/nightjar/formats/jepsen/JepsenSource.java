package io.nightjar.formats.jepsen;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.history.SourceDiagnostic;
import io.nightjar.formats.text.SequentialSource;
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
public final class JepsenSource extends SequentialSource {

    private final boolean isJson;
    private @Nullable JepsenFacts facts;

    private JepsenSource(String uri, Path file, boolean isJson) {
        super(isJson ? "elle-json" : "edn", uri, List.of(file));
        this.isJson = isJson;
    }

    public static JepsenSource edn(String uri, Path file) {
        return new JepsenSource(uri, file, false);
    }

    public static JepsenSource json(String uri, Path file) {
        return new JepsenSource(uri, file, true);
    }

    @Override
    public SliceReader open(int split, Set<ColumnGroup> wanted, BadRowHandler badRows) throws IOException {
        return new JepsenReader(files.get(0), isJson, facts(), wanted, badRows);
    }

    @Override
    public synchronized List<SourceDiagnostic> remarks() {
        return facts == null ? List.of() : facts.remarks();
    }

    private synchronized JepsenFacts facts() throws IOException {
        if (facts == null) {
            facts = JepsenFacts.find(files.get(0), isJson);
        }
        return facts;
    }
}
