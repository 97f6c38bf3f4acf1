package io.nightjar.formats.peer;

import io.nightjar.formats.history.BadRows;
import io.nightjar.formats.history.Column;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.text.OneSplit;
import io.nightjar.formats.text.RowSink;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A history in the format of another checker. It is one split, because rows count those before them to get their ids. */
public final class PeerSource implements HistorySource {

    private static final String ZERO = "0";

    private final String format;
    private final @Nullable String impliedInitialValue;
    private final boolean rowsAreLines;
    private final PeerRows.Opener opener;
    private final String uri;
    private final List<Path> files;
    private final List<Split> splits;

    private PeerSource(
            String format,
            @Nullable String impliedInitialValue,
            boolean rowsAreLines,
            PeerRows.Opener opener,
            String uri,
            List<Path> files) {
        this.format = format;
        this.impliedInitialValue = impliedInitialValue;
        this.rowsAreLines = rowsAreLines;
        this.opener = opener;
        this.uri = uri;
        this.files = List.copyOf(files);
        this.splits = OneSplit.of(uri, this.files);
    }

    /** The bincode files of dbcop as it was in 2019. */
    public static PeerSource dbcop(String uri, List<Path> files) {
        return new PeerSource("dbcop", ZERO, false, DbcopRows::new, uri, files);
    }

    /** The JSON of dbcop. */
    public static PeerSource dbcopJson(String uri, List<Path> files) {
        return new PeerSource("dbcop-json", ZERO, false, DbcopJsonRows::new, uri, files);
    }

    /** The text of dbcop. */
    public static PeerSource hist(String uri, List<Path> files) {
        return new PeerSource("hist", ZERO, true, HistRows::new, uri, files);
    }

    /** The text of Plume and PolySI. */
    public static PeerSource plume(String uri, List<Path> files) {
        return new PeerSource("plume", ZERO, true, new PlumeOpener(), uri, files);
    }

    /** The text of AWDIT's tests, which knows no initial state. */
    public static PeerSource awdit(String uri, List<Path> files) {
        return new PeerSource("awdit", null, true, AwditRows::new, uri, files);
    }

    /** The logs of Cobra, one of each client; they become sessions in the order of their numbers. */
    public static PeerSource cobra(String uri, List<Path> files) {
        List<Path> byNumber = new ArrayList<>(files);
        byNumber.sort(Comparator.comparingLong(CobraRows::sessionOf).thenComparing(Comparator.naturalOrder()));
        return new PeerSource("cobra", null, false, CobraRows::new, uri, byNumber);
    }

    /** The logs of Viper, one of each client; they become sessions in the order of their numbers. */
    public static PeerSource viper(String uri, List<Path> files) {
        List<Path> byNumber = new ArrayList<>(files);
        byNumber.sort(Comparator.comparingLong(ViperRows::sessionOf).thenComparing(Comparator.naturalOrder()));
        return new PeerSource("viper", null, true, ViperRows::new, uri, byNumber);
    }

    /** The operations of clients as etcd's robustness tests and Porcupine have them. */
    public static PeerSource etcd(String uri, List<Path> files) {
        return new PeerSource("etcd", null, true, EtcdRows::new, uri, files);
    }

    @Override
    public String uri() {
        return uri;
    }

    @Override
    public String format() {
        return format;
    }

    @Override
    public List<Split> splits() {
        return splits;
    }

    @Override
    public SliceReader open(int split, Set<Column> wanted, BadRows badRows) throws IOException {
        return new PeerReader(files, opener, new RowSink(wanted, badRows, rowsAreLines));
    }

    @Override
    public @Nullable String impliedInitialValue() {
        return impliedInitialValue;
    }

    @Override
    public void close() {
        // readers hold the files, the source holds nothing
    }
}
